// SPDX-License-Identifier: BSD-3-Clause
// A finer order of the slots of cells with many particles far smaller than the cell, so that boxes over slots
// (core/child_boxes.hpp) are small there.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "hgrid/core/grid_view.hpp"
#include "hgrid/memory/storage.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
class CrowdedCells {
 public:
  static constexpr index_t least = 48;  ///< a cell with at most this number of slots is not crowded

  /// Begins a build, with the groups of the particles or null. No cell has been crowded yet.
  void begin(const GridView<D>& grid, const index_t* group) { grid_ = grid, group_ = group, any_ = false; }

  /// Returns whether a cell of this build was crowded.
  bool any() const { return any_; }

  /// Orders the slots of the cell with this key: by place if hardly any two of them can touch, or else by their groups. They
  /// have positions, radii and ids so far. The order depends only on these and the groups.
  void order(const SlotArrays<D>& out, index_t begin, index_t end, cell_key_t key) {
    if (end - begin <= least) return;
    double mean = 0;
    for (index_t slot = begin; slot < end; ++slot) mean += out.radius[slot];
    mean /= end - begin;
    const double distance = listing_distance_in(grid_, mean, mean);
    const Vec<double, D> size = size_of(out, begin, end);
    double may_touch = 1, would_touch = 1;  // shares of pairs that touch, if slots lie anywhere in the cell, and where they lie
    for (int k = 0; k < D; ++k) {
      const double cell = std::max(level_of(key).cell_size[k], size[k]);
      may_touch *= std::min(1.0, 2 * distance / cell);
      would_touch *= size[k] > 0 ? std::min(1.0, 2 * distance / size[k]) : 1;
    }
    if (may_touch > few && end - begin <= always) return;
    any_.store(true, std::memory_order_relaxed);
    if (would_touch <= few || group_ != nullptr) split(out, begin, end, would_touch <= few);
  }

 private:
  static constexpr double few = 1.0 / 16;
  static constexpr index_t always = 1024;  // with more slots a cell is crowded, whatever their sizes
  static constexpr index_t together = ChildBoxes<D>::children;

  const Level<D>& level_of(cell_key_t key) const {
    int h = 0;
    while (h + 1 < grid_.level_count && grid_.level[h + 1].first_cell <= key) ++h;
    return grid_.level[h];
  }

  static Vec<double, D> size_of(const SlotArrays<D>& out, index_t begin, index_t end) {
    Vec<double, D> size;
    for (int k = 0; k < D; ++k) {
      const auto [lo, hi] = std::minmax_element(out.x[k] + begin, out.x[k] + end);
      size[k] = *hi - *lo;
    }
    return size;
  }

  // Halves the slots along the axis on which they are farthest apart, and so on. Slots at one place are halved by their groups
  // and ids; so are all slots if `by_place` is false.
  void split(const SlotArrays<D>& out, index_t begin, index_t end, bool by_place) const {
    while (end - begin > together) {
      const Vec<double, D> size = by_place ? size_of(out, begin, end) : Vec<double, D>{};
      int widest = 0;
      for (int k = 1; k < D; ++k) widest = size[k] > size[widest] ? k : widest;
      const index_t middle = middle_of(begin, end);
      part(out, size[widest] > 0 ? widest : D, begin, end, middle);
      split(out, begin, middle, by_place);
      begin = middle;
    }
    for (index_t last = begin + 1; last < end; ++last) {
      for (index_t s = last; s > begin && out.id[s] < out.id[s - 1]; --s) swap(out, s, s - 1);
    }
  }

  // Returns the place near the middle at which the largest boxes begin.
  static index_t middle_of(index_t begin, index_t end) {
    const offset_t n = end - begin, half = begin + n / 2;
    for (offset_t size = offset_t{1} << 30; size >= together; size /= together) {
      const offset_t at = (half + size / 2) / size * size;
      if (at - begin >= n / 4 && end - at >= n / 4) return static_cast<index_t>(at);
    }
    return static_cast<index_t>(half);
  }

  // Moves the lesser slots before the middle: a selection with random pivots.
  void part(const SlotArrays<D>& out, int axis, index_t begin, index_t end, index_t middle) const {
    std::uint64_t random = static_cast<std::uint64_t>(begin) << 32 | static_cast<std::uint64_t>(end);
    while (end - begin > 1) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      const index_t pivot = begin + static_cast<index_t>((random >> 33) % static_cast<std::uint64_t>(end - begin));
      const auto along = [&](index_t slot) {
        if (axis < D) return out.x[axis][slot];
        return group_ == nullptr ? 0.0 : group_[out.id[slot]];
      };
      const double x = along(pivot);
      const index_t id = out.id[pivot];
      const auto is_less = [&](index_t slot) {
        const double its = along(slot);
        return its < x || (its == x && out.id[slot] < id);
      };
      const auto is_more = [&](index_t slot) {
        const double its = along(slot);
        return its > x || (its == x && out.id[slot] > id);
      };
      index_t low = begin, high = end - 1;
      while (low <= high) {
        while (is_less(low)) ++low;
        while (is_more(high)) --high;
        if (low <= high) swap(out, low++, high--);
      }
      if (middle <= high) {
        end = high + 1;
      } else if (middle >= low) {
        begin = low;
      } else {
        return;
      }
    }
  }

  static void swap(const SlotArrays<D>& out, index_t a, index_t b) {
    for (int k = 0; k < D; ++k) std::swap(out.x[k][a], out.x[k][b]);
    std::swap(out.radius[a], out.radius[b]);
    std::swap(out.id[a], out.id[b]);
  }

  GridView<D> grid_;
  const index_t* group_ = nullptr;
  std::atomic<bool> any_ = false;
};

}  // namespace hgrid::inline v0_2::detail
