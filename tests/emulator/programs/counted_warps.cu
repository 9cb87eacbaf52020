// SPDX-License-Identifier: BSD-3-Clause
// Kernels whose warps are counted by hand in counted_warps.py.
#include <cuda_profiler_api.h>

#include <cstdio>

namespace {

constexpr int threads = 128;

__global__ void copy(const int* from, int* to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

__global__ void copy_apart(const int* from, int* to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[8 * i];
}

// Lane k goes round k + 1 times and leaves in the middle; every third time it goes another way.
__global__ void leave_one_by_one(const int* from, int* to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, last = i % 32;
  int sum = 0;
#pragma unroll 1
  for (unsigned k = 0;; ++k) {
    if (from[k] % 3 == 0) to[i + threads * k] = sum;
    sum += 1;
    if (k == last) break;
    atomicAdd(&to[0], sum);
  }
}

}  // namespace

int main() {
  int *from, *to;
  cudaMalloc(&from, 8 * threads * sizeof(int)), cudaMalloc(&to, 33 * threads * sizeof(int));
  cudaMemset(from, 0, 8 * threads * sizeof(int));
  cudaProfilerStart();
  cudaMemsetAsync(to, 0, 33 * threads * sizeof(int));
  copy<<<1, threads>>>(from, to);
  copy_apart<<<1, threads>>>(from, to);
  leave_one_by_one<<<1, threads>>>(from, to);
  cudaProfilerStop();
  copy<<<1, threads>>>(from, to);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : (std::puts("failed"), 1);
}
