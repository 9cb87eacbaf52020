// SPDX-License-Identifier: BSD-3-Clause
// Kernels whose results are known: collectives of lanes, blocks and streams. They run on a device and on the emulated one.
#include <numeric>

#include "support.cuh"

namespace {

constexpr int warp = 32;

__global__ void shuffle(int* out, unsigned mask) {
  const int lane = static_cast<int>(threadIdx.x);
  if ((mask >> lane & 1) == 0) return;
  int* const mine = out + 5 * lane;
  mine[0] = __shfl_sync(mask, 100 + lane, lane == 4 ? 4 : 5);
  mine[1] = __shfl_up_sync(mask, 100 + lane, 4, 8);
  mine[2] = __shfl_down_sync(mask, 100 + lane, 4, 8);
  mine[3] = __shfl_xor_sync(mask, 100 + lane, 1);
  mine[4] = __shfl_sync(mask, 100 + lane, 1, 4);
}

TEST(KnownResults, Shuffles) {
  NEEDS_DEVICE();
  for (const unsigned mask : {0xFFFFFFFFu, 0x0000FFFFu}) {
    OnDevice<int> out(std::vector<int>(5 * warp, -1));
    shuffle<<<1, warp>>>(out.data(), mask);
    const std::vector<int> found = out.read();
    for (int lane = 0; lane < warp; ++lane) {
      const std::vector<int> row(found.begin() + 5 * lane, found.begin() + 5 * lane + 5);
      const int in = lane % 8;
      const std::vector<int> expected{lane == 4 ? 104 : 105, 100 + (in >= 4 ? lane - 4 : lane),
                                      100 + (in < 4 ? lane + 4 : lane), 100 + (lane ^ 1), 100 + lane / 4 * 4 + 1};
      EXPECT_EQ(row, (mask >> lane & 1) ? expected : std::vector<int>(5, -1)) << lane;
    }
  }
}

__global__ void vote(unsigned* out, unsigned mask) {
  const unsigned lane = threadIdx.x;
  if ((mask >> lane & 1) == 0) return;
  unsigned* const mine = out + 9 * lane;
  int all_alike = 0;
  mine[0] = __ballot_sync(mask, lane % 3 == 0);
  mine[1] = __any_sync(mask, lane == 3);
  mine[2] = __all_sync(mask, lane < 30);
  mine[3] = __match_any_sync(mask, lane % 4);
  mine[4] = __match_all_sync(mask, 7, &all_alike) + (all_alike != 0);
  mine[5] = __reduce_add_sync(mask, lane);
  mine[6] = __reduce_max_sync(mask, lane);
  mine[7] = static_cast<unsigned>(__reduce_min_sync(mask, -static_cast<int>(lane)));
  mine[8] = __reduce_xor_sync(mask, 1u << lane);
}

TEST(KnownResults, VotesMatchesAndSumsOfSomeLanes) {
  NEEDS_DEVICE();
  for (const unsigned mask : {0xFFFFFFFFu, 0x00F0FF0Au}) {
    OnDevice<unsigned> out(std::vector<unsigned>(9 * warp, 77));
    vote<<<1, warp>>>(out.data(), mask);
    const std::vector<unsigned> found = out.read();
    unsigned sum = 0, most = 0;
    for (unsigned lane = 0; lane < warp; ++lane) {
      if (mask >> lane & 1) sum += lane, most = lane;
    }
    for (unsigned lane = 0; lane < warp; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      const std::vector<unsigned> row(found.begin() + 9 * lane, found.begin() + 9 * lane + 9);
      EXPECT_EQ(row, (std::vector<unsigned>{mask & 0x49249249u, (mask & 8u) != 0, (mask & 0xC0000000u) == 0,
                                            mask & (0x11111111u << lane % 4), mask + 1, sum, most, 0u - most, mask}))
          << lane;
    }
  }
}

__global__ void count_by_warps(int* counter, int* who, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || i % 3 != 0) return;
  const unsigned here = __activemask();
  const int lane = static_cast<int>(threadIdx.x % warp), leader = __ffs(static_cast<int>(here)) - 1;
  int first = 0;
  if (lane == leader) first = atomicAdd(counter, __popc(here));
  first = __shfl_sync(here, first, leader);
  who[first + __popc(here & ((1u << lane) - 1))] = i;
}

TEST(KnownResults, LanesThatAreTogether) {
  NEEDS_DEVICE();
  constexpr int n = 1000, expected = (n + 2) / 3;
  OnDevice<int> counter(std::vector<int>{0}), who(std::vector<int>(n, -1));
  count_by_warps<<<8, 128>>>(counter.data(), who.data(), n);
  EXPECT_EQ(counter.read()[0], expected);
  std::vector<int> found = who.read();
  std::sort(found.begin(), found.begin() + expected);
  for (int k = 0; k < expected; ++k) EXPECT_EQ(found[static_cast<std::size_t>(k)], 3 * k);
}

__global__ void use_atomics(unsigned* word, unsigned long long* wide, double* real) {
  __shared__ unsigned in_block[3];
  if (threadIdx.x < 3) in_block[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&in_block[0], 1u), atomicMax(&in_block[1], i), atomicXor(&in_block[2], i);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&word[0], in_block[0]), atomicMax(&word[1], in_block[1]), atomicXor(&word[2], in_block[2]);
  atomicMin(&word[3], i), atomicInc(&word[4], 6), atomicOr(&word[5], 1u << i % 32), atomicAnd(&word[6], ~(1u << i % 8));
  atomicAdd(wide, 1ull << 33);
  atomicAdd(real, 0.5);
  for (unsigned seen = word[7], old = seen + 1; old != seen;) old = seen, seen = atomicCAS(&word[7], old, old + 3);
}

TEST(KnownResults, Atomics) {
  NEEDS_DEVICE();
  constexpr unsigned n = 4 * 96;
  OnDevice<unsigned> word(std::vector<unsigned>{0, 0, 0, n, 0, 0, 0xFFFF, 0});
  OnDevice<unsigned long long> wide(std::vector<unsigned long long>{5});
  OnDevice<double> real(std::vector<double>{0.25});
  use_atomics<<<4, 96>>>(word.data(), wide.data(), real.data());
  unsigned all_xor = 0;
  for (unsigned i = 0; i < n; ++i) all_xor ^= i;
  EXPECT_EQ(word.read(), (std::vector<unsigned>{n, n - 1, all_xor, 0, n % 7, ~0u, 0xFF00, 3 * n}));
  EXPECT_EQ(wide.read()[0], 5 + (static_cast<unsigned long long>(n) << 33));
  EXPECT_EQ(real.read()[0], 0.25 + 0.5 * n);
}

__global__ void reverse_and_count(int* values, int* counts) {
  extern __shared__ int all[];
  const int i = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
  all[i] = values[blockIdx.x * n + i];
  __syncthreads();
  values[blockIdx.x * n + i] = all[n - 1 - i];
  const int odd = __syncthreads_count(all[i] % 2), any = __syncthreads_or(all[i] == 5), every = __syncthreads_and(all[i] >= 0);
  if (i == 0) counts[3 * blockIdx.x] = odd, counts[3 * blockIdx.x + 1] = any, counts[3 * blockIdx.x + 2] = every;
}

TEST(KnownResults, BarriersAndSharedMemory) {
  NEEDS_DEVICE();
  constexpr int blocks = 9, threads = 80;
  std::vector<int> values(blocks * threads), expected;
  std::iota(values.begin(), values.end(), -40);
  OnDevice<int> there(values), counts(3 * blocks);
  reverse_and_count<<<blocks, threads, threads * sizeof(int)>>>(there.data(), counts.data());
  std::vector<int> expected_counts;
  for (int b = 0; b < blocks; ++b) {
    const auto begin = values.begin() + b * threads;
    expected.insert(expected.end(), std::make_reverse_iterator(begin + threads), std::make_reverse_iterator(begin));
    expected_counts.insert(expected_counts.end(),
                           {threads / 2, std::find(begin, begin + threads, 5) != begin + threads, b > 0});
  }
  EXPECT_EQ(there.read(), expected);
  EXPECT_EQ(counts.read(), expected_counts);
}

// Blocks are taken in order. Each waits for the block before.
__global__ void chain(unsigned* taken, volatile unsigned* sums) {
  __shared__ unsigned block;
  if (threadIdx.x == 0) block = atomicAdd(taken, 1u);
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned before = 1;
  while (block > 0 && (before = sums[block - 1]) == 0) {
  }
  sums[block] = before + block;
}

TEST(KnownResults, BlocksThatWaitForEarlierOnes) {
  NEEDS_DEVICE();
  constexpr unsigned n = 50;
  OnDevice<unsigned> taken(std::vector<unsigned>{0}), sums(std::vector<unsigned>(n, 0));
  chain<<<n, 64>>>(taken.data(), sums.data());
  const std::vector<unsigned> found = sums.read();
  for (unsigned k = 0; k < n; ++k) EXPECT_EQ(found[k], 1 + k * (k + 1) / 2);
}

__global__ void where_am_i(int* out) {
  const auto at = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y * blockDim.z +
                  (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  ++out[at];
}

TEST(KnownResults, GridsOfThreeDimensions) {
  NEEDS_DEVICE();
  OnDevice<int> out(std::vector<int>(2 * 3 * 4 * 5 * 6 * 2, 0));
  where_am_i<<<dim3(2, 3, 4), dim3(5, 6, 2)>>>(out.data());
  EXPECT_EQ(out.read(), std::vector<int>(2 * 3 * 4 * 5 * 6 * 2, 1));
}

}  // namespace
