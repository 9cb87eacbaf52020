// SPDX-License-Identifier: BSD-3-Clause
// Compiles the kernels of the lists.
#define HGRID_KERNELS_ARE template
#include "kernels/instances_search.cuh"
