// SPDX-License-Identifier: BSD-3-Clause
// What the random suite needs on a CUDA device: memory that both sides can read. Pinned host memory is that, on every
// device with unified addresses; it is slow, and poisoned, so that nothing rests on what memory held before.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <type_traits>
#include <vector>

#include "hgrid/cuda.hpp"

namespace support {

class PinnedMemory final : public hgrid::CudaMemory {
 public:
  int allocations = 0;
  int fail_at = -1;  ///< this allocation fails, once

  ~PinnedMemory() override {
    for (const auto& [room, block] : free_) cudaFreeHost(block);
  }

  void* allocate(std::size_t bytes, cudaStream_t) override {
    if (allocations++ == fail_at) hgrid::check_cuda(cudaErrorMemoryAllocation, "PinnedMemory", bytes);
    const std::size_t room = std::bit_ceil(bytes + alignment);
    void* block = nullptr;
    if (const auto kept = free_.find(room); kept != free_.end()) {
      block = kept->second;
      free_.erase(kept);
    } else {
      hgrid::check_cuda(cudaMallocHost(&block, room), "cudaMallocHost", room);
    }
    std::memset(block, poison, room);
    return static_cast<unsigned char*>(block) + before(bytes);
  }
  void deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept override {
    cudaStreamSynchronize(stream);
    const std::size_t room = std::bit_ceil(bytes + alignment);
    auto* const block = static_cast<unsigned char*>(p) - before(bytes);
    const auto is_poison = [](unsigned char byte) { return byte == poison; };
    EXPECT_TRUE(std::all_of(block, block + before(bytes), is_poison)) << "written before an allocation of " << bytes;
    EXPECT_TRUE(std::all_of(block + before(bytes) + bytes, block + room, is_poison)) << "written beyond an allocation of " << bytes;
    std::memset(block, poison, room);  // for whoever still reads it
    free_.emplace(room, block);
  }

 private:
  static constexpr unsigned char poison = 0xA5;
  static constexpr std::size_t alignment = 256;

  /// An allocation lies at the end of its block, so that little beyond it is still memory.
  static std::size_t before(std::size_t bytes) { return (std::bit_ceil(bytes + alignment) - bytes) / alignment * alignment; }

  std::multimap<std::size_t, void*> free_;  ///< by size, because pinning memory anew takes CUDA long
};

/// The user's particles, copied to where the executor can read them.
template <class Real, int D>
class PlacedParticles {
 public:
  PlacedParticles(const hgrid::CudaExec& exec, const hgrid::Particles<Real, D>& p) : exec_(exec), view_(p) {
    if (p.count == 0) return;
    for (int k = 0; k < D; ++k) view_.position[k] = copy(p.position[k], (p.count - 1) * p.stride + 1);
    view_.radius = copy(p.radius, (p.count - 1) * p.radius_stride + 1);
    if (p.extra != nullptr) view_.extra = copy(p.extra, p.count);
    if (p.group != nullptr) view_.group = copy(p.group, p.count);
    if (p.active != nullptr) view_.active = copy(p.active, p.count);
  }
  const hgrid::Particles<Real, D>& view() const { return view_; }

 private:
  template <class T>
  const T* copy(const T* from, std::int64_t n) {
    buffers_.emplace_back(exec_, n * static_cast<std::int64_t>(sizeof(T)));
    void* const to = buffers_.back().data();
    hgrid::check_cuda(cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyDefault), "cudaMemcpy");
    return static_cast<const T*>(to);
  }

  hgrid::CudaExec exec_;
  hgrid::Particles<Real, D> view_;
  std::vector<hgrid::CudaBuffer<char>> buffers_;
};

template <class Real, int D>
PlacedParticles<Real, D> placed(const hgrid::CudaExec& exec, const hgrid::Particles<Real, D>& p) {
  return {exec, p};
}

/// Skips a test, with the reason, where there is no device.
#define HGRID_NEEDS_DEVICE()                                                             \
  const hgrid::CudaDevices hgrid_found = hgrid::cuda_devices();                          \
  if (hgrid_found.devices.empty()) GTEST_SKIP() << "no CUDA device: " << hgrid_found.reason

}  // namespace support
