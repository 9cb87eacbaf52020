// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the C API's own functors.
#include "hgrid/cuda.hpp"

#include "c/entries_on.hpp"
#include "c/mesh_on.hpp"
#include "c/verlet_on.hpp"

namespace hgrid::inline v0_2 {

#define HGRID_EACH(...) template void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;

#define HGRID_REDUCE(Each, Result) \
  template void CudaExec::reduce(const char*, offset_t, const Each&, const Result&, Result*) const;

#define HGRID_INSTANCES_OF_DIMENSION(D)              \
  HGRID_EACH(c::CopyRegion<D>)                       \
  HGRID_EACH(c::MeasurePairs<float, D>)              \
  HGRID_EACH(c::MeasurePairs<double, D>)             \
  HGRID_EACH(detail::CountMeasured<float, D>)        \
  HGRID_EACH(detail::CountMeasured<double, D>)       \
  HGRID_EACH(detail::WriteCounted<float, D>)         \
  HGRID_EACH(detail::WriteCounted<double, D>)        \
  HGRID_EACH(detail::WriteExpected<float, D>)        \
  HGRID_EACH(detail::WriteExpected<double, D>)       \
  HGRID_EACH(detail::WriteSphere<float, D>)          \
  HGRID_EACH(detail::WriteSphere<double, D>)         \
  HGRID_REDUCE(c::InspectSpheres<D>, c::NumberCheck) \
  HGRID_REDUCE(detail::InspectExtent<D>, detail::RegionCheck)

HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)
HGRID_EACH(c::CarryPayload)
HGRID_EACH(c::ImagesNow)
HGRID_EACH(c::PlaceContacts<float>)
HGRID_EACH(c::PlaceContacts<double>)
HGRID_EACH(c::ClearBytes)
HGRID_EACH(c::WriteListIds)
HGRID_EACH(c::CopyNumbers<std::uint8_t>)
HGRID_EACH(c::CopyNumbers<std::uint32_t>)
HGRID_EACH(c::CopyNumbers<Vec<double, 3>>)
HGRID_REDUCE(c::InspectIds, c::NumberCheck)
HGRID_REDUCE(c::InspectNumbers, c::NumberCheck)
HGRID_REDUCE(c::InspectMoved, c::NumberCheck)

}  // namespace hgrid::inline v0_2
