// SPDX-License-Identifier: BSD-3-Clause
// What ranks with a device run on it for a list of a time loop and the values of its pairs.
#pragma once

#include "hgrid/ranks/device_stages.hpp"
#include "hgrid/ranks/oriented_view.hpp"

namespace hgrid::inline v0_1::detail {

/// The contacts of a list as records.
struct MakeRecords {
  OrientedView list;
  NeighbourRecord* out;

  HGRID_HD void operator()(offset_t k) const { out[k] = list.record(k); }
};

/// Marks with 1 the records that stay, or those that leave.
struct MarkMoves {
  const NeighbourRecord* records;
  MovesView moves;
  bool leaving;
  offset_t* marks;

  HGRID_HD void operator()(offset_t k) const {
    const Destination to = moves.of(records[k].particle);
    marks[k] = to.place >= 0 && (to.rank != moves.here) == leaving ? 1 : 0;
  }
};

/// Gives records that stay the numbers that their particles get.
struct RenumberRecords {
  MovesView moves;
  NeighbourRecord* records;

  HGRID_HD void operator()(offset_t k) const { records[k].particle = moves.of(records[k].particle).place; }
};

/// Particles may be there several times; all threads write the same.
struct ChooseParticles {
  const index_t* particles;
  index_t* chosen;  // 0 before

  HGRID_HD void operator()(offset_t k) const { chosen[particles[k]] = 1; }
};

/// Marks with 1 the records of chosen particles.
struct MarkChosen {
  const NeighbourRecord* records;
  const index_t* chosen;
  offset_t* marks;

  HGRID_HD void operator()(offset_t k) const { marks[k] = chosen[records[k].particle]; }
};

/// Collects the records that are marked, and their places; `place` is the sum of the marks before each.
struct TakeRecords {
  const NeighbourRecord* records;
  const offset_t* place;
  NeighbourRecord* out;
  offset_t* from;

  HGRID_HD void operator()(offset_t k) const {
    if (place[k] == place[k + 1]) return;
    out[place[k]] = records[k], from[place[k]] = k;
  }
};

/// The contact of each record in a list, or -1.
struct SeekRecords {
  OrientedView list;
  const NeighbourRecord* records;
  offset_t* to;

  HGRID_HD void operator()(offset_t k) const { to[k] = list.find(records[k]); }
};

/// Copies entries to where `to_entry` says, unless that is -1.
template <class As>
struct PutEntries {
  const typename As::Unit* from;
  const offset_t* to_entry;
  offset_t per_entry;
  typename As::Unit* to;

  HGRID_HD void operator()(offset_t k) const {
    const offset_t entry = to_entry[k / per_entry];
    if (entry >= 0) to[entry * per_entry + k % per_entry] = from[k];
  }
};

/// Copies one entry again and again.
template <class As>
struct RepeatEntry {
  const typename As::Unit* from;
  offset_t per_entry;
  typename As::Unit* to;

  HGRID_HD void operator()(offset_t k) const { to[k] = from[k % per_entry]; }
};

/// Coordinates in the precision of the user's.
template <class Real>
struct RoundTo {
  const double* from;
  Real* to;

  HGRID_HD void operator()(offset_t k) const { to[k] = static_cast<Real>(from[k]); }
};

/// How many ids of two arrays differ.
struct Differing {
  offset_t ids = 0;
  HGRID_HD void join(const Differing& o) { ids += o.ids; }
};

struct CompareIds {
  const std::int64_t *a, *b;
  HGRID_HD void operator()(offset_t k, Differing& found) const { found.ids += a[k] != b[k]; }
};

}  // namespace hgrid::inline v0_1::detail
