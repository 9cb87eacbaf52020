// SPDX-License-Identifier: BSD-3-Clause
// Particles that have left the islands of their plan. All strays of a gap share a cell, so many strays are expensive.
#pragma once

#include <algorithm>
#include <cmath>

#include "hgrid/core/grid_view.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

struct StrayCount {
  offset_t strays = 0;
  HGRID_HD void join(const StrayCount& o) { strays += o.strays; }
};

/// Tests one of `stride` slots, and counts it for all of them.
template <int D, class View>
struct CountStrays {
  View grid;
  offset_t stride;

  HGRID_HD void operator()(offset_t i, StrayCount& count) const {
    const offset_t slot = i * stride;
    if (slot >= grid.slots()) return;
    const Level<D>& level = grid.level[grid.level_of_slot(static_cast<index_t>(slot))];
    count.strays += strays(level, static_cast<index_t>(slot)) ? stride : 0;
  }

 private:
  HGRID_HD bool strays(const Level<D>& level, index_t slot) const {
    bool outside = false;
    for (int k = 0; k < D; ++k) {
      if (grid.has_worlds()) {
        const double x = grid.x[k][slot] - grid.world_origin[grid.world[slot]][k] - level.origin[k];
        outside = outside || x < 0 || x > level.cells[k] * level.cell_size[k];
      } else if (level.islands[k] > 0) {
        const double x = grid.x[k][slot];
        const Island* const island = island_of(level, grid.islands, k, x);
        const double cells = (x - island->begin) * level.inverse[k];
        outside = outside || cells < 0 || cells >= island[1].cell - island->cell - 1;
      }
    }
    return outside;
  }
};

template <class Exec>
class Strays {
 public:
  void reserve(const Exec& exec) { reserve_all(exec, Need{count_, 1}); }

  /// Begins again after a new plan, whose first count becomes the reference for later counts.
  void forget() { first_ = -1; }

  /// Returns whether a built grid has many more strays than the first build of its plan, enough to cost a test per particle.
  /// Waits.
  template <int D>
  bool are_many(const Exec& exec, const GridView<D>& grid, offset_t slots) {
    const offset_t stride = std::clamp<offset_t>(slots / looked_at, 1, 16);
    for_worlds(grid, [&](const auto& view) {
      using Count = CountStrays<D, std::decay_t<decltype(view)>>;
      exec.reduce("hgrid::count_strays", (slots + stride - 1) / stride, Count{view, stride}, StrayCount{}, count_.data());
    });
    const offset_t strays = exec.read_back(count_.data()).strays;
    if (first_ < 0) first_ = strays;
    return static_cast<double>(strays) > 2.0 * static_cast<double>(first_) + std::sqrt(2.0 * static_cast<double>(slots));
  }

  template <class A>
  void archive(A& a) {
    a(first_);
    a.require("the particles astray", [&] { return first_ >= -1; });
  }

 private:
  static constexpr offset_t looked_at = 2048;  // slots that are sampled, or all if there are fewer

  typename Exec::template Buffer<StrayCount> count_;
  offset_t first_ = -1;
};

}  // namespace hgrid::inline v0_2::detail
