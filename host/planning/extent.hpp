// SPDX-License-Identifier: BSD-3-Clause
// The part of space that gets cells: as far as the bulk of the particles goes.
#pragma once

#include <vector>

#include "hgrid/plan/planning.hpp"

namespace hgrid::inline v0_2::detail {

/// Coordinates from first to last.
struct Interval {
  double first, last;
};

/// Along each axis cells are from lo to hi. A few far outliers must not widen an open axis; they clamp into border cells. If
/// the particles of a periodic axis leave a gap and some of them are in it, or lie at both ends of the axis, as those of a rank
/// do with their ghosts, cells are where it is inhabited.
template <int D>
struct Extent {
  Vec<double, D> lo, hi;
  std::vector<Interval> inhabited[D];  ///< ascending; none without such a gap

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
