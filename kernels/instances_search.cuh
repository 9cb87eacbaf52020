// SPDX-License-Identifier: BSD-3-Clause
// Names the kernels of the lists. The library compiles them, and programs that link it only declare them.
#pragma once

#include "hgrid/find/neighbours.hpp"
#include "hgrid/find/packed_lists.hpp"
#include "kernels/cuda_reduce.cuh"

#ifndef HGRID_KERNELS_ARE
#define HGRID_KERNELS_ARE extern template
#endif

namespace hgrid::inline v0_2 {

#define HGRID_EACH(...) HGRID_KERNELS_ARE void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;
#define HGRID_LAUNCH(...) HGRID_KERNELS_ARE void CudaExec::launch(const char*, std::size_t, const __VA_ARGS__&) const;

#define HGRID_INSTANCES_OF_STRIPS(...)           \
  HGRID_LAUNCH(detail::QueueStrips<__VA_ARGS__>) \
  HGRID_LAUNCH(detail::SearchStrips<__VA_ARGS__, detail::DeviceListSink>)
#define HGRID_INSTANCES_OF_VIEW(...)                                                          \
  HGRID_LAUNCH(detail::SearchSlots<__VA_ARGS__, detail::Visit::once, detail::DeviceListSink>) \
  HGRID_INSTANCES_OF_STRIPS(__VA_ARGS__)

#define HGRID_INSTANCES_IN_PLACE(...)                                      \
  HGRID_LAUNCH(detail::SearchInPlace<__VA_ARGS__, detail::DeviceListSink>) \
  HGRID_LAUNCH(detail::CountInPlace<__VA_ARGS__>)                          \
  HGRID_LAUNCH(detail::FillInPlace<__VA_ARGS__, detail::ListEntries>)      \
  HGRID_LAUNCH(detail::FillInPlace<__VA_ARGS__, detail::PackedEntries>)
#define HGRID_INSTANCES_OF_DIMENSION(D)                                                                                     \
  HGRID_INSTANCES_IN_PLACE(GridView<D, detail::OpenGrid>)                                                                   \
  HGRID_INSTANCES_IN_PLACE(GridView<D, detail::InPlaceGrid>)                                                                \
  HGRID_INSTANCES_OF_STRIPS(GridView<D, detail::OpenGrid>)                                                                  \
  HGRID_INSTANCES_OF_STRIPS(GridView<D, detail::PeriodicGrid>)                                                              \
  HGRID_INSTANCES_OF_VIEW(GridView<D, detail::OneWorld>)                                                                    \
  HGRID_INSTANCES_OF_VIEW(GridView<D, detail::ManyWorlds>)                                                                  \
  HGRID_INSTANCES_OF_VIEW(GridView<D, detail::ExtendedGrid>)                                                                \
  HGRID_INSTANCES_OF_VIEW(GridView<D, detail::ExtendedWorlds>)                                                              \
  HGRID_EACH(detail::PrepareSearch<D>)                                                                                      \
  HGRID_KERNELS_ARE void CudaExec::reduce(const char*, offset_t, const detail::CountWork<D>&, const WorkCount&, WorkCount*) \
      const;

HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)

HGRID_EACH(detail::FinishStrips)
HGRID_EACH(detail::Fill<offset_t>)
HGRID_EACH(detail::CountEntries<CudaExec>)
HGRID_EACH(detail::AdmitPairs)
HGRID_EACH(detail::AdmitLists)
HGRID_EACH(detail::KeepNumber)
HGRID_EACH(detail::KeepLongest)
HGRID_EACH(detail::ScatterEntry<CudaExec, detail::ListEntries>)
HGRID_EACH(detail::ScatterEntry<CudaExec, detail::PackedEntries>)
HGRID_EACH(detail::Fill<Image>)
HGRID_EACH(detail::PeriodsOfIds<2>)
HGRID_EACH(detail::PeriodsOfIds<3>)
HGRID_EACH(detail::WriteSortedPairs<std::int32_t>)
HGRID_EACH(detail::WriteSortedPairs<std::uint32_t>)
HGRID_EACH(detail::WriteSortedPairs<std::int64_t>)
HGRID_EACH(detail::WriteSortedPairs<std::uint64_t>)

HGRID_EACH(detail::WriteMatrix<std::int32_t>)
HGRID_EACH(detail::WriteMatrix<std::uint32_t>)
HGRID_EACH(detail::WriteMatrix<std::int64_t>)
HGRID_EACH(detail::WriteMatrix<std::uint64_t>)
HGRID_KERNELS_ARE void CudaExec::reduce(const char*, offset_t, const detail::MeasureList&, const detail::LongestList&,
                                        detail::LongestList*) const;

}  // namespace hgrid::inline v0_2

#undef HGRID_EACH
#undef HGRID_INSTANCES_IN_PLACE
#undef HGRID_INSTANCES_OF_DIMENSION
#undef HGRID_INSTANCES_OF_STRIPS
#undef HGRID_INSTANCES_OF_VIEW
#undef HGRID_LAUNCH
