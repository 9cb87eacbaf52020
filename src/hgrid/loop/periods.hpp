// SPDX-License-Identifier: BSD-3-Clause
// Codes that wrap their positions: finds by how many vectors of the box each particle was moved since a build, from where the
// particle lies now and where the build had it. A particle within its margin has one answer only, because half the skin is at
// most a quarter of a period.
#pragma once

#include "hgrid/loop/loop_status.hpp"

namespace hgrid::inline v0_2::detail {

/// Counts for particle i the vectors that were taken off since the list was made: x + since L is its position as the list knows
/// it. `wraps` of the build go along, so that a check compares particle and build in one period.
template <class Real, int D>
struct CountPeriods {
  Particles<Real, D> now;
  BuiltParticles<D> built;
  offset_t count;  // of the build's particles
  ChangedBox<D> shared;
  const ChangedBox<D>* each;  // [worlds], or null
  const Image* before;        // what was counted for the first `counted` particles of the build
  offset_t counted;
  Image* since;                     // [now], or null
  Image* wraps;                     // [count] of the build, or null: they stay
  const index_t* old_id = nullptr;  // [now], of which particle of the build each is, -1 for none; null: of the same number
  ListGuard guard = {};             // of a graph, or none

  HGRID_HD void operator()(offset_t i) const {
    if (guard.status != nullptr && !guard.holds()) return;
    const offset_t entry = old_id == nullptr ? i : old_id[i];
    Image p = entry >= 0 && entry < counted ? before[entry] : Image{};
    if (entry >= 0 && entry < count && built.radius[entry] >= 0 && takes_part(now, i)) count_from(entry, i, p);
    if (since != nullptr) since[i] = p;
  }

 private:
  HGRID_HD void count_from(offset_t entry, offset_t i, Image& p) const {
    const index_t world = built.world == nullptr ? 0 : built.world[entry];
    if (world != now.world(i)) return;
    const ChangedBox<D>& changed = each == nullptr ? shared : each[world];
    const Box<D>& box = changed.box;
    Vec<double, D> way, expected;
    for (int k = 0; k < D; ++k) expected[k] = built.x[k][entry];
    if (changed.deformed) expected = changed.deformation(expected);
    const Vec<double, D> x = in_frame(box, now.position_of(i));
    for (int k = 0; k < D; ++k) way[k] = x[k] - expected[k];
    const Vec<double, D> outside = as_given(box, nearest_vectors(box, way));
    for (int k = 0; k < D; ++k) {
      const std::int32_t old = built.wraps == nullptr ? 0 : built.wraps[entry][k];
      const bool counts = std::fabs(outside[k]) <= most_periods;  // not if it is no number: the check finds such a particle
      const std::int32_t number = counts ? static_cast<std::int32_t>(outside[k]) : old;
      p[k] = static_cast<std::int32_t>(std::int64_t{p[k]} + old - number);
      if (wraps != nullptr) wraps[entry][k] = number;
    }
  }
};

/// Begins to count for a new list: `taken`, if it is not null, gets what was counted for the list before.
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
