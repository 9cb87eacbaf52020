// SPDX-License-Identifier: BSD-3-Clause
// CUB's radix sort of (key, id), over the bits that matter, and CUB's scan.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "kernels/cuda_launch.cuh"

namespace hgrid::inline v0_2 {

using namespace detail;

namespace {

// Clears CUDA's record of the last error. CUB would take an older error there for its own. That error belongs to the caller,
// but CUDA offers no way to put it back.
void forget_older_errors() { cudaGetLastError(); }

// Each of CUB's functions is called twice: without memory it returns the bytes that it needs.

template <class Key>
void sort_with(void* temporary, std::size_t& bytes, cub::DoubleBuffer<Key>& keys, cub::DoubleBuffer<index_t>& ids, offset_t n,
               int key_bits, cudaStream_t stream) {
  forget_older_errors();
  check_cuda(cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, ids, static_cast<index_t>(n), 0, key_bits, stream),
             "cub::SortPairs");
}

template <class T>
void scan_with(void* temporary, std::size_t& bytes, T* data, offset_t n, cudaStream_t stream, const char* label) {
  forget_older_errors();
  check_cuda(cub::DeviceScan::ExclusiveSum(temporary, bytes, data, data, n + 1, stream), label);
}

}  // namespace

template <class Key>
void CudaExec::sort_pairs(std::array<Key*, 2> key, std::array<index_t*, 2> id, int& current, offset_t n, int key_bits) const {
  if (n == 0) return;
  const detail::Enqueuing enqueuing(*this, "hgrid::sort_keys");
  cub::DoubleBuffer<Key> keys(key[current], key[1 - current]);
  cub::DoubleBuffer<index_t> ids(id[current], id[1 - current]);
  std::size_t bytes = 0;
  sort_with(nullptr, bytes, keys, ids, n, key_bits, stream());
  sort_with(scratch(bytes), bytes, keys, ids, n, key_bits, stream());
  if (keys.selector != ids.selector) throw Error(ErrorCode::device, "CUB left keys and ids in different buffers");
  if (keys.selector == 1) current = 1 - current;
}

template <class Key>
void CudaExec::reserve_sort(offset_t n, int key_bits) const {
  cub::DoubleBuffer<Key> keys(nullptr, nullptr);
  cub::DoubleBuffer<index_t> ids(nullptr, nullptr);
  const CurrentDevice current(device_);
  std::size_t bytes = 0;
  if (n > 0) sort_with(nullptr, bytes, keys, ids, n, key_bits, stream());
  scratch(bytes);
}

template <class T>
void CudaExec::exclusive_scan(const char* label, T* data, offset_t n) const {
  const detail::Enqueuing enqueuing(*this, label);
  std::size_t bytes = 0;
  scan_with(nullptr, bytes, data, n, stream(), label);
  check_cuda(cudaMemsetAsync(data + n, 0, sizeof(T), stream()), label);  // CUB reads it; it may never have been written
  scan_with(scratch(bytes), bytes, data, n, stream(), label);
}

template <class T>
void CudaExec::reserve_scan(offset_t n) const {
  const CurrentDevice current(device_);
  std::size_t bytes = 0;
  scan_with(nullptr, bytes, static_cast<T*>(nullptr), n, stream(), "cub::ExclusiveSum");
  scratch(bytes);
}

template void CudaExec::sort_pairs(std::array<std::uint32_t*, 2>, std::array<index_t*, 2>, int&, offset_t, int) const;
template void CudaExec::sort_pairs(std::array<std::uint64_t*, 2>, std::array<index_t*, 2>, int&, offset_t, int) const;
template void CudaExec::reserve_sort<std::uint32_t>(offset_t, int) const;
template void CudaExec::reserve_sort<std::uint64_t>(offset_t, int) const;
template void CudaExec::reserve_scan<index_t>(offset_t) const;
template void CudaExec::reserve_scan<offset_t>(offset_t) const;
template void CudaExec::exclusive_scan(const char*, index_t*, offset_t) const;
template void CudaExec::exclusive_scan(const char*, offset_t*, offset_t) const;

}  // namespace hgrid::inline v0_2
