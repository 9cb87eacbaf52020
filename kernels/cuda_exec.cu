// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/device/cuda_exec.hpp"

#include <algorithm>
#include <string>

#include "hgrid/device/devices.hpp"
#include "kernels/kept.hpp"

namespace hgrid::inline v0_2 {

using namespace detail;

namespace {

class DevicePool final : public CudaMemory {
 public:
  void* allocate(std::size_t bytes, cudaStream_t stream) override {
    void* p = nullptr;
    if (has_pools()) {
      check_cuda(cudaMallocAsync(&p, bytes, stream), "cudaMallocAsync", bytes);
    } else {
      check_cuda(cudaMalloc(&p, bytes), "cudaMalloc", bytes);
    }
    return p;
  }
  void deallocate(void* p, std::size_t, cudaStream_t stream) noexcept override {
    has_pools() ? cudaFreeAsync(p, stream) : cudaFree(p);
  }

 private:
  static bool has_pools() {
    int device = 0, supported = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device);
    return supported != 0;
  }
};

// Returns false if the stream can no longer be queried, as at the end of the program.
bool is_captured(const OwnedMemory& owned) {
  const CurrentDevice current(owned.device);
  bool captured = false;
  ask_for_capture(owned.stream, captured);
  return captured;
}

void give_back_now(const OwnedMemory& owned) {
  const CurrentDevice current(owned.device);
  if (owned.memory == nullptr) {
    cudaFreeHost(owned.data);
  } else {
    owned.memory->deallocate(owned.data, owned.bytes, owned.stream);
  }
}

Kept<OwnedMemory>& kept_memory() {
  static auto* const kept = new Kept<OwnedMemory>;  // never destroyed, like default_cuda_memory
  return *kept;
}

}  // namespace

void detail::give_back_what_was_kept() noexcept {
  kept_memory().give_back_those([](const OwnedMemory& owned) { return !is_captured(owned); }, give_back_now);
}

void detail::give_back(const OwnedMemory& owned) noexcept {
  if (is_captured(owned)) return kept_memory().keep(owned);  // so is other memory: this capture may forbid to free it
  give_back_what_was_kept();
  give_back_now(owned);
}

CudaMemory& default_cuda_memory() {
  static DevicePool* const pool = new DevicePool;  // never destroyed: grids may be static objects
  return *pool;
}

CudaExec::CudaExec(cudaStream_t stream, CudaMemory* memory, ListMode mode)
    : stream_(stream), memory_(memory != nullptr ? memory : &default_cuda_memory()), list_mode_(mode) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    throw Error(ErrorCode::device, "no CUDA device: " + cuda_devices().reason);
  }
  check_cuda(cudaGetDevice(&device_), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_), "cudaDeviceGetAttribute");
  scratch_ = std::make_shared<Scratch>();
}

std::size_t CudaExec::memory_limit() const {
  const CurrentDevice current(device_);
  std::size_t free = 0, total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return total;
}

bool CudaExec::can_reach(const void* p) const {
  const CurrentDevice current(device_);
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, p), "cudaPointerGetAttributes");
  if (attributes.type != cudaMemoryTypeUnregistered) return true;
  int reaches_all = 0;
  check_cuda(cudaDeviceGetAttribute(&reaches_all, cudaDevAttrPageableMemoryAccess, device_), "cudaDeviceGetAttribute");
  return reaches_all != 0;
}

void CudaExec::wait() const {
  require_may_wait();
  const CurrentDevice current(device_);  // the default stream belongs to the current device
  check_cuda(cudaStreamSynchronize(stream()), "cudaStreamSynchronize");
  give_back_what_was_kept();
}

void CudaExec::copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) const {
  if (bytes == 0) return;
  require_may_wait();
  const CurrentDevice current(device_);
  check_cuda(cudaMemcpyAsync(to, from, bytes, kind, stream()), "cudaMemcpyAsync");
  wait();
}

void* CudaExec::scratch(std::size_t bytes) const {
  CudaBuffer<char>& now = scratch_->now;
  const auto needed = static_cast<offset_t>(bytes);
  if (needed > now.size()) {
    CudaBuffer<char> larger(*this, std::max(needed + needed / 8, 2 * now.size()));
    std::swap(now, larger);
    keep(larger);  // the old buffer, which is smaller
  }
  return now.data();
}

unsigned* CudaExec::arrived() const {
  CudaBuffer<unsigned>& counter = scratch_->arrived;
  if (counter.size() == 0) {
    CudaBuffer<unsigned> fresh(*this, 1);
    check_cuda(cudaMemsetAsync(fresh.data(), 0, sizeof(unsigned), stream()), "cudaMemsetAsync");
    counter = std::move(fresh);
  }
  return counter.data();
}

}  // namespace hgrid::inline v0_2
