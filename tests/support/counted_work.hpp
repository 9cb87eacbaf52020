// SPDX-License-Identifier: BSD-3-Clause
// The counted work of a search over the work of a search of one size: the measure of systems that shall cost no more.
#pragma once

#include <algorithm>

#include "hgrid/hgrid.hpp"
#include "hgrid/packing/recipe.hpp"

namespace support {

/// Counted steps of one search. A row is worth as much as 7 candidates, and as 47 in a compacted table, and a box over slots as
/// 4.
struct CountedWork {
  double candidates = 0, rows = 0, boxes = 0, particles = 0, contacts = 0;
  bool compacted = false;

  double steps() const { return candidates + (compacted ? 47 : 7) * rows + 4 * boxes; }

  /// Returns the ratio of this work to the work of as many particles of one size with as many contacts or more.
  double over(const CountedWork& one_size) const {
    const double as_many = std::max(particles / one_size.particles, contacts / one_size.contacts);
    return steps() / (as_many * one_size.steps());
  }
};

template <int D>
CountedWork counted_work(const hgrid::PackedSystem& s, double skin) {
  hgrid::Box<D> box = hgrid::Box<D>::open();
  for (int k = 0; k < D; ++k) {
    if (s.periodic[k]) box.lo[k] = 0, box.hi[k] = s.length[k], box.wraps[k] = true;
  }
  hgrid::Grid<hgrid::SerialExec, D> grid(hgrid::SerialExec{}, box);
  const auto n = static_cast<std::int64_t>(s.r.size());
  if constexpr (D == 2) {
    grid.build(hgrid::particles(s.x.data(), s.y.data(), s.r.data(), n), {.skin = skin});
  } else {
    grid.build(hgrid::particles(s.x.data(), s.y.data(), s.z.data(), s.r.data(), n), {.skin = skin});
  }
  const hgrid::WorkCount work = grid.work();
  return {static_cast<double>(work.candidates), static_cast<double>(work.rows),
          static_cast<double>(work.boxes),      static_cast<double>(n),
          static_cast<double>(grid.count()),    grid.plan().table == hgrid::TableKind::compacted};
}

inline CountedWork counted_work(const hgrid::PackedSystem& s, double skin = 0) {
  return s.dimension == 2 ? counted_work<2>(s, skin) : counted_work<3>(s, skin);
}

/// Returns the work of one size anywhere in an open box, which it fills to 0.62.
inline CountedWork work_of_one_size(int dimension, std::int64_t n) {
  return counted_work(hgrid::make_system({.dimension = dimension, .fraction = 0.62, .populations = {{}}}, n, 1));
}

}  // namespace support
