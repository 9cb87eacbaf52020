// SPDX-License-Identifier: BSD-3-Clause
// Stages of a build with worlds: one finds where each world begins on each level, another measures each world's extent for
// planning.
#pragma once

#include "hgrid/cells/stages.hpp"
#include "hgrid/inputs/inspect.hpp"

namespace hgrid::inline v0_2::detail {

/// After the sort: finds the first slot of each world on each level. Items are [0, levels * worlds]; the last item is the
/// number of slots.
template <int D>
struct FindWorlds {
  GridView<D> grid;
  index_t* begin;

  HGRID_HD void operator()(offset_t item) const {
    const int h = static_cast<int>(item / grid.worlds);
    if (h == grid.level_count) {
      begin[item] = grid.slots();
      return;
    }
    const auto wanted = static_cast<index_t>(item % grid.worlds);
    index_t slot = grid.level_begin[h], end = grid.level_begin[h + 1];
    while (slot < end) {
      const index_t middle = slot + (end - slot) / 2;
      grid.world[middle] < wanted ? slot = middle + 1 : end = middle;
    }
    begin[item] = slot;
  }
};

/// How far the particles of a world reach in from the bounds of all particles, and how many they are. The distances are never
/// negative, so atomic maxima can compute them.
template <int D>
struct WorldExtent {
  double below_hi[D], above_lo[D];
  offset_t particles;
};

/// When levels are planned: measures the extent of each world. Must be zero before.
template <class Exec, class Real, int D>
struct MeasureWorlds {
  Particles<Real, D> particles;
  BoxesOfWorlds<D> boxes;
  Vec<double, D> lo, hi;
  WorldExtent<D>* extent;

  HGRID_HD void operator()(offset_t i) const {
    if (!takes_part(particles, i)) return;
    const index_t world = particles.world(i);
    const Vec<double, D> x =
        boxes.with_box(world, [&](const Box<D>& box) { return into_box(box, particles.position_of(i)).inside; });
    Exec::atomic_add(&extent[world].particles, offset_t{1});
    for (int k = 0; k < D; ++k) {
      Exec::atomic_max(&extent[world].below_hi[k], hi[k] - x[k]);
      Exec::atomic_max(&extent[world].above_lo[k], x[k] - lo[k]);
    }
  }
};

}  // namespace hgrid::inline v0_2::detail
