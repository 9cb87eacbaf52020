// SPDX-License-Identifier: BSD-3-Clause
// A finer order of the slots of cells with many particles far smaller than the cell, so that boxes over slots
// (core/child_boxes.hpp) are small there.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <new>

#include "hgrid/cells/near_order.hpp"
#include "hgrid/core/predicate.hpp"
#include "hgrid/memory/storage.hpp"

namespace hgrid::inline v0_2::detail {

/// A slot of a crowded cell during its sort.
template <int D>
struct CrowdRecord {
  Vec<double, D> x;
  double radius;
  index_t id, group;

  bool comes_before(const CrowdRecord& other) const { return group != other.group ? group < other.group : id < other.id; }
};

template <int D>
class CrowdedCells {
 public:
  static constexpr index_t least = 48;  ///< a cell with at most this number of slots is not crowded

  /// Begins a build, with the groups of the particles or null. No cell has been crowded yet.
  void begin(const GridView<D>& grid, const index_t* group) { grid_ = grid, group_ = group, pairs_ = 0; }

  /// Returns whether the tests of all pairs in crowded cells of this build cost more than boxes over all slots.
  bool need_boxes(offset_t slots) const { return pairs_ > static_cast<std::uint64_t>(slots) * pairs_of_box; }

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
    pairs_.fetch_add(static_cast<std::uint64_t>(end - begin) * static_cast<std::uint64_t>(end - begin - least) / 2,
                     std::memory_order_relaxed);
    if (would_touch <= few || group_ != nullptr) sort(out, begin, end, would_touch <= few);
  }

 private:
  static constexpr double few = 1.0 / 16;
  static constexpr index_t always = 1024;            // with more slots a cell is crowded, whatever their sizes
  static constexpr std::uint64_t pairs_of_box = 16;  // tested in the time of one slot's part of the boxes
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

  // Sorts slots by place, and slots at one place by their groups. Without memory for it they stay as they are.
  void sort(const SlotArrays<D>& out, index_t begin, index_t end, bool by_place) const {
    const std::unique_ptr<CrowdRecord<D>[]> memory(new (std::nothrow) CrowdRecord<D>[static_cast<std::size_t>(end - begin)]);
    if (!memory) return;
    CrowdRecord<D>* const records = memory.get() - begin;
    for (index_t slot = begin; slot < end; ++slot) {
      CrowdRecord<D>& own = records[slot];
      for (int k = 0; k < D; ++k) own.x[k] = out.x[k][slot];
      own.radius = out.radius[slot], own.id = out.id[slot], own.group = group_ == nullptr ? 0 : group_[own.id];
    }
    if (by_place) {
      offset_t size = together;
      while (size < end - begin) size *= together;
      for (; size >= together; size /= together) order_parts(records, begin, end, size);
    } else {
      std::sort(records + begin, records + end, [](const auto& a, const auto& b) { return a.comes_before(b); });
    }
    for (index_t slot = begin; slot < end; ++slot) {
      const CrowdRecord<D>& own = records[slot];
      for (int k = 0; k < D; ++k) out.x[k][slot] = own.x[k];
      out.radius[slot] = own.radius, out.id[slot] = own.id;
    }
  }

  GridView<D> grid_;
  const index_t* group_ = nullptr;
  std::atomic<std::uint64_t> pairs_ = 0;  // in crowded cells, without the first `least` of each slot
};

}  // namespace hgrid::inline v0_2::detail
