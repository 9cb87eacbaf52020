// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the lists, for all programs that link the library.
#include "hgrid/lists/neighbours.hpp"
#include "hgrid/lists/packed_lists.hpp"
#include "kernels/cuda_reduce.cuh"

namespace hgrid::inline v0_2 {

using namespace detail;

#define HGRID_EACH(...) template void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;
#define HGRID_LAUNCH(...) template void CudaExec::launch(const char*, std::size_t, const __VA_ARGS__&) const;

#define HGRID_INSTANCES_OF_STRIPS(...)   \
  HGRID_LAUNCH(QueueStrips<__VA_ARGS__>) \
  HGRID_LAUNCH(SearchStrips<__VA_ARGS__, DeviceListSink>)
#define HGRID_INSTANCES_OF_VIEW(...)                                  \
  HGRID_LAUNCH(SearchSlots<__VA_ARGS__, Visit::once, DeviceListSink>) \
  HGRID_INSTANCES_OF_STRIPS(__VA_ARGS__)

#define HGRID_INSTANCES_IN_PLACE(...)                      \
  HGRID_LAUNCH(SearchInPlace<__VA_ARGS__, DeviceListSink>) \
  HGRID_LAUNCH(CountInPlace<__VA_ARGS__>)                  \
  HGRID_LAUNCH(FillInPlace<__VA_ARGS__, ListEntries>)      \
  HGRID_LAUNCH(FillInPlace<__VA_ARGS__, PackedEntries>)
#define HGRID_INSTANCES_OF_DIMENSION(D)                \
  HGRID_INSTANCES_IN_PLACE(GridView<D, OpenGrid>)      \
  HGRID_INSTANCES_IN_PLACE(GridView<D, InPlaceGrid>)   \
  HGRID_INSTANCES_OF_STRIPS(GridView<D, OpenGrid>)     \
  HGRID_INSTANCES_OF_STRIPS(GridView<D, PeriodicGrid>) \
  HGRID_INSTANCES_OF_VIEW(GridView<D, OneWorld>)       \
  HGRID_INSTANCES_OF_VIEW(GridView<D, ManyWorlds>)     \
  HGRID_INSTANCES_OF_VIEW(GridView<D, ExtendedGrid>)   \
  HGRID_INSTANCES_OF_VIEW(GridView<D, ExtendedWorlds>) \
  HGRID_EACH(PrepareSearch<D>)                         \
  template void CudaExec::reduce(const char*, offset_t, const CountWork<D>&, const WorkCount&, WorkCount*) const;

HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)

HGRID_EACH(FinishStrips)
HGRID_EACH(Fill<offset_t>)
HGRID_EACH(CountEntries<CudaExec>)
HGRID_EACH(AdmitPairs)
HGRID_EACH(AdmitLists)
HGRID_EACH(KeepNumber)
HGRID_EACH(KeepLongest)
HGRID_EACH(ScatterEntry<CudaExec, ListEntries>)
HGRID_EACH(ScatterEntry<CudaExec, PackedEntries>)
HGRID_EACH(Fill<Image>)
HGRID_EACH(PeriodsOfIds<2>)
HGRID_EACH(PeriodsOfIds<3>)
HGRID_EACH(WriteSortedPairs<std::int32_t>)
HGRID_EACH(WriteSortedPairs<std::uint32_t>)
HGRID_EACH(WriteSortedPairs<std::int64_t>)
HGRID_EACH(WriteSortedPairs<std::uint64_t>)

HGRID_EACH(WriteMatrix<std::int32_t>)
HGRID_EACH(WriteMatrix<std::uint32_t>)
HGRID_EACH(WriteMatrix<std::int64_t>)
HGRID_EACH(WriteMatrix<std::uint64_t>)
template void CudaExec::reduce(const char*, offset_t, const MeasureList&, const LongestList&, LongestList*) const;

}  // namespace hgrid::inline v0_2
