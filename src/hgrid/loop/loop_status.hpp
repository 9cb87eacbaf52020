// SPDX-License-Identifier: BSD-3-Clause
// The state that a captured loop leaves on the device for its kernels and for the host, and the small kernels that write it.
#pragma once

#include "hgrid/inputs/validity.hpp"

namespace hgrid::inline v0_2 {

/// The progress of a loop that is captured with `VerletList::enqueue_update`, in the executor's memory. To read it without
/// waiting, copy it to pinned memory in the stream.
struct LoopStatus {
  std::uint64_t graph = 0;  ///< capture that it is valid for; 0: none
  std::int64_t whole = 0;   ///< 0: the list lacks contacts, and the loop stands still until the host calls `wait`
  std::int64_t tight = 0;   ///< 1: the list has nearly outgrown its memory, so call `wait` soon
  offset_t steps = 0;       ///< updates since the last `wait` at which the list was whole
  offset_t builds = 0;      ///< new lists among these updates
  offset_t entries = 0;     ///< number of entries of the list
  double reach = 0;         ///< `BuiltParticles::reach` of the build that the list was made from
  offset_t used = 0;        ///< `BuiltParticles::used` of that build
};

/// Tells a kernel whether the list that it was captured with holds every contact. If not, the kernel must not sum forces, and
/// must not move particles: then nothing is lost, and the host finds the loop at the step where it stopped.
struct ListGuard {
  const LoopStatus* status;
  std::uint64_t graph;

  HGRID_HD bool holds() const { return status->whole != 0 && status->graph == graph; }
};

namespace detail {

/// Runs MeasureValidity on a build whose reach and number of particles only the device knows.
template <class Real, int D>
struct MeasureGuarded {
  MeasureValidity<Real, D> each;
  ListGuard guard;

  HGRID_HD void fetch(offset_t k) const { each.fetch(k); }
  HGRID_HD void operator()(offset_t k, Validity& v) const {
    if (guard.holds()) each.measure(k, v, guard.status->used, guard.status->reach);
  }
};

/// Counts a step, and returns whether it needs a new list. If so, the list is not whole until it is built.
struct JudgeStep {
  const Validity* measured;
  LoopStatus* status;
  std::uint64_t graph;

  HGRID_HD bool operator()() const {
    if (!ListGuard{status, graph}.holds()) return false;
    Validity v = *measured;
    v.expected = status->used;
    if (v.holds()) {
      ++status->steps;
      return false;
    }
    status->whole = 0;
    return true;
  }
};

/// Ends a step that has made a new list: it is whole if the input was good and all entries had room.
template <int D>
struct FinishStep {
  const std::int64_t* bad;
  const index_t* level_begin;
  const double* radius_max;
  const Vec<double, D>* extent_max;
  int levels;
  double skin;
  const offset_t* found;
  offset_t room, watermark;
  LoopStatus* status;

  HGRID_HD void operator()(offset_t) const {
    if (*bad != 0 || *found < 0 || *found > room) return;
    status->reach = reach_of_build(level_begin, radius_max, extent_max, levels, skin);
    status->used = level_begin[levels];
    status->entries = *found;
    status->tight = *found > watermark;
    ++status->steps, ++status->builds;
    status->whole = 1;
  }
};

/// Carries values like CarryPairs if the list is whole, for all its entries.
template <class T>
struct CarryWhole {
  const offset_t* from;
  const T* before;
  T* now;
  T fresh;
  ListGuard guard;
  const offset_t* count;

  HGRID_HD void operator()(offset_t k) const {
    if (guard.holds() && k < *count) now[k] = from[k] < 0 ? fresh : before[from[k]];
  }
};

}  // namespace detail

}  // namespace hgrid::inline v0_2
