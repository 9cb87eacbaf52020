// SPDX-License-Identifier: BSD-3-Clause
// Helpers of tests on a CUDA device: memory that is watched, and particles that are copied there.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "hgrid/cuda.hpp"

namespace support {

/// The device's own memory, counted, and poisoned so that no result depends on its earlier contents.
class PoisonedMemory final : public hgrid::CudaMemory {
 public:
  int allocations = 0;
  int fail_at = -1;  ///< this allocation fails, once

  void* allocate(std::size_t bytes, cudaStream_t stream) override {
    if (allocations++ == fail_at) hgrid::detail::check_cuda(cudaErrorMemoryAllocation, "PoisonedMemory", bytes);
    void* const p = hgrid::default_cuda_memory().allocate(bytes, stream);
    hgrid::detail::check_cuda(cudaMemsetAsync(p, 0xA5, bytes, stream), "cudaMemsetAsync", bytes);
    return p;
  }
  void deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept override {
    hgrid::default_cuda_memory().deallocate(p, bytes, stream);
  }
};

/// The user's particles, copied to where the executor can read them.
template <class Real, int D>
class PlacedParticles {
 public:
  PlacedParticles(const hgrid::CudaExec& exec, const hgrid::Particles<Real, D>& p) : exec_(exec), view_(p) {
    hgrid::Cutoffs& c = view_.cutoffs;
    if (c.types > 0) c.distance = copy(c.distance, std::int64_t{c.types} * c.types);  // of no particles, too
    if (p.count == 0) return;
    for (int k = 0; k < D; ++k) view_.position[k] = copy(p.position[k], (p.count - 1) * p.stride + 1);
    if (p.radius != nullptr) view_.radius = copy(p.radius, (p.count - 1) * p.radius_stride + 1);
    for (int k = 0; k < D && p.has_extents(); ++k) view_.extent[k] = copy(p.extent[k], (p.count - 1) * p.extent_stride + 1);
    if (p.extra != nullptr) view_.extra = copy(p.extra, p.count);
    if (p.group != nullptr) view_.group = copy(p.group, p.count);
    if (p.active != nullptr) view_.active = copy(p.active, p.count);
    if (c.types > 0) c.type = copy(c.type, p.count);
    if (p.worlds.count > 0) view_.worlds.of = copy(p.worlds.of, p.count);
    hgrid::Exclusions& e = view_.exclusions;
    if (e.begin != nullptr) e.begin = copy(e.begin, p.count + 1), e.ids = copy(e.ids, e.size);
    if (e.pairs != nullptr) e.pairs = copy(e.pairs, e.size);
  }
  const hgrid::Particles<Real, D>& view() const { return view_; }

 private:
  template <class T>
  const T* copy(const T* from, std::int64_t n) {
    buffers_.emplace_back(exec_, n * static_cast<std::int64_t>(sizeof(T)));
    void* const to = buffers_.back().data();
    exec_.copy_in(static_cast<T*>(to), from, n);
    return static_cast<const T*>(to);
  }

  hgrid::CudaExec exec_;
  hgrid::Particles<Real, D> view_;
  std::vector<hgrid::detail::CudaBuffer<char>> buffers_;
};

template <class Real, int D>
PlacedParticles<Real, D> placed(const hgrid::CudaExec& exec, const hgrid::Particles<Real, D>& p) {
  return {exec, p};
}

/// Returns n. On an emulated device, which is slow, it is divided by HGRID_SMALLER.
inline hgrid::index_t scaled(hgrid::index_t n) {
  const char* divisor = std::getenv("HGRID_SMALLER");
  return divisor == nullptr ? n : n / std::max(1, std::atoi(divisor));
}

/// Skips a test, with the reason, where there is no device.
#define HGRID_NEEDS_DEVICE()                                    \
  const hgrid::CudaDevices hgrid_found = hgrid::cuda_devices(); \
  if (hgrid_found.devices.empty()) GTEST_SKIP() << "no CUDA device: " << hgrid_found.reason

}  // namespace support
