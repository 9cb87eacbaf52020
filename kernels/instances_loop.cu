// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the time loop, for all programs that link the library. What carries values of the user's own types is
// compiled in the user's files.
#include "hgrid/loop/time_loop.hpp"
#include "kernels/cuda_reduce.cuh"

namespace hgrid::inline v0_1 {

using namespace detail;

#define HGRID_EACH(...) template void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;
#define HGRID_REDUCE(Value, ...) \
  template void CudaExec::reduce(const char*, offset_t, const __VA_ARGS__&, const Value&, Value*) const;

#define HGRID_INSTANCES_OF_DIMENSION(D)              \
  HGRID_REDUCE(Validity, MeasureValidity<float, D>)  \
  HGRID_REDUCE(Validity, MeasureValidity<double, D>) \
  HGRID_EACH(CompareBoxes<D>)                        \
  HGRID_EACH(RememberParticle<float, D>)             \
  HGRID_EACH(RememberParticle<double, D>)            \
  HGRID_REDUCE(RegionCheck, InspectRegion<D>)        \
  HGRID_EACH(CountInRegion<D>)                       \
  HGRID_EACH(WriteInRegion<D>)

HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)
HGRID_EACH(SeekInLists)
HGRID_EACH(MergeLists)
HGRID_EACH(MarkSlots)
HGRID_EACH(NumberParticles)
HGRID_REDUCE(FarSteps, CountFarSteps)

}  // namespace hgrid::inline v0_1
