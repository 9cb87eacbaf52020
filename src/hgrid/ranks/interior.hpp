// SPDX-License-Identifier: BSD-3-Clause
// Which particles of a rank no other rank has to know, as nearly all: told at a glance.
#pragma once

#include "hgrid/core/reach.hpp"
#include "hgrid/ranks/contact_rule.hpp"

namespace hgrid::inline v0_1::detail {

/// The particles that need no second look: valid ones whose spheres lie in the box of their rank, as nearly all do.
template <int D>
class Interior {
 public:
  Interior(const Box<D>& box, const RankBox<D>& own, double skin) : box_(box), skin_(skin), most_radius_(largest_length) {
    for (int k = 0; k < D; ++k) {
      const bool whole = box.wraps[k] && own.lo[k] == box.lo[k] && own.hi[k] == box.hi[k];  // no image is on another rank
      margin_[k] = whole ? 0 : 1;
      lo_[k] = std::fmax(own.lo[k], -largest_length), hi_[k] = std::fmin(own.hi[k], largest_length);
      if (box.wraps[k]) most_radius_ = std::fmin(most_radius_, 0.49 * (most_images(box) * box.length(k) - skin));
    }
  }

  HGRID_HD bool holds(const Vec<double, D>& x, double radius) const {
    const double within = known_within(box_, x, radius, skin_);
    bool holds = (radius >= smallest_radius || radius == 0) && radius <= most_radius_;
    for (int k = 0; k < D; ++k) holds = holds && lo_[k] <= x[k] - margin_[k] * within && x[k] + margin_[k] * within < hi_[k];
    return holds;
  }

 private:
  Box<D> box_;
  double skin_, most_radius_;
  Vec<double, D> lo_, hi_, margin_;
};

}  // namespace hgrid::inline v0_1::detail
