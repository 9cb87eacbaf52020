// SPDX-License-Identifier: BSD-3-Clause
// CUDA's calls for memory.
#include <cstring>

#include "memory.hpp"
#include "settings.hpp"
#include "stream.hpp"
#include "warp_counts.hpp"

using namespace emulator;

namespace {

cudaError_t given(void** p, std::size_t bytes, Place place) {
  *p = bytes == 0 ? nullptr : allocate(bytes, place);
  return *p != nullptr || bytes == 0 ? cudaSuccess : failed(cudaErrorMemoryAllocation);
}

cudaError_t released_after_all(void* p) {
  if (p == nullptr) return cudaSuccess;
  if (const cudaError_t error = wait_for_all()) return error;
  return release(p) ? cudaSuccess : failed(cudaErrorInvalidValue);
}

bool fits(cudaMemcpyKind kind, Place to, Place from) {
  const bool to_device = to == Place::device, from_device = from == Place::device;
  switch (kind) {
    case cudaMemcpyHostToHost:
      return !to_device && !from_device;
    case cudaMemcpyHostToDevice:
      return to != Place::host && !from_device;
    case cudaMemcpyDeviceToHost:
      return !to_device && from != Place::host;
    case cudaMemcpyDeviceToDevice:
      return to != Place::host && from != Place::host;
    default:
      return true;
  }
}

}  // namespace

cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  if (const cudaError_t error = refuse_any_capture()) return error;
  return given(p, bytes, Place::device);
}
cudaError_t cudaFree(void* p) { return released_after_all(p); }

cudaError_t cudaMallocHost(void** p, std::size_t bytes) { return given(p, bytes, Place::pinned); }
cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) { return cudaMallocHost(p, bytes); }
cudaError_t cudaFreeHost(void* p) { return released_after_all(p); }

cudaError_t cudaMallocAsync(void** p, std::size_t bytes, cudaStream_t stream) {
  if (!settings().pools) return failed(cudaErrorNotSupported);
  if (const cudaError_t error = refuse_capture(stream)) return error;
  return given(p, bytes, Place::device);
}

cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
  if (!settings().pools) return failed(cudaErrorNotSupported);
  if (p == nullptr) return cudaSuccess;
  if (const cudaError_t error = refuse_capture(stream)) return error;
  return enqueue(stream, [p] {
    if (!release(p)) stop("memory is freed that was not allocated");
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  if (!fits(kind, place_of(to), place_of(from))) return failed(cudaErrorInvalidValue);
  require_inside(to, bytes, "copy to");
  require_inside(from, bytes, "copy from");
  const bool is_pageable = place_of(from) == Place::host && !stream_of(stream).capturing;
  if (is_pageable) {  // taken at once; the caller may write over it
    const auto* first = static_cast<const char*>(from);
    return enqueue(stream, [=, taken = std::vector<char>(first, first + bytes)] { copy_bytes(to, taken.data(), bytes); });
  }
  if (settings().fault == "copy") copy_bytes(to, from, bytes);  // too early
  return settings().fault == "copy" ? cudaSuccess : enqueue(stream, [=] { copy_bytes(to, from, bytes); });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (const cudaError_t error = refuse_any_capture()) return error;
  const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  return error != cudaSuccess ? error : wait_for(nullptr);
}

cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  if (place_of(p) != Place::device && place_of(p) != Place::pinned) return failed(cudaErrorInvalidValue);
  require_inside(p, bytes, "fill");
  return enqueue(stream, [=] {
    require_inside(p, bytes, "fill");
    count_node("memset", bytes);
    std::memset(writable(p), value, bytes);
    mark_written(p, bytes);
  });
}
cudaError_t cudaMemset(void* p, int value, std::size_t bytes) { return cudaMemsetAsync(p, value, bytes, nullptr); }

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
  const Place place = place_of(p);
  *attributes = {};
  attributes->type = place == Place::device   ? cudaMemoryTypeDevice
                     : place == Place::pinned ? cudaMemoryTypeHost
                                              : cudaMemoryTypeUnregistered;
  attributes->device = device_of(p);
  attributes->devicePointer = attributes->hostPointer = place == Place::host ? nullptr : const_cast<void*>(p);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = device_memory;
  *free = device_memory - memory_in_use();
  return cudaSuccess;
}
