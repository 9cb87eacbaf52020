// SPDX-License-Identifier: BSD-3-Clause
// Compiles the kernels of a build.
#define HGRID_KERNELS_ARE template
#include "kernels/instances_build.cuh"
