// SPDX-License-Identifier: BSD-3-Clause
// A VerletList whose positions are wrapped between builds (VerletOptions::wrapped), and how a list without that option notices
// such wraps.
#pragma once

#include <algorithm>
#include <cmath>

#include "hgrid/core/error.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/loop/history.hpp"
#include "hgrid/loop/periods.hpp"
#include "hgrid/memory/access.hpp"

namespace hgrid::inline v0_2::detail {

/// The steps of a VerletList that deal with wrapped positions.
struct Access::WrappedLoop {
  /// Returns the smallest period of a box, or of a grid's present boxes; infinite if they are open.
  template <int D>
  static double least_period(const Box<D>& box) {
    double least = HUGE_VAL;
    for (int k = 0; k < D; ++k) {
      if (box.wraps[k]) least = std::min(least, box.length(k));
    }
    return least;
  }
  template <class Exec, int D>
  static double least_period(const Grid<Exec, D>& grid) {
    if (grid.boxes().empty()) return least_period(grid.box());
    double least = HUGE_VAL;
    for (const Box<D>& box : grid.boxes()) least = std::min(least, least_period(box));
    return least;
  }

  /// Throws unless the list may be built: `unsupported` for a skin so wide that wraps cannot be counted, `invalid_argument` for
  /// given periods, which the list counts itself.
  template <class List>
  static void require(const List& l, const Renumbering& renumbering) {
    if (!l.options_.wrapped) return;
    if (renumbering.periods != nullptr) {
      throw Error(ErrorCode::invalid_argument, "periods are counted by a list whose option `wrapped` is set; pass none",
                  {.argument = "periods"});
    }
    if (!l.options_.choose_skin) require_skin(l.skin(), least_period(l.grid_));
  }
  static void require_skin(double skin, double least_period) {
    if (skin <= 0.5 * least_period) return;
    throw Error(ErrorCode::unsupported,
                "with the option `wrapped` half the skin must be at most a quarter of each period, so that a wrap cannot be "
                "taken for a movement; the skin is " +
                    std::to_string(skin) + ", the least period " + std::to_string(least_period),
                {.argument = "skin", .value = skin});
  }

  /// Counts by how many vectors each particle was wrapped since the build, if these are its particles.
  template <class List, class Particles>
  static void count(List& l, const Particles& now) {
    if (!l.options_.wrapped) return;
    check_arguments(now, 0);
    if (!l.loop_.built || now.count != l.build_.count()) return;
    if (const auto boxes = box_changes(l)) {
      l.grid_.exec().for_each("hgrid::count_periods", now.count, l.build_.counting(now, l.grid_.box(), *boxes));
    }
  }

  /// Counts in a graph, in the boxes of the last build.
  template <class List, class Particles>
  static void enqueue_count(List& l, const Particles& now, const ListGuard& guard) {
    if (!l.options_.wrapped) return;
    const auto& exec = l.grid_.exec();
    auto each = l.build_.counting(now, l.grid_.view().box, Access::engine(l.grid_).box_changes(exec).value_or(nullptr));
    each.guard = guard;
    exec.for_each("hgrid::count_periods", now.count, each);
  }

  /// Counts before a build, and returns the renumbering for its history. Throws `out_of_memory`.
  template <class List, class Particles>
  static Renumbering count_taken(List& l, const Particles& particles, const Renumbering& renumbering) {
    if (!l.options_.wrapped) return renumbering;
    check_arguments(particles, 0);
    const auto& exec = l.grid_.exec();
    l.build_.reserve_periods(particles.count);
    const auto boxes = box_changes(l);
    auto each = l.build_.counting_taken(particles, l.grid_.box(), boxes ? *boxes : nullptr);
    if (!boxes) each.count = 0;  // other axes are periodic
    each.old_id = renumbering.old_id;
    exec.for_each("hgrid::count_periods", particles.count, each);
    return {renumbering.old_id, l.build_.taken()};
  }

  /// Returns the build against which particles are checked. A margin counts as at most a quarter of a period, like half the
  /// skin, so that wraps can be counted.
  template <class Build, class Boxes>
  static auto judged(const Build& build, const Boxes& boxes) {
    auto built = build.particles();
    if (build.wrapped()) built.least_growth = std::max(built.least_growth, -0.25 * least_period(boxes));
    return built;
  }

  /// Returns whether a list that is due would hold if whole vectors were subtracted. Checks this only if a particle has moved
  /// half a period.
  template <class List, class Particles>
  static bool explains(List& l, const Particles& now, const Validity& found) {
    if (l.options_.wrapped || found.dirty == 0 || !(found.excess >= 0.5 * least_period(l.grid_))) return false;
    const auto boxes = box_changes(l);
    return boxes && l.grid_.validity(now, l.build_.moved_to(now, l.grid_.box(), *boxes)).holds();
  }

 private:
  /// How the boxes of worlds have changed since the list was made; nothing if the grid does not know.
  template <class List>
  static auto box_changes(List& l) {
    const bool overtaken = l.grid_.generation() != l.generation_ && !l.grid_.boxes().empty();
    auto changes = Access::engine(l.grid_).box_changes(l.grid_.exec());
    if (overtaken) changes.reset();
    return changes;
  }
};
using WrappedLoop = Access::WrappedLoop;

}  // namespace hgrid::inline v0_2::detail
