// SPDX-License-Identifier: BSD-3-Clause
// Launches the kernels of CudaExec. Users' functors are compiled with this, in their own .cu files.
#pragma once

#include <nvtx3/nvToolsExt.h>

#include "hgrid/device/cuda_exec.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// A range in the profiler's timeline around the work that a host call enqueues.
class ProfilerRange {
 public:
  explicit ProfilerRange(const char* label) { nvtxRangePushA(label); }
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;
  ~ProfilerRange() { nvtxRangePop(); }
};

/// Makes the executor's device current while a host call enqueues.
class Enqueuing {
 public:
  Enqueuing(const CudaExec& exec, const char* label) : device_(exec.device()), range_(label) {}

 private:
  CurrentDevice device_;
  ProfilerRange range_;
};

/// Launches a kernel and throws the launch's own error. The <<<>>> syntax would report it only through CUDA's record of the
/// last error, which may hold an error of the caller.
template <class... Parameters, class... Arguments>
void launch_kernel(const char* label, unsigned blocks, int threads, std::size_t shared, cudaStream_t stream,
                   void (*kernel)(Parameters...), const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks), config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared, config.stream = stream;
  check_cuda(cudaLaunchKernelEx(&config, kernel, arguments...), label);
}

inline constexpr int threads_of_each = 256;

/// Requires only one block, or the compiler spills registers for occupancy.
template <class F>
__global__ void __launch_bounds__(threads_of_each, 1) run_each(const __grid_constant__ F f, offset_t n) {
  const offset_t i = blockIdx.x * static_cast<offset_t>(threads_of_each) + threadIdx.x;
  if (i < n) f(i);
}

inline constexpr int registers_of_multiprocessor = 65536;

/// Returns how many blocks fit if each thread has the registers that the body needs. Compilers for compute capability 10.0 and
/// later may need more.
template <class Body>
constexpr int blocks_on_multiprocessor() {
  int registers = Body::most_registers;
  if constexpr (HGRID_DEVICE_CAPABILITY >= 100 && requires { Body::most_registers_from_10_0; })
    registers = Body::most_registers_from_10_0;
  return registers_of_multiprocessor / (CudaBlock::threads * registers);
}

template <class Body>
__global__ void __launch_bounds__(CudaBlock::threads, blocks_on_multiprocessor<Body>())
    run_blocks(const __grid_constant__ Body body) {
  CudaBlock block;
  body(block);
}

}  // namespace detail

template <class F>
void CudaExec::for_each(const char* label, offset_t n, const F& f) const {
  if (n <= 0) return;
  const detail::Enqueuing enqueuing(*this, label);
  const auto blocks = static_cast<unsigned>((n + detail::threads_of_each - 1) / detail::threads_of_each);
  detail::launch_kernel(label, blocks, detail::threads_of_each, 0, stream(), detail::run_each<F>, f, n);
}

template <class Body>
void CudaExec::launch(const char* label, std::size_t shared, const Body& body) const {
  const detail::Enqueuing enqueuing(*this, label);
  int blocks = 0;  // per multiprocessor: as many as fit
  detail::check_cuda(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, detail::run_blocks<Body>, detail::CudaBlock::threads, shared),
      label);
  detail::launch_kernel(label, static_cast<unsigned>(blocks * multiprocessors_), detail::CudaBlock::threads, shared, stream(),
                        detail::run_blocks<Body>, body);
}

}  // namespace hgrid::inline v0_2
