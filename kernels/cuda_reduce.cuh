// SPDX-License-Identifier: BSD-3-Clause
// The reduction of CudaExec, in one launch: each thread folds many items into its value, CUB joins the values of a block, and
// the last block joins the values of all blocks.
#pragma once

#include <algorithm>
#include <cub/block/block_reduce.cuh>

#include "cuda_launch.cuh"

namespace hgrid::inline v0_2 {

namespace detail {

template <class V>
struct Join {
  __device__ V operator()(V a, const V& b) const {
    a.join(b);
    return a;
  }
};

/// How many rounds ahead a thread prefetches items: with that many registers per thread there are too few threads to hide the
/// latency of memory.
inline constexpr offset_t items_ahead = 2;

/// Folds all items. `partial` must have room for a value of each block. `arrived` counts the blocks that are done, from 0 and
/// back to 0. With four blocks on a multiprocessor the largest values still fit in registers.
template <class V, class F>
__global__ void __launch_bounds__(CudaBlock::threads, 4)
    fold(const __grid_constant__ F f, offset_t n, V identity, V* partial, unsigned* arrived, V* out) {
  using BlockReduce = cub::BlockReduce<V, CudaBlock::threads>;
  __shared__ typename BlockReduce::TempStorage scratch;
  __shared__ bool is_last;
  V value = identity;
  const offset_t stride = gridDim.x * static_cast<offset_t>(CudaBlock::threads);
  for (offset_t i = blockIdx.x * static_cast<offset_t>(CudaBlock::threads) + threadIdx.x; i < n; i += stride) {
    if constexpr (requires { f.fetch(i); }) {
      if (i + items_ahead * stride < n) f.fetch(i + items_ahead * stride);
    }
    f(i, value);
  }
  value = BlockReduce(scratch).Reduce(value, Join<V>{});
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = value;
    __threadfence();  // visible to the block that comes last
    is_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  value = identity;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += CudaBlock::threads) value.join(partial[k]);
  value = BlockReduce(scratch).Reduce(value, Join<V>{});
  if (threadIdx.x == 0) *out = value;
}

}  // namespace detail

template <class V, class F>
void CudaExec::reduce(const char* label, offset_t n, const F& f, const V& identity, V* out) const {
  const detail::Enqueuing enqueuing(*this, label);
  const offset_t useful = (n + detail::CudaBlock::threads - 1) / detail::CudaBlock::threads;
  const auto blocks = static_cast<unsigned>(std::clamp(useful, offset_t{1}, offset_t{blocks_of_reduction()}));
  auto* const partial = static_cast<V*>(scratch(blocks * sizeof(V)));
  detail::launch_kernel(label, blocks, detail::CudaBlock::threads, 0, stream(), detail::fold<V, F>, f, n, identity, partial,
                        arrived(), out);
}

}  // namespace hgrid::inline v0_2
