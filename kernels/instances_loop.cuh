// SPDX-License-Identifier: BSD-3-Clause
// Names the kernels of the time loop. The library compiles them, and programs that link it only declare them.
// Values of the user's own types have kernels in the user's files.
#pragma once

#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"
#include "kernels/cuda_decide.cuh"
#include "kernels/cuda_reduce.cuh"

#ifndef HGRID_KERNELS_ARE
#define HGRID_KERNELS_ARE extern template
#endif

namespace hgrid::inline v0_2 {

#define HGRID_EACH(...) HGRID_KERNELS_ARE void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;
#define HGRID_REDUCE(Value, ...) \
  HGRID_KERNELS_ARE void CudaExec::reduce(const char*, offset_t, const __VA_ARGS__&, const Value&, Value*) const;

#define HGRID_INSTANCES_OF_ASKING(Touches, ...)        \
  HGRID_EACH(detail::CountAsked<__VA_ARGS__, Touches>) \
  HGRID_EACH(detail::WriteAsked<__VA_ARGS__, Touches>)

#define HGRID_INSTANCES_OF_KIND(D, Kind)                                                   \
  HGRID_EACH(detail::RememberParticle<float, D, GridView<D, Kind>>)                        \
  HGRID_EACH(detail::RememberParticle<double, D, GridView<D, Kind>>)                       \
  HGRID_REDUCE(detail::RegionCheck, detail::InspectRegion<D, GridView<D, Kind>>)           \
  HGRID_INSTANCES_OF_ASKING(detail::AllTouch, detail::AskingRegions<D, GridView<D, Kind>>) \
  HGRID_INSTANCES_OF_ASKING(detail::AllTouch, detail::AskingSlots<D, Kind>)

#define HGRID_INSTANCES_OF_DIMENSION(D)                                                     \
  HGRID_REDUCE(Validity, detail::MeasureValidity<float, D>)                                 \
  HGRID_REDUCE(Validity, detail::MeasureValidity<double, D>)                                \
  HGRID_REDUCE(Validity, detail::MeasureGuarded<float, D>)                                  \
  HGRID_REDUCE(Validity, detail::MeasureGuarded<double, D>)                                 \
  HGRID_EACH(detail::CompareBoxes<D>)                                                       \
  HGRID_EACH(detail::CountPeriods<float, D>)                                                \
  HGRID_EACH(detail::CountPeriods<double, D>)                                               \
  HGRID_INSTANCES_OF_KIND(D, detail::OneWorld)                                              \
  HGRID_INSTANCES_OF_KIND(D, detail::ManyWorlds)                                            \
  HGRID_INSTANCES_OF_ASKING(detail::AllTouch, detail::AskingSlots<D, detail::ExtendedGrid>) \
  HGRID_INSTANCES_OF_ASKING(detail::AllTouch, detail::AskingSlots<D, detail::ExtendedWorlds>)

#define HGRID_INSTANCES_OF_MESHES(Kind)                                                              \
  HGRID_INSTANCES_OF_ASKING(detail::TouchesMesh<float>, detail::AskingRegions<3, GridView<3, Kind>>) \
  HGRID_INSTANCES_OF_ASKING(detail::TouchesMesh<double>, detail::AskingRegions<3, GridView<3, Kind>>)

HGRID_INSTANCES_OF_MESHES(detail::OneWorld)
HGRID_INSTANCES_OF_MESHES(detail::ManyWorlds)
HGRID_EACH(detail::BoxTriangle)
HGRID_EACH(detail::NoneContinued)
HGRID_EACH(detail::MarkContinued)
HGRID_EACH(detail::SeekAround)
HGRID_EACH(detail::TakeEnded)
HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)
HGRID_EACH(detail::SeekInLists<ListView>)
HGRID_EACH(detail::SeekInLists<PackedView>)
HGRID_EACH(detail::MergeLists<ListView>)
HGRID_EACH(detail::MergeLists<PackedView>)
HGRID_EACH(detail::RestartPeriods)
HGRID_EACH(detail::MarkSlots)
HGRID_EACH(detail::NumberParticles)
HGRID_REDUCE(detail::FarSteps, detail::CountFarSteps)

// Kernels of graphs.
HGRID_EACH(detail::FinishStep<2>)
HGRID_EACH(detail::FinishStep<3>)
HGRID_EACH(detail::KeepFound)
HGRID_EACH(detail::PackEntry)
HGRID_REDUCE(detail::RegionCheck, detail::InspectImage)
HGRID_EACH(detail::EmptyLists)
HGRID_EACH(detail::CopyAll<offset_t>)
HGRID_EACH(detail::CopyAll<Image>)
HGRID_EACH(detail::CopyFirst<index_t>)
HGRID_EACH(detail::CopyFirst<PackedNeighbour>)
HGRID_EACH(detail::CopyFirst<Image>)
HGRID_KERNELS_ARE void CudaExec::enqueue_if(const char*, const detail::JudgeStep&, const detail::CudaRecording&) const;

}  // namespace hgrid::inline v0_2

#undef HGRID_EACH
#undef HGRID_INSTANCES_OF_ASKING
#undef HGRID_INSTANCES_OF_DIMENSION
#undef HGRID_INSTANCES_OF_KIND
#undef HGRID_INSTANCES_OF_MESHES
#undef HGRID_REDUCE
