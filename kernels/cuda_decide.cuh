// SPDX-License-Identifier: BSD-3-Clause
// Lets the device decide whether a recording runs, for CudaExec.
#pragma once

#include "cuda_launch.cuh"

namespace hgrid::inline v0_2 {

namespace detail {

template <class Decide>
__global__ void decide_and_tell(const __grid_constant__ Decide decide, unsigned long long condition) {
  const bool runs = decide();
#if CUDART_VERSION >= 12040
  cudaGraphSetConditional(condition, runs);
#endif
}

}  // namespace detail

template <class Decide>
void CudaExec::enqueue_if(const char* label, const Decide& decide, const detail::CudaRecording& recording) const {
  const detail::Enqueuing enqueuing(*this, label);
  const unsigned long long condition = detail::new_condition(stream());
  detail::launch_kernel(label, 1, 1, 0, stream(), detail::decide_and_tell<Decide>, decide, condition);
  detail::add_conditional_node(stream(), condition, recording);
}

}  // namespace hgrid::inline v0_2
