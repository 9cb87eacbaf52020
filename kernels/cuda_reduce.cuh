// SPDX-License-Identifier: BSD-3-Clause
// The reduction of CudaExec: each thread folds many items into its value, CUB joins the values of a block, one block
// joins the blocks.
#pragma once

#include <algorithm>
#include <cub/block/block_reduce.cuh>

#include "cuda_launch.cuh"

namespace hgrid::inline v0_1 {

namespace detail {

template <class V>
struct Join {
  __device__ V operator()(V a, const V& b) const {
    a.join(b);
    return a;
  }
};

template <class V>
struct JoinPartial {
  const V* partial;
  __device__ void operator()(offset_t i, V& value) const { value.join(partial[i]); }
};

template <class V, class F>
__global__ void __launch_bounds__(CudaBlock::threads) fold(const __grid_constant__ F f, offset_t n, V identity, V* out) {
  using BlockReduce = cub::BlockReduce<V, CudaBlock::threads>;
  __shared__ typename BlockReduce::TempStorage scratch;
  V value = identity;
  const offset_t stride = gridDim.x * static_cast<offset_t>(CudaBlock::threads);
  for (offset_t i = blockIdx.x * static_cast<offset_t>(CudaBlock::threads) + threadIdx.x; i < n; i += stride) f(i, value);
  value = BlockReduce(scratch).Reduce(value, Join<V>{});
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

}  // namespace detail

template <class V, class F>
void CudaExec::reduce(const char* label, offset_t n, const F& f, const V& identity, V* out) const {
  const detail::Enqueuing enqueuing(*this, label);
  const offset_t useful = (n + detail::CudaBlock::threads - 1) / detail::CudaBlock::threads;
  const auto blocks = static_cast<unsigned>(std::clamp(useful, offset_t{1}, offset_t{blocks_of_reduction()}));
  V* const partial = blocks == 1 ? out : static_cast<V*>(scratch(blocks * sizeof(V)));
  detail::fold<<<blocks, detail::CudaBlock::threads, 0, stream_>>>(f, n, identity, partial);
  if (blocks > 1) {
    detail::fold<<<1, detail::CudaBlock::threads, 0, stream_>>>(detail::JoinPartial<V>{partial}, offset_t{blocks}, identity,
                                                                out);
  }
  detail::check_cuda(cudaGetLastError(), label);
}

}  // namespace hgrid::inline v0_1
