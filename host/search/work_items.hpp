// SPDX-License-Identifier: BSD-3-Clause
// The search cut into items of similar cost, items of the coarsest particles first.
#pragma once

#include "hgrid/core/search.hpp"

namespace hgrid::inline v0_2::detail {

/// Most slots of one item: its ranges stay in the first-level cache.
inline constexpr index_t slots_per_item = 256;

/// Slots [first, last) of level `own` search level `target`, or all levels if it is -1.
struct WorkItem {
  int own, target;
  index_t first, last;
};

/// Returns how far apart along axis k the largest particles of two levels may touch. Level `own` belongs to the querying grid.
template <int D>
double distance_of_levels(const GridView<D>& asking, int own, const GridView<D>& g, int target, int k) {
  return g.has_extents() ? listing_extent(g, asking.extent_max[own][k], target, k)
                         : listing_distance_in(g, asking.radius_max[own], g.radius_max[target]);
}

template <int D>
int fullest_level(const GridView<D>& g) {
  int h = 0;
  for (int level = 1; level < g.level_count; ++level) {
    if (g.level_begin[level + 1] - g.level_begin[level] > g.level_begin[h + 1] - g.level_begin[h]) h = level;
  }
  return h;
}

/// All items of a search, as a table of pairs of levels: no memory per item.
template <int D>
class WorkItems {
 public:
  /// Makes items of about this work and of at most this number of slots.
  WorkItems(const GridView<D>& g, Visit visit, double work_of_item = 8192, index_t most_slots = slots_per_item)
      : WorkItems(g, g, visit, work_of_item, most_slots) {}
  /// Makes items for slots of one grid that search another one, visiting all.
  WorkItems(const GridView<D>& asking, const GridView<D>& g, Visit visit, double work_of_item = 8192,
            index_t most_slots = slots_per_item)
      : asking_(asking), g_(g), work_of_item_(work_of_item), most_slots_(most_slots) {
    for (int own = asking.level_count - 1; own >= 0; --own) {
      if (asking.level_begin[own] == asking.level_begin[own + 1]) continue;
      if (visit == Visit::all) {
        double work = 0;
        for (int target = 0; target < g.level_count; ++target) work += work_of_slot(own, target);
        add(own, -1, slots_of_item(work));
        continue;
      }
      const bool down = g.direction == Direction::top_down;
      for (int target = down ? 0 : own; target < (down ? own + 1 : g.level_count); ++target) {
        if (g.level_begin[target] < g.level_begin[target + 1]) add(own, target, slots_of_item(work_of_slot(own, target)));
      }
    }
  }

  offset_t size() const { return size_; }

  WorkItem operator[](offset_t item) const {
    int i = 0, end = count_;  // the last entry that does not begin after the item
    while (end - i > 1) {
      const int middle = (i + end) / 2;
      (entry_[middle].begin <= item ? i : end) = middle;
    }
    const Entry& e = entry_[i];
    const index_t first = asking_.level_begin[e.own] + static_cast<index_t>((item - e.begin) * e.step);
    const index_t level_end = asking_.level_begin[e.own + 1];
    return {e.own, e.target, first, level_end - first < e.step ? level_end : first + e.step};
  }

 private:
  struct Entry {
    offset_t begin;
    std::int16_t own, target;
    index_t step;
  };

  void add(int own, int target, index_t step) {
    entry_[count_++] = {size_, static_cast<std::int16_t>(own), static_cast<std::int16_t>(target), step};
    size_ += (asking_.level_begin[own + 1] - asking_.level_begin[own] + step - 1) / step;
  }

  // Returns the cost of the rows and candidates of a slot with the largest particle.
  double work_of_slot(int own, int target) const {
    const Level<D>& level = g_.level[target];
    double rows = 1, candidates = g_.level_begin[target + 1] - g_.level_begin[target];
    if (g_.has_worlds()) candidates /= g_.worlds;
    for (int k = 0; k < D; ++k) {
      const double width = 2 * distance_of_levels(asking_, own, g_, target, k);
      const double share = (width / level.cell_size[k] + 1) / level.cells[k];
      if (k > 0) rows *= (share < 1 ? share : 1) * level.cells[k];
      if (share < 1) candidates *= share;
    }
    return 4 * rows + candidates;
  }

  index_t slots_of_item(double work_of_slot) const {
    const double slots = work_of_item_ / work_of_slot;
    return slots < 1 ? 1 : (slots > most_slots_ ? most_slots_ : static_cast<index_t>(slots));
  }

  const GridView<D>&asking_, &g_;
  const double work_of_item_;
  const index_t most_slots_;
  Entry entry_[max_levels * (max_levels + 1) / 2];
  int count_ = 0;
  offset_t size_ = 0;
};

}  // namespace hgrid::inline v0_2::detail
