// SPDX-License-Identifier: BSD-3-Clause
// Builds the boxes over slots of a built grid (core/slot_boxes.hpp).
#pragma once

#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/slot_boxes.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// Adds a box to the box of a child, of which it is the `first` or a later one.
template <int D>
HGRID_HD void widen(ChildBoxes<D>& node, int child, const ChildBoxes<D>& by, int c, bool first) {
  for (int k = 0; k < D; ++k) {
    node.lo[k][child] = first ? by.lo[k][c] : std::fmin(node.lo[k][child], by.lo[k][c]);
    node.hi[k][child] = first ? by.hi[k][c] : std::fmax(node.hi[k][child], by.hi[k][c]);
  }
  node.radius[child] = first ? by.radius[c] : larger_of(node.radius[child], by.radius[c]);
  node.group[child] = first || node.group[child] == by.group[c] ? by.group[c] : -1;
  node.least_id[child] = first || by.least_id[c] < node.least_id[child] ? by.least_id[c] : node.least_id[child];
}

/// Makes the box of a child hold no slots.
template <int D>
HGRID_HD void clear_child(ChildBoxes<D>& node, int child) {
  for (int k = 0; k < D; ++k) node.lo[k][child] = HUGE_VAL, node.hi[k][child] = -HUGE_VAL;
  node.radius[child] = 0, node.group[child] = -1, node.least_id[child] = 0;
}

/// Makes the boxes around eight slots each.
template <int D>
struct BoxSlots {
  static constexpr int children = ChildBoxes<D>::children;
  GridView<D> grid;
  offset_t slots;
  ChildBoxes<D>* nodes;

  HGRID_HD void operator()(offset_t i) const {
    ChildBoxes<D> slot;
    for (int c = 0; c < children; ++c) {
      clear_child(nodes[i], c);
      const offset_t from = (i * children + c) * children, to = from + children;
      for (offset_t q = from; q < to && q < slots; ++q) {
        for (int k = 0; k < D; ++k) slot.lo[k][0] = slot.hi[k][0] = grid.x[k][q];
        slot.radius[0] = grid.radius[q], slot.least_id[0] = grid.id[q];
        slot.group[0] = grid.pair_filter.group == nullptr ? -1 : grid.pair_filter.group[q];
        widen(nodes[i], c, slot, 0, q == from);
      }
    }
  }
};

/// Makes boxes around the boxes of the children of `count` nodes below.
template <int D>
struct BoxBoxes {
  static constexpr int children = ChildBoxes<D>::children;
  const ChildBoxes<D>* nodes_below;
  offset_t count;
  ChildBoxes<D>* nodes;

  HGRID_HD void operator()(offset_t i) const {
    for (int c = 0; c < children; ++c) {
      clear_child(nodes[i], c);
      const offset_t below = i * children + c;
      for (int s = 0; s < children && below < count; ++s) {
        if (nodes_below[below].lo[0][s] <= nodes_below[below].hi[0][s]) widen(nodes[i], c, nodes_below[below], s, s == 0);
      }
    }
  }
};

/// In the executor's memory: 9 bytes a particle in three dimensions.
template <class Exec, int D>
class SlotBoxes {
 public:
  static constexpr int children = ChildBoxes<D>::children;

  /// Makes the boxes of a grid of `slots` slots. Throws `out_of_memory`, and they are unchanged then.
  void build(const Exec& exec, const GridView<D>& g, offset_t slots) {
    SlotBoxesView<D> fresh{};
    const offset_t slots_each = offset_t{children} * children;
    fresh.heights = 1;
    fresh.begin[1] = static_cast<index_t>((slots + slots_each - 1) / slots_each);
    for (int h = 1; fresh.begin[h] - fresh.begin[h - 1] > 1; fresh.heights = ++h) {
      fresh.begin[h + 1] = fresh.begin[h] + (fresh.begin[h] - fresh.begin[h - 1] + children - 1) / children;
    }
    reserve_all(exec, Need{nodes_, fresh.begin[fresh.heights]});
    fresh.nodes = nodes_.data();
    view_ = fresh;
    exec.for_each("hgrid::box_slots", fresh.begin[1], BoxSlots<D>{g, slots, nodes_.data()});
    for (int h = 1; h < fresh.heights; ++h) {
      const offset_t below = fresh.begin[h - 1], begin = fresh.begin[h];
      exec.for_each("hgrid::box_boxes", fresh.begin[h + 1] - begin,
                    BoxBoxes<D>{nodes_.data() + below, begin - below, nodes_.data() + begin});
    }
  }

  void clear() { view_.heights = 0; }

  const SlotBoxesView<D>& view() const { return view_; }
  int heights() const { return view_.heights; }
  const ChildBoxes<D>& node(int height, offset_t i) const { return view_.node(height, i); }
  static offset_t slots_of_child(int height) { return SlotBoxesView<D>::slots_of_child(height); }
  std::size_t bytes() const { return nodes_.bytes(); }

 private:
  typename Exec::template Buffer<ChildBoxes<D>> nodes_;
  SlotBoxesView<D> view_{};
};

}  // namespace hgrid::inline v0_2::detail
