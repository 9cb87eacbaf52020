// SPDX-License-Identifier: BSD-3-Clause
// For codes that wrap their positions: finds by how many vectors of the box each particle was moved since a build, from its
// present position and its position in the build. For a particle within its margin the result is unique, because half the skin
// is at most a quarter of a period.
#pragma once

#include "hgrid/loop/loop_status.hpp"

namespace hgrid::inline v0_2::detail {

/// Counts for particle i the vectors that were subtracted since the list was made: x + since L is its position in the list.
/// Updates `wraps` of the build, so that a check compares particle and build in one period.
template <class Real, int D>
struct CountPeriods {
  Particles<Real, D> now;
  BuiltParticles<D> built;
  offset_t count;  // of the build's particles
  ChangedBox<D> shared;
  const ChangedBox<D>* each;  // [worlds], or null
  const Image* before;        // earlier counts, for the first `counted` particles of the build
  offset_t counted;
  Image* since;                     // [now], or null
  Image* wraps;                     // [count] of the build, or null: they stay
  const index_t* old_id = nullptr;  // [now], particle of the build, -1 for none; null: ids are unchanged
  ListGuard guard = {};             // of a graph, or none

  HGRID_HD void operator()(offset_t i) const {
    if (guard.status != nullptr && !guard.holds()) return;
    const offset_t entry = old_id == nullptr ? i : old_id[i];
    Image by{};
    const bool is_there = entry >= 0 && entry < count && built.radius[entry] >= 0 && takes_part(now, i);
    const bool wrapped = is_there && count_from(entry, i, by);
    const bool stays = since == before && old_id == nullptr;
    if (since == nullptr || (stays && !wrapped)) return;
    Image p = entry >= 0 && entry < counted ? before[entry] : Image{};
    for (int k = 0; k < D; ++k) p[k] = sum_of_periods(p[k], by[k]);
    since[i] = p;
  }

 private:
  /// Counts the vectors that were subtracted since the last count. Returns whether there are any.
  HGRID_HD bool count_from(offset_t entry, offset_t i, Image& by) const {
    const index_t world = built.world == nullptr ? 0 : built.world[entry];
    if (world != now.world(i)) return false;
    const ChangedBox<D>& changed = each == nullptr ? shared : each[world];
    const Box<D>& box = changed.box;
    Vec<double, D> way, expected, outside{};
    for (int k = 0; k < D; ++k) expected[k] = built.x[k][entry];
    if (changed.deformed) expected = changed.deformation(expected);
    const Vec<double, D> x = in_frame(box, now.position_of(i));
    bool is_near = true;  // true for nearly all; saves the divisions
    for (int k = 0; k < D; ++k) {
      way[k] = x[k] - expected[k];
      is_near = is_near && (!box.wraps[k] || std::fabs(way[k]) < 0.5 * box.length(k));
    }
    if (!is_near) outside = as_given(box, nearest_vectors(box, way));
    bool any = false;
    for (int k = 0; k < D; ++k) {
      const std::int32_t old = built.wraps == nullptr ? 0 : built.wraps[entry][k];
      const bool counts = std::fabs(outside[k]) <= most_periods;  // false for NaN: the check finds such a particle
      const std::int32_t number = counts ? static_cast<std::int32_t>(outside[k]) : old;
      by[k] = sum_of_periods(old, -std::int64_t{number});
      any = any || by[k] != 0;
      if (wraps != nullptr && (by[k] != 0 || built.wraps == nullptr)) wraps[entry][k] = number;
    }
    return any;
  }

  HGRID_HD static std::int32_t sum_of_periods(std::int64_t a, std::int64_t b) { return static_cast<std::int32_t>(a + b); }
};

/// Begins to count for a new list: `taken`, if it is not null, gets the counts of the previous list.
struct RestartPeriods {
  Image* since;
  Image* taken;
  ListGuard guard = {};

  HGRID_HD void operator()(offset_t i) const {
    if (guard.status != nullptr && !guard.holds()) return;
    if (taken != nullptr) taken[i] = since[i];
    since[i] = Image{};
  }
};

}  // namespace hgrid::inline v0_2::detail
