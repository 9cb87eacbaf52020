// SPDX-License-Identifier: BSD-3-Clause
// Compiles the kernels of the nearest particles.
#define HGRID_KERNELS_ARE template
#include "kernels/instances_nearest.cuh"
