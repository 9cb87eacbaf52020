// SPDX-License-Identifier: BSD-3-Clause
// A kernel of somebody else's, to be run without a device: each block turns its numbers round.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int threads = 64, blocks = 3, count = threads * blocks;

__global__ void turned(const float* in, float* out) {
  __shared__ float kept[threads];
  kept[threadIdx.x] = in[blockIdx.x * threads + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = kept[threads - 1 - threadIdx.x];
}

int main() {
  float numbers[count];
  for (int k = 0; k < count; ++k) numbers[k] = k;
  float *in, *out;
  cudaMalloc(&in, sizeof numbers), cudaMalloc(&out, sizeof numbers);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  turned<<<blocks, threads>>>(in, out);
  cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
  cudaFree(in), cudaFree(out);
  std::printf("%g %g ... %g\n", numbers[0], numbers[1], numbers[count - 1]);
  return numbers[0] == 63 && numbers[count - 1] == 128 ? 0 : 1;
}
