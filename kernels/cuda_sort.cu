// SPDX-License-Identifier: BSD-3-Clause
// CUB's radix sort of (key, id), only the bits that matter, and its scan.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "hgrid/kernels/cuda_launch.cuh"

namespace hgrid {

template <class Key>
void CudaExec::sort_pairs(std::array<Key*, 2> key, std::array<index_t*, 2> id, int& current, offset_t n,
                          int key_bits) const {
  if (n == 0) return;
  const detail::ProfilerRange range("hgrid::sort_keys");
  cub::DoubleBuffer<Key> keys(key[current], key[1 - current]);
  cub::DoubleBuffer<index_t> ids(id[current], id[1 - current]);
  const auto sort = [&](void* temporary, std::size_t& bytes) {
    check_cuda(cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, ids, n, 0, key_bits, stream_), "cub::SortPairs");
  };
  std::size_t bytes = 0;
  sort(nullptr, bytes);
  sort(scratch(bytes), bytes);
  if (keys.selector != ids.selector) throw Error(ErrorCode::device, "CUB left keys and ids in different buffers");
  if (keys.selector == 1) current = 1 - current;
}

template <class T>
void CudaExec::exclusive_scan(const char* label, T* data, offset_t n) const {
  const detail::ProfilerRange range(label);
  std::size_t bytes = 0;
  const auto scan = [&](void* temporary) {
    check_cuda(cub::DeviceScan::ExclusiveSum(temporary, bytes, data, data, n + 1, stream_), label);
  };
  scan(nullptr);
  check_cuda(cudaMemsetAsync(data + n, 0, sizeof(T), stream_), label);  // CUB reads it; it may never have been written
  scan(scratch(bytes));
}

template void CudaExec::sort_pairs(std::array<std::uint32_t*, 2>, std::array<index_t*, 2>, int&, offset_t, int) const;
template void CudaExec::sort_pairs(std::array<std::uint64_t*, 2>, std::array<index_t*, 2>, int&, offset_t, int) const;
template void CudaExec::exclusive_scan(const char*, index_t*, offset_t) const;
template void CudaExec::exclusive_scan(const char*, offset_t*, offset_t) const;

}  // namespace hgrid
