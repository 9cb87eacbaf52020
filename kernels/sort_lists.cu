// SPDX-License-Identifier: BSD-3-Clause
// Compiles the sort of lists.
#include "hgrid/device/sort_lists.hpp"
#include "kernels/cuda_launch.cuh"

namespace hgrid::inline v0_2 {

using namespace detail;

void CudaExec::reserve_lists(offset_t lists, offset_t count) const { scratch(LongLists::bytes(LongLists::most(lists, count))); }

template <class Offset, class Entries>
void CudaExec::sort_lists(offset_t lists, const Offset* offsets, const Entries& entries, offset_t count) const {
  const CurrentDevice current(device_);
  void* const memory = scratch(LongLists::bytes(LongLists::most(lists, count)));
  check_cuda(cudaMemsetAsync(memory, 0, LongLists::bytes(0), stream()), "hgrid::sort_lists");
  sort_lists_on_device(*this, lists, offsets, entries, count, LongLists::in(memory));
}
template void CudaExec::sort_lists(offset_t, const offset_t*, const ListEntries&, offset_t) const;
template void CudaExec::sort_lists(offset_t, const offset_t*, const PackedEntries&, offset_t) const;

}  // namespace hgrid::inline v0_2
