// SPDX-License-Identifier: BSD-3-Clause
// The kernels of ranks whose particles lie on a device, for all programs that link the library. Fields of the user's own types
// that are added are compiled in the user's files.
#include "hgrid/cells/stages.hpp"
#include "hgrid/loop/queries.hpp"
#include "hgrid/ranks/device_stages.hpp"
#include "hgrid/ranks/pair_stages.hpp"
#include "hgrid/ranks/region_rules.hpp"
#include "hgrid/ranks/reported_lists.hpp"
#include "kernels/cuda_reduce.cuh"

namespace hgrid::inline v0_2 {

using namespace detail;

#define HGRID_EACH(...) template void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;

#define HGRID_INSTANCES_OF_INPUT(Real, D) \
  HGRID_EACH(MarkBorder<Real, D>)         \
  HGRID_EACH(TakeBorder<Real, D>)         \
  HGRID_EACH(TakeOwned<Real, D>)          \
  HGRID_EACH(PackGhosts<Real, D>)

template <int D>
using Answer = IfAnswered<D, CollectRecords<CudaExec>>;

#define HGRID_INSTANCES_OF_DIMENSION(D)                                      \
  HGRID_INSTANCES_OF_INPUT(float, D)                                         \
  HGRID_INSTANCES_OF_INPUT(double, D)                                        \
  HGRID_EACH(TakeGhost<D>)                                                   \
  HGRID_EACH(MarkReported<D>)                                                \
  HGRID_EACH(CountReported<D>)                                               \
  HGRID_EACH(TakeReported<D>)                                                \
  HGRID_EACH(PlaceWork<D>)                                                   \
  HGRID_EACH(VisitAsked<AskingRegions<D, GridView<D, OneWorld>>, Answer<D>>) \
  HGRID_EACH(VisitAsked<AskingRegions<D, GridView<D, ManyWorlds>>, Answer<D>>)

HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)
template void CudaExec::reduce(const char*, offset_t, const CompareIds&, const Differing&, Differing*) const;

#define HGRID_INSTANCES_OF_UNIT(As)       \
  HGRID_EACH(GatherEntries<As, index_t>)  \
  HGRID_EACH(GatherEntries<As, offset_t>) \
  HGRID_EACH(PutEntries<As>)              \
  HGRID_EACH(RepeatEntry<As>)

HGRID_INSTANCES_OF_UNIT(AsWords)
HGRID_INSTANCES_OF_UNIT(AsBytes)
HGRID_EACH(MakeIdKeys)
HGRID_EACH(PlaceParticles)
HGRID_EACH(OrientPairs)
HGRID_EACH(NameParticles)
HGRID_EACH(RoundTo<float>)
HGRID_EACH(RoundTo<double>)
HGRID_EACH(MakeRecords)
HGRID_EACH(MarkMoves)
HGRID_EACH(RenumberRecords)
HGRID_EACH(ChooseParticles)
HGRID_EACH(MarkChosen)
HGRID_EACH(TakeRecords)
HGRID_EACH(SeekRecords)
HGRID_EACH(AddEntries<float>)
HGRID_EACH(AddEntries<double>)
HGRID_EACH(AddEntries<std::int32_t>)
HGRID_EACH(AddEntries<std::int64_t>)
HGRID_EACH(KeepMarkedPairs)
HGRID_EACH(Fill<float>)
HGRID_EACH(Fill<double>)

}  // namespace hgrid::inline v0_2
