// SPDX-License-Identifier: BSD-3-Clause
// Faults that the emulated device notices and a device may not: each fault ends the program, or lets it end with 1, and is
// named.
#include <cstdlib>

#include "support.cuh"

namespace {

// Each statement runs in a process of its own.
class NoticedFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    setenv("EMU_RACES", "1", 1);
  }
};

template <class... Parameters, class... Arguments>
void run(void (*kernel)(Parameters...), int blocks, int threads, Arguments... arguments) {
  kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads)>>>(arguments...);
  cudaDeviceSynchronize();
}

int* words(std::size_t n) {
  int* p = nullptr;
  cudaMalloc(&p, n * sizeof(int));
  cudaMemset(p, 0, n * sizeof(int));
  return p;
}

__global__ void touch(int* p, int at, bool writes) {
  if (writes)
    p[at] = 1;
  else if (p[at] == 12345)
    p[0] = 2;
}

TEST_F(NoticedFaults, AccessOutsideOfAllocations) {
  EXPECT_DEATH(run(touch, 1, 1, words(10), 10, true), "global write outside of allocations: 4 bytes at .*thread 0.*touch");
  EXPECT_DEATH(run(touch, 1, 1, words(10), -1, false), "global read outside of allocations");
  EXPECT_DEATH(run(touch, 1, 1, static_cast<int*>(nullptr), 0, true), "access of no device memory");
}

TEST_F(NoticedFaults, MisalignedAccess) {
  EXPECT_DEATH(run(touch, 1, 1, reinterpret_cast<int*>(reinterpret_cast<char*>(words(10)) + 2), 0, true), "misaligned access");
}

TEST_F(NoticedFaults, MemoryThatWasFreed) {
  EXPECT_DEATH(
      {
        int* const p = words(10);
        cudaFree(p);
        run(touch, 1, 1, p, 0, true);
      },
      "outside of allocations");
  EXPECT_DEATH(
      {
        int* p = nullptr;
        cudaMallocAsync(&p, 40, nullptr);
        cudaFreeAsync(p, nullptr);
        run(touch, 1, 1, p, 0, true);
      },
      "outside of allocations");
}

TEST_F(NoticedFaults, HostInDeviceMemory) {
  EXPECT_DEATH(*static_cast<volatile int*>(words(10)) = 1, "the host touches device memory");
}

TEST_F(NoticedFaults, MemoryThatWasNeverWritten) {
  EXPECT_EXIT(
      {
        int* p = nullptr;
        cudaMalloc(&p, 40);
        run(touch, 1, 1, p, 3, false);
        std::exit(0);
      },
      ::testing::ExitedWithCode(1), "read of memory that was never written");
  EXPECT_EXIT(
      {
        int here = 0;
        int* p = nullptr;
        cudaMalloc(&p, 40);
        cudaMemcpy(&here, p, 4, cudaMemcpyDeviceToHost);
        std::exit(0);
      },
      ::testing::ExitedWithCode(1), "copied to the host was never written");
}

TEST_F(NoticedFaults, CopyOutsideOfAllocations) {
  EXPECT_DEATH(cudaMemset(words(10), 0, 44), "fill outside of allocations");
  EXPECT_DEATH(cudaMemcpy(words(10), words(20), 80, cudaMemcpyDeviceToDevice), "copy to outside of allocations");
}

__global__ void beyond_shared(int* p, int at) {
  __shared__ int few[8];
  few[threadIdx.x % 8] = 1;
  __syncthreads();
  p[threadIdx.x] = few[at];
}

TEST_F(NoticedFaults, SharedMemoryOutOfBounds) {
  EXPECT_DEATH(run(beyond_shared, 1, 8, words(8), 8), "shared access out of bounds");
}

// Threads next to each other exchange values; without the barrier they race.
template <bool waits>
__global__ void exchange(int* p) {
  __shared__ int values[64];
  values[threadIdx.x] = p[threadIdx.x];
  if (waits) __syncthreads();
  p[threadIdx.x] = values[63 - threadIdx.x];
}

TEST_F(NoticedFaults, RacesOnSharedMemory) {
  EXPECT_EXIT((run(exchange<false>, 1, 64, words(64)), std::exit(0)), ::testing::ExitedWithCode(1),
              "race on shared memory.*exchange");
  EXPECT_EXIT((run(exchange<true>, 1, 64, words(64)), std::exit(0)), ::testing::ExitedWithCode(0), "");
}

template <unsigned mask>
__global__ void sum(int* p) {
  p[threadIdx.x] = __shfl_down_sync(mask, p[threadIdx.x], 16);
}

TEST_F(NoticedFaults, MasksThatAreTooShort) {
  EXPECT_DEATH(run(sum<0xFFFF>, 1, 32, words(32)), "a lane is not in the mask of its own collective");
  EXPECT_EXIT((run(sum<0xFFFF>, 1, 16, words(32)), std::exit(0)), ::testing::ExitedWithCode(1), "a shuffle reads lane 16");
  EXPECT_EXIT((run(sum<~0u>, 1, 31, words(32)), std::exit(0)), ::testing::ExitedWithCode(1), "names lanes that are not there");
}

__global__ void wait_for_everybody(int* p) {
  if (threadIdx.x == 5) return;
  __syncthreads();
  p[threadIdx.x] = 1;
}

TEST_F(NoticedFaults, ABarrierThatSomeNeverReach) {
  EXPECT_EXIT((run(wait_for_everybody, 1, 64, words(64)), std::exit(0)), ::testing::ExitedWithCode(1),
              "a barrier that some threads");
}

__global__ void wait_for_half(int* p) {
  if (threadIdx.x < 16)
    p[threadIdx.x] = __shfl_sync(~0u, 1, 0);
  else
    __syncthreads();
}

TEST_F(NoticedFaults, Deadlocks) {
  EXPECT_DEATH(run(wait_for_half, 1, 32, words(32)), "deadlock in wait_for_half|deadlock in .*wait_for_half");
}

__global__ void unknown(unsigned* p) { asm volatile("dp4a.u32.u32 %0, %1, %1, %0;" : "+r"(p[0]) : "r"(p[1])); }
__global__ void unknown_modifier(int* p) { asm volatile("add.sat.s32 %0, %0, %1;" : "+r"(p[0]) : "r"(p[1])); }

TEST_F(NoticedFaults, InstructionsThatAreNotKnown) {
  EXPECT_DEATH(run(unknown, 1, 1, reinterpret_cast<unsigned*>(words(2))), "unknown PTX instruction: dp4a.u32.u32");
  EXPECT_DEATH(run(unknown_modifier, 1, 1, words(2)), "unknown PTX instruction: add.sat.s32");
}

// Pinned memory is read before the kernel that writes it has run: nothing has happened yet.
__global__ void write_once(int* p) { *p = 7; }

TEST_F(NoticedFaults, ReadingTooEarly) {
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, sizeof(int)), cudaSuccess);
  *pinned = 3;
  write_once<<<1, 1>>>(pinned);
  EXPECT_EQ(*static_cast<volatile int*>(pinned), 3);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*static_cast<volatile int*>(pinned), 7);
  cudaFreeHost(pinned);
}

}  // namespace
