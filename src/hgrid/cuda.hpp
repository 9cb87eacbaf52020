// SPDX-License-Identifier: BSD-3-Clause
// The CUDA header: hgrid::Grid on a CUDA stream, from device pointers. In a plain C++ file it builds, counts and lists;
// functors (for_each_contact, for_each_partner) need a .cu file, because their kernels are compiled there.
#pragma once

#include "hgrid/device/cuda_exec.hpp"
#include "hgrid/device/devices.hpp"
#include "hgrid/grid.hpp"
#if defined(__CUDACC__)
#include "kernels/instances_build.cuh"
#include "kernels/instances_loop.cuh"
#include "kernels/instances_search.cuh"
#endif

namespace hgrid::inline v0_2 {

/// Returns the executor for a stream of the current device.
inline CudaExec make_exec(cudaStream_t stream) { return CudaExec(stream); }

}  // namespace hgrid::inline v0_2
