// SPDX-License-Identifier: BSD-3-Clause
// Compiles the kernels of ranks on devices.
#define HGRID_KERNELS_ARE template
#include "kernels/instances_ranks.cuh"
