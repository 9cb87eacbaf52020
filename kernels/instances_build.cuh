// SPDX-License-Identifier: BSD-3-Clause
// Names the kernels of a build. The library compiles them, and programs that link it only declare them.
#pragma once

#include "hgrid/cells/cutoff_stages.hpp"
#include "hgrid/cells/strays.hpp"
#include "hgrid/cells/world_stages.hpp"
#include "hgrid/inputs/exclusion_stages.hpp"
#include "hgrid/inputs/extents.hpp"
#include "hgrid/inputs/sample.hpp"
#include "kernels/cuda_reduce.cuh"

#ifndef HGRID_KERNELS_ARE
#define HGRID_KERNELS_ARE extern template
#endif

namespace hgrid::inline v0_2 {

#define HGRID_EACH(...) HGRID_KERNELS_ARE void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;

#define HGRID_INSTANCES_OF_BOXES(Real, D, ...)                                                                            \
  HGRID_KERNELS_ARE void CudaExec::reduce(const char*, offset_t, const detail::InspectParticle<Real, D, __VA_ARGS__<D>>&, \
                                          const detail::InputSummary<D>&, detail::InputSummary<D>*) const;                \
  HGRID_KERNELS_ARE void CudaExec::reduce(const char*, offset_t, const detail::InspectExtents<Real, D, __VA_ARGS__<D>>&,  \
                                          const detail::InputSummary<D>&, detail::InputSummary<D>*) const;                \
  HGRID_EACH(detail::SampleParticle<Real, D, __VA_ARGS__<D>>)

#define HGRID_INSTANCES_OF_KIND(Real, D, ...)                                \
  HGRID_EACH(detail::MakeKey<CudaExec, Real, D, std::uint32_t, __VA_ARGS__>) \
  HGRID_EACH(detail::MakeKey<CudaExec, Real, D, std::uint64_t, __VA_ARGS__>) \
  HGRID_EACH(detail::GatherSlot<Real, D, std::uint32_t, __VA_ARGS__>)        \
  HGRID_EACH(detail::GatherSlot<Real, D, std::uint64_t, __VA_ARGS__>)        \
  HGRID_EACH(detail::DrawNumber<CudaExec, Real, D, __VA_ARGS__>)             \
  HGRID_KERNELS_ARE void CudaExec::launch(const char*, std::size_t, const detail::SortBuckets<Real, D, __VA_ARGS__>&) const;

#define HGRID_INSTANCES_OF_INPUT(Real, D)                                                                  \
  HGRID_KERNELS_ARE void CudaExec::reduce(const char*, offset_t, const detail::InspectCutoffs<Real, D>&,   \
                                          const detail::InputSummary<D>&, detail::InputSummary<D>*) const; \
  HGRID_EACH(detail::MoveToBucket<Real, D>)                                                                \
  HGRID_EACH(detail::CountExtents<CudaExec, Real, D>)                                                      \
  HGRID_EACH(detail::WriteLevelRadius<Real, D>)                                                            \
  HGRID_EACH(detail::GatherExtents<CudaExec, Real, D>)                                                     \
  HGRID_EACH(detail::CountRadius<CudaExec, Real, D>)                                                       \
  HGRID_EACH(detail::MeasureWorlds<CudaExec, Real, D>)                                                     \
  HGRID_INSTANCES_OF_BOXES(Real, D, detail::OneBox)                                                        \
  HGRID_INSTANCES_OF_BOXES(Real, D, detail::OpenBox)                                                       \
  HGRID_INSTANCES_OF_BOXES(Real, D, detail::BoxesOfWorlds)                                                 \
  HGRID_INSTANCES_OF_KIND(Real, D, GridView<D, detail::OneWorld>)                                          \
  HGRID_INSTANCES_OF_KIND(Real, D, GridView<D, detail::ManyWorlds>)

#define HGRID_INSTANCES_OF_KEY(D, Key)       \
  HGRID_EACH(detail::FillDenseRows<D, Key>)  \
  HGRID_EACH(detail::FillDenseCells<D, Key>) \
  HGRID_EACH(detail::MarkSegments<D, Key>)   \
  HGRID_EACH(detail::FillSegments<D, Key>)

#define HGRID_COUNT_STRAYS(D, ...)                                                                           \
  HGRID_KERNELS_ARE void CudaExec::reduce(const char*, offset_t, const detail::CountStrays<D, __VA_ARGS__>&, \
                                          const detail::StrayCount&, detail::StrayCount*) const;

#define HGRID_INSTANCES_OF_DIMENSION(D)                                                                    \
  HGRID_COUNT_STRAYS(D, GridView<D, detail::OneWorld>)                                                     \
  HGRID_COUNT_STRAYS(D, GridView<D, detail::ManyWorlds>)                                                   \
  HGRID_KERNELS_ARE void CudaExec::reduce(const char*, offset_t, const detail::InspectExclusions<D>&,      \
                                          const detail::InputSummary<D>&, detail::InputSummary<D>*) const; \
  HGRID_EACH(detail::Fill<Vec<double, D>>)                                                                 \
  HGRID_EACH(detail::AcceptInput<D>)                                                                       \
  HGRID_EACH(detail::FindWorlds<D>)                                                                        \
  HGRID_EACH(detail::Fill<detail::WorldExtent<D>>)                                                         \
  HGRID_INSTANCES_OF_INPUT(float, D)                                                                       \
  HGRID_INSTANCES_OF_INPUT(double, D)                                                                      \
  HGRID_INSTANCES_OF_KEY(D, std::uint32_t)                                                                 \
  HGRID_INSTANCES_OF_KEY(D, std::uint64_t)

HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)
HGRID_EACH(detail::ClearBuckets)
HGRID_EACH(detail::BeginExclusions)
HGRID_EACH(detail::CopyExclusion)
HGRID_EACH(detail::KeepEntry<index_t>)
HGRID_EACH(detail::KeepEntry<double>)
HGRID_EACH(detail::Fill<index_t>)
HGRID_EACH(detail::Fill<offset_t>)

}  // namespace hgrid::inline v0_2

#undef HGRID_COUNT_STRAYS
#undef HGRID_EACH
#undef HGRID_INSTANCES_OF_BOXES
#undef HGRID_INSTANCES_OF_DIMENSION
#undef HGRID_INSTANCES_OF_INPUT
#undef HGRID_INSTANCES_OF_KEY
#undef HGRID_INSTANCES_OF_KIND
