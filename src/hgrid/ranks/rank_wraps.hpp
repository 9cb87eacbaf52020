// SPDX-License-Identifier: BSD-3-Clause
// A list on ranks whose positions may be wrapped: its images follow the positions, with a message to each neighbor.
#pragma once

#include "hgrid/loop/periods.hpp"
#include "hgrid/memory/access.hpp"
#include "hgrid/ranks/field.hpp"
#include "hgrid/ranks/pair_stages.hpp"

namespace hgrid::inline v0_2::detail {

/// Collective, with the messages of a field.
struct Access::RankWraps {
  /// Updates the images of contacts for positions wrapped since the last step, if the particles are the build's.
  template <class List, class Real, class Array, class Ids, class AreOfBuild>
  static void follow(List& l, Array& x, Field<Real, Array> r, const Ids& id, const AreOfBuild& are_of_build) {
    if (!are_counted(l)) return;
    move_images(l, [&] {
      const auto now = l.own_particles(x, r, id, l.labels_);
      set_size(l.since_, static_cast<std::size_t>(l.own_.count()));
      auto each = l.own_.counting(now, l.grid_.box(), nullptr);
      each.counted = 0, each.since = l.since_.data();  // in this step
      if (now.count != l.own_.count() || !are_of_build()) each.count = 0;
      l.grid_.exec().for_each("hgrid::count_periods", l.own_.count(), each);
    });
  }

  template <class List>
  static bool are_counted(const List& l) {
    return l.options_.wrapped && l.grid_.box().any_periodic();
  }

  /// Moves images by the vectors of owned particles that count() writes to `since_`.
  template <class List, class Count>
  static void move_images(List& l, const Count& count) {
    l.forward("wraps", count, Field{l.since_});
    const MoveImages each{l.list_.contacts(), l.since_.data(), l.list_.images()};
    l.grid_.exec().for_each("hgrid::move_images", l.list_.size(), each);
  }
};
using RankWraps = Access::RankWraps;

}  // namespace hgrid::inline v0_2::detail
