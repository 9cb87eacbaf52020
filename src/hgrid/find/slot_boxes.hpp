// SPDX-License-Identifier: BSD-3-Clause
// Which child of a node may hold the next nearest particle.
#pragma once

#include "hgrid/cells/slot_boxes.hpp"
#include "hgrid/core/predicate.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns a lower bound of the keys of the particles in a child whose radii are at most `radius`, under a shift. It is
/// infinite if no particle has its nearest image there.
template <class Point, int D>
HGRID_HD inline double key_of_box(const Point& p, const ChildBoxes<D>& node, int child, const Shift<D>& shift, double radius) {
  double squared = 0;
  Vec<double, D> away;
  for (int k = 0; k < D; ++k) {
    const double below = separated(p.x[k], node.lo[k][child], shift.by[k]);
    const double above = separated(p.x[k], node.hi[k][child], shift.by[k]);
    away[k] = larger_of(larger_of(-below, above), 0.0);
    squared = k == 0 ? mul_rn(away[k], away[k]) : add_rn(squared, mul_rn(away[k], away[k]));
  }
  return p.may_be_nearest_image(away) ? p.key_of(squared, radius) : HUGE_VAL;
}

}  // namespace hgrid::inline v0_2::detail
