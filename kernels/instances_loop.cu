// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the time loop, for all programs that link the library. What carries values of the user's own types is
// compiled in the user's files.
#include "hgrid/loop/time_loop.hpp"
#include "kernels/cuda_decide.cuh"
#include "kernels/cuda_reduce.cuh"

namespace hgrid::inline v0_2 {

using namespace detail;

#define HGRID_EACH(...) template void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;
#define HGRID_REDUCE(Value, ...) \
  template void CudaExec::reduce(const char*, offset_t, const __VA_ARGS__&, const Value&, Value*) const;

#define HGRID_INSTANCES_OF_ASKING(Touches, ...) \
  HGRID_EACH(CountAsked<__VA_ARGS__, Touches>)  \
  HGRID_EACH(WriteAsked<__VA_ARGS__, Touches>)

#define HGRID_INSTANCES_OF_KIND(D, Kind)                                   \
  HGRID_EACH(RememberParticle<float, D, GridView<D, Kind>>)                \
  HGRID_EACH(RememberParticle<double, D, GridView<D, Kind>>)               \
  HGRID_REDUCE(RegionCheck, InspectRegion<D, GridView<D, Kind>>)           \
  HGRID_INSTANCES_OF_ASKING(AllTouch, AskingRegions<D, GridView<D, Kind>>) \
  HGRID_INSTANCES_OF_ASKING(AllTouch, AskingSlots<D, Kind>)

#define HGRID_INSTANCES_OF_DIMENSION(D)                             \
  HGRID_REDUCE(Validity, MeasureValidity<float, D>)                 \
  HGRID_REDUCE(Validity, MeasureValidity<double, D>)                \
  HGRID_REDUCE(Validity, MeasureGuarded<float, D>)                  \
  HGRID_REDUCE(Validity, MeasureGuarded<double, D>)                 \
  HGRID_EACH(CompareBoxes<D>)                                       \
  HGRID_INSTANCES_OF_KIND(D, OneWorld)                              \
  HGRID_INSTANCES_OF_KIND(D, ManyWorlds)                            \
  HGRID_INSTANCES_OF_ASKING(AllTouch, AskingSlots<D, ExtendedGrid>) \
  HGRID_INSTANCES_OF_ASKING(AllTouch, AskingSlots<D, ExtendedWorlds>)

#define HGRID_INSTANCES_OF_MESHES(Kind)                                              \
  HGRID_INSTANCES_OF_ASKING(TouchesMesh<float>, AskingRegions<3, GridView<3, Kind>>) \
  HGRID_INSTANCES_OF_ASKING(TouchesMesh<double>, AskingRegions<3, GridView<3, Kind>>)

HGRID_INSTANCES_OF_MESHES(OneWorld)
HGRID_INSTANCES_OF_MESHES(ManyWorlds)
HGRID_EACH(BoxTriangle)
HGRID_EACH(NoneContinued)
HGRID_EACH(MarkContinued)
HGRID_EACH(SeekAround)
HGRID_EACH(TakeEnded)
HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)
HGRID_EACH(SeekInLists<ListView>)
HGRID_EACH(SeekInLists<PackedView>)
HGRID_EACH(MergeLists<ListView>)
HGRID_EACH(MergeLists<PackedView>)
HGRID_EACH(MarkSlots)
HGRID_EACH(NumberParticles)
HGRID_REDUCE(FarSteps, CountFarSteps)

// Of graphs.
HGRID_EACH(FinishStep<2>)
HGRID_EACH(FinishStep<3>)
HGRID_EACH(KeepFound)
HGRID_EACH(EmptyLists)
HGRID_EACH(CopyAll<offset_t>)
HGRID_EACH(CopyAll<Image>)
HGRID_EACH(CopyFirst<index_t>)
HGRID_EACH(CopyFirst<PackedNeighbour>)
HGRID_EACH(CopyFirst<Image>)
template void CudaExec::enqueue_if(const char*, const JudgeStep&, const CudaRecording&) const;

}  // namespace hgrid::inline v0_2
