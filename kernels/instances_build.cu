// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a build, for all programs that link the library.
#include "hgrid/cells/cutoff_stages.hpp"
#include "hgrid/cells/strays.hpp"
#include "hgrid/cells/world_stages.hpp"
#include "hgrid/inputs/exclusion_stages.hpp"
#include "hgrid/inputs/extents.hpp"
#include "hgrid/inputs/sample.hpp"
#include "kernels/cuda_reduce.cuh"

namespace hgrid::inline v0_2 {

using namespace detail;

#define HGRID_EACH(...) template void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;

#define HGRID_INSTANCES_OF_BOXES(Real, D, ...)                                                           \
  template void CudaExec::reduce(const char*, offset_t, const InspectParticle<Real, D, __VA_ARGS__<D>>&, \
                                 const InputSummary<D>&, InputSummary<D>*) const;                        \
  template void CudaExec::reduce(const char*, offset_t, const InspectExtents<Real, D, __VA_ARGS__<D>>&,  \
                                 const InputSummary<D>&, InputSummary<D>*) const;                        \
  HGRID_EACH(SampleParticle<Real, D, __VA_ARGS__<D>>)

#define HGRID_INSTANCES_OF_KIND(Real, D, ...)                        \
  HGRID_EACH(MakeKey<CudaExec, Real, D, std::uint32_t, __VA_ARGS__>) \
  HGRID_EACH(MakeKey<CudaExec, Real, D, std::uint64_t, __VA_ARGS__>) \
  HGRID_EACH(GatherSlot<Real, D, std::uint32_t, __VA_ARGS__>)        \
  HGRID_EACH(GatherSlot<Real, D, std::uint64_t, __VA_ARGS__>)        \
  HGRID_EACH(DrawNumber<CudaExec, Real, D, __VA_ARGS__>)             \
  template void CudaExec::launch(const char*, std::size_t, const SortBuckets<Real, D, __VA_ARGS__>&) const;

#define HGRID_INSTANCES_OF_INPUT(Real, D)                                                                       \
  template void CudaExec::reduce(const char*, offset_t, const InspectCutoffs<Real, D>&, const InputSummary<D>&, \
                                 InputSummary<D>*) const;                                                       \
  HGRID_EACH(MoveToBucket<Real, D>)                                                                             \
  HGRID_EACH(CountExtents<CudaExec, Real, D>)                                                                   \
  HGRID_EACH(WriteLevelRadius<Real, D>)                                                                         \
  HGRID_EACH(GatherExtents<CudaExec, Real, D>)                                                                  \
  HGRID_EACH(CountRadius<CudaExec, Real, D>)                                                                    \
  HGRID_EACH(MeasureWorlds<CudaExec, Real, D>)                                                                  \
  HGRID_INSTANCES_OF_BOXES(Real, D, OneBox)                                                                     \
  HGRID_INSTANCES_OF_BOXES(Real, D, OpenBox)                                                                    \
  HGRID_INSTANCES_OF_BOXES(Real, D, BoxesOfWorlds)                                                              \
  HGRID_INSTANCES_OF_KIND(Real, D, GridView<D, OneWorld>)                                                       \
  HGRID_INSTANCES_OF_KIND(Real, D, GridView<D, ManyWorlds>)

#define HGRID_INSTANCES_OF_KEY(D, Key) \
  HGRID_EACH(FillDenseRows<D, Key>)    \
  HGRID_EACH(FillDenseCells<D, Key>)   \
  HGRID_EACH(MarkSegments<D, Key>)     \
  HGRID_EACH(FillSegments<D, Key>)

#define HGRID_COUNT_STRAYS(D, ...)                                                                                          \
  template void CudaExec::reduce(const char*, offset_t, const CountStrays<D, __VA_ARGS__>&, const StrayCount&, StrayCount*) \
      const;

#define HGRID_INSTANCES_OF_DIMENSION(D)                                                                                        \
  HGRID_COUNT_STRAYS(D, GridView<D, OneWorld>)                                                                                 \
  HGRID_COUNT_STRAYS(D, GridView<D, ManyWorlds>)                                                                               \
  template void CudaExec::reduce(const char*, offset_t, const InspectExclusions<D>&, const InputSummary<D>&, InputSummary<D>*) \
      const;                                                                                                                   \
  HGRID_EACH(Fill<Vec<double, D>>)                                                                                             \
  HGRID_EACH(AcceptInput<D>)                                                                                                   \
  HGRID_EACH(FindWorlds<D>)                                                                                                    \
  HGRID_EACH(Fill<WorldExtent<D>>)                                                                                             \
  HGRID_INSTANCES_OF_INPUT(float, D)                                                                                           \
  HGRID_INSTANCES_OF_INPUT(double, D)                                                                                          \
  HGRID_INSTANCES_OF_KEY(D, std::uint32_t)                                                                                     \
  HGRID_INSTANCES_OF_KEY(D, std::uint64_t)

HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)
HGRID_EACH(ClearBuckets)
HGRID_EACH(BeginExclusions)
HGRID_EACH(CopyExclusion)
HGRID_EACH(KeepEntry<index_t>)
HGRID_EACH(KeepEntry<double>)
HGRID_EACH(Fill<index_t>)
HGRID_EACH(Fill<offset_t>)

}  // namespace hgrid::inline v0_2
