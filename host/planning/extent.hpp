// SPDX-License-Identifier: BSD-3-Clause
// The part of space that gets cells, which covers the bulk of the particles.
#pragma once

#include <vector>

#include "hgrid/plan/planning.hpp"

namespace hgrid::inline v0_2::detail {

/// Coordinates from first to last.
struct Interval {
  double first, last;
};

/// Along each axis cells reach from lo to hi. A few far outliers must not widen an open axis; they clamp into border cells. If
/// a gap on a periodic axis holds a few particles, or leaves particles at both ends of the axis, such as a rank's particles and
/// ghosts, cells are only in the inhabited parts.
template <int D>
struct Extent {
  Vec<double, D> lo, hi;
  std::vector<Interval> inhabited[D];  ///< ascending; empty without such a gap

  double size(int axis) const {
    double size = inhabited[axis].empty() ? hi[axis] - lo[axis] : 0;
    for (const Interval& part : inhabited[axis]) size += part.last - part.first;
    return size;
  }
};

template <int D>
Extent<D> extent_of(const PlanInput<D>& input, const Box<D>& box);

extern template Extent<2> extent_of(const PlanInput<2>&, const Box<2>&);
extern template Extent<3> extent_of(const PlanInput<3>&, const Box<3>&);

}  // namespace hgrid::inline v0_2::detail
