// SPDX-License-Identifier: BSD-3-Clause
// Names the kernels of ranks on devices. The library compiles them, and programs that link it only declare them.
// Values of the user's own types have kernels in the user's files.
#pragma once

#include "hgrid/cells/stages.hpp"
#include "hgrid/queries.hpp"
#include "hgrid/ranks/device_stages.hpp"
#include "hgrid/ranks/pair_stages.hpp"
#include "hgrid/ranks/region_rules.hpp"
#include "hgrid/ranks/reported_lists.hpp"
#include "kernels/cuda_reduce.cuh"

#ifndef HGRID_KERNELS_ARE
#define HGRID_KERNELS_ARE extern template
#endif

namespace hgrid::inline v0_2 {

#define HGRID_EACH(...) HGRID_KERNELS_ARE void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;

#define HGRID_INSTANCES_OF_INPUT(Real, D) \
  HGRID_EACH(detail::MarkBorder<Real, D>) \
  HGRID_EACH(detail::TakeBorder<Real, D>) \
  HGRID_EACH(detail::TakeOwned<Real, D>)  \
  HGRID_EACH(detail::PackGhosts<Real, D>)

#define HGRID_INSTANCES_OF_DIMENSION(D)                                                    \
  HGRID_INSTANCES_OF_INPUT(float, D)                                                       \
  HGRID_INSTANCES_OF_INPUT(double, D)                                                      \
  HGRID_EACH(detail::TakeGhost<D>)                                                         \
  HGRID_EACH(detail::MarkReported<D>)                                                      \
  HGRID_EACH(detail::CountReported<D>)                                                     \
  HGRID_EACH(detail::TakeReported<D>)                                                      \
  HGRID_EACH(detail::PlaceWork<D>)                                                         \
  HGRID_EACH(detail::VisitAsked<detail::AskingRegions<D, GridView<D, detail::OneWorld>>,   \
                                detail::IfAnswered<D, detail::CollectRecords<CudaExec>>>)  \
  HGRID_EACH(detail::VisitAsked<detail::AskingRegions<D, GridView<D, detail::ManyWorlds>>, \
                                detail::IfAnswered<D, detail::CollectRecords<CudaExec>>>)

HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)
HGRID_KERNELS_ARE void CudaExec::reduce(const char*, offset_t, const detail::CompareIds&, const detail::Differing&,
                                        detail::Differing*) const;

#define HGRID_INSTANCES_OF_UNIT(As)               \
  HGRID_EACH(detail::GatherEntries<As, index_t>)  \
  HGRID_EACH(detail::GatherEntries<As, offset_t>) \
  HGRID_EACH(detail::PutEntries<As>)              \
  HGRID_EACH(detail::RepeatEntry<As>)

HGRID_INSTANCES_OF_UNIT(detail::AsWords)
HGRID_INSTANCES_OF_UNIT(detail::AsBytes)
HGRID_EACH(detail::MakeIdKeys)
HGRID_EACH(detail::PlaceParticles)
HGRID_EACH(detail::OrientPairs)
HGRID_EACH(detail::NameParticles)
HGRID_EACH(detail::RoundTo<float>)
HGRID_EACH(detail::RoundTo<double>)
HGRID_EACH(detail::MakeRecords)
HGRID_EACH(detail::MarkMoves)
HGRID_EACH(detail::RenumberRecords)
HGRID_EACH(detail::ChooseParticles)
HGRID_EACH(detail::MarkChosen)
HGRID_EACH(detail::TakeRecords)
HGRID_EACH(detail::SeekRecords)
HGRID_EACH(detail::AddEntries<float>)
HGRID_EACH(detail::AddEntries<double>)
HGRID_EACH(detail::AddEntries<std::int32_t>)
HGRID_EACH(detail::AddEntries<std::int64_t>)
HGRID_EACH(detail::KeepMarkedPairs)
HGRID_EACH(detail::MoveImages)
HGRID_EACH(detail::Fill<float>)
HGRID_EACH(detail::Fill<double>)

}  // namespace hgrid::inline v0_2

#undef HGRID_EACH
#undef HGRID_INSTANCES_OF_DIMENSION
#undef HGRID_INSTANCES_OF_INPUT
#undef HGRID_INSTANCES_OF_UNIT
