// SPDX-License-Identifier: BSD-3-Clause
// Device memory: its source, and the buffers that hold it.
#pragma once

#include <utility>

#include "hgrid/core/types.hpp"
#include "hgrid/device/cuda_error.hpp"

namespace hgrid::inline v0_2 {

/// A source of device memory, ordered on a stream. Users with a pool of their own derive from it; it must outlive everything
/// made with it. Both functions are called with the executor's device current. If the owner of memory dies while its stream is
/// captured, the memory is given back after the capture: by `CudaExec::wait`, or when the next grid, list or buffer on any
/// device is made or dies, in any thread. Until then the stream and the pool must live.
class CudaMemory {
 public:
  virtual ~CudaMemory() = default;
  /// Returns at least `bytes` > 0, aligned to 256. Throws `out_of_memory`.
  virtual void* allocate(std::size_t bytes, cudaStream_t stream) = 0;
  virtual void deallocate(void* p, std::size_t bytes, cudaStream_t stream) noexcept = 0;
};

namespace detail {

/// Sets `captured` if a capture forbids to free or wait on the stream. Either this stream is captured, or it is the default
/// stream and another stream that waits for it is captured.
inline cudaError_t ask_for_capture(cudaStream_t stream, bool& captured) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t answer = cudaStreamIsCapturing(stream, &status);
  captured = answer == cudaErrorStreamCaptureImplicit || status != cudaStreamCaptureStatusNone;
  if (answer != cudaErrorStreamCaptureImplicit) return answer;
  cudaGetLastError();
  return cudaSuccess;
}

/// Throws `reentrancy` if the stream is being captured, and leaves the capture intact. The message begins with `what`.
inline void require_no_capture(cudaStream_t stream, const char* what) {
  bool captured = false;
  check_cuda(ask_for_capture(stream, captured), "cudaStreamIsCapturing");
  if (!captured) return;
  throw Error(ErrorCode::reentrancy, what + std::string(" while a graph is captured; run the same once before"));
}

}  // namespace detail

/// Returns the device's own pool: cudaMallocAsync. A device without pools gets cudaMalloc, which waits.
CudaMemory& default_cuda_memory();

namespace detail {

/// Memory whose owner has died.
struct OwnedMemory {
  void* data;
  std::size_t bytes;
  CudaMemory* memory;  ///< null: pinned memory
  cudaStream_t stream;
  int device;
};
/// Gives memory back, and with it all memory kept during captures that have ended. While its stream is captured it is kept,
/// because freeing would invalidate the capture.
void give_back(const OwnedMemory& owned) noexcept;
void give_back_what_was_kept() noexcept;

/// Uninitialised, move-only device memory. It is allocated and freed in the order of the executor's stream, which must outlive
/// it.
template <class T>
class CudaBuffer {
 public:
  CudaBuffer() = default;
  /// Allocates room for n elements. Throws `out_of_memory`. Throws `reentrancy` while the stream is being captured, because
  /// such memory would belong to the graph.
  template <class Exec>
  CudaBuffer(const Exec& exec, offset_t n) : size_(n), memory_(&exec.memory()), stream_(exec.stream()), device_(exec.device()) {
    if (n == 0) return;
    require_no_capture(stream_, "something must grow");
    give_back_what_was_kept();
    const CurrentDevice current(device_);
    data_ = static_cast<T*>(memory_->allocate(bytes(), stream_));
  }
  CudaBuffer(CudaBuffer&& o) noexcept { swap(o); }
  CudaBuffer& operator=(CudaBuffer&& o) noexcept {  // leaves `o` empty: a moved-from grid is not built
    CudaBuffer taken(std::move(o));
    swap(taken);
    return *this;
  }
  ~CudaBuffer() {
    if (data_ != nullptr) give_back({data_, bytes(), memory_, stream_, device_});
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  offset_t size() const { return size_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }

 private:
  void swap(CudaBuffer& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(memory_, o.memory_);
    std::swap(stream_, o.stream_);
    std::swap(device_, o.device_);
  }

  T* data_ = nullptr;
  offset_t size_ = 0;
  CudaMemory* memory_ = nullptr;
  cudaStream_t stream_ = nullptr;
  int device_ = 0;
};

/// Pinned host memory, which a device copies by itself. Uninitialised and move-only.
template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  /// Allocates room for n elements. Throws `out_of_memory`.
  template <class Exec>
  PinnedBuffer(const Exec& exec, offset_t n) : size_(n), stream_(exec.stream()), device_(exec.device()) {
    if (n == 0) return;
    const CurrentDevice current(device_);
    void* p = nullptr;
    check_cuda(cudaHostAlloc(&p, bytes(), cudaHostAllocDefault), "cudaHostAlloc", bytes());
    data_ = static_cast<T*>(p);
  }
  PinnedBuffer(PinnedBuffer&& o) noexcept { swap(o); }
  PinnedBuffer& operator=(PinnedBuffer&& o) noexcept {
    PinnedBuffer taken(std::move(o));
    swap(taken);
    return *this;
  }
  ~PinnedBuffer() {
    if (data_ != nullptr) give_back({data_, bytes(), nullptr, stream_, device_});
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  offset_t size() const { return size_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }

 private:
  void swap(PinnedBuffer& o) noexcept {
    std::swap(data_, o.data_), std::swap(size_, o.size_);
    std::swap(stream_, o.stream_), std::swap(device_, o.device_);
  }

  T* data_ = nullptr;
  offset_t size_ = 0;
  cudaStream_t stream_ = nullptr;  // the stream of copies from or to it
  int device_ = 0;
};

}  // namespace detail

}  // namespace hgrid::inline v0_2
