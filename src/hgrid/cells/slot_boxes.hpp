// SPDX-License-Identifier: BSD-3-Clause
// Builds boxes over consecutive positions (core/child_boxes.hpp), and over the slots of a grid.
#pragma once

#include "hgrid/core/grid_view.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// Clears the box of a child, which then holds no slots.
template <int D>
HGRID_HD inline void clear_child(ChildBoxes<D>& node, int child) {
  for (int k = 0; k < D; ++k) node.lo[k][child] = HUGE_VAL, node.hi[k][child] = -HUGE_VAL;
}

/// Fills boxes around eight slots each.
template <int D>
struct BoxSlots {
  static constexpr int children = ChildBoxes<D>::children;
  Vec<const double*, D> x;
  offset_t slots;
  ChildBoxes<D>* nodes;

  HGRID_HD void operator()(offset_t i) const {
    ChildBoxes<D>& node = nodes[i];
    for (int c = 0; c < children; ++c) {
      clear_child(node, c);
      const offset_t from = (i * children + c) * children, to = from + children;
      for (offset_t q = from; q < to && q < slots; ++q) {
        for (int k = 0; k < D; ++k) {
          node.lo[k][c] = std::fmin(node.lo[k][c], x[k][q]);
          node.hi[k][c] = std::fmax(node.hi[k][c], x[k][q]);
        }
      }
    }
  }
};

/// Fills boxes around the boxes of the children of the `count` nodes one height below.
template <int D>
struct BoxBoxes {
  static constexpr int children = ChildBoxes<D>::children;
  const ChildBoxes<D>* nodes_below;
  offset_t count;
  ChildBoxes<D>* nodes;

  HGRID_HD void operator()(offset_t i) const {
    ChildBoxes<D>& node = nodes[i];
    for (int c = 0; c < children; ++c) {
      clear_child(node, c);
      const offset_t below = i * children + c;
      for (int s = 0; s < children && below < count; ++s) {
        const ChildBoxes<D>& child = nodes_below[below];
        for (int k = 0; k < D; ++k) {
          node.lo[k][c] = std::fmin(node.lo[k][c], child.lo[k][s]);
          node.hi[k][c] = std::fmax(node.hi[k][c], child.hi[k][s]);
        }
      }
    }
  }
};

/// A tree of boxes in the executor's memory: 7 bytes per particle in three dimensions.
template <class Exec, int D>
class SlotBoxes {
 public:
  static constexpr int children = ChildBoxes<D>::children;

  /// Builds boxes around `slots` positions. Throws `out_of_memory`; the tree is then unchanged.
  void build(const Exec& exec, const double* const (&x_of)[D], offset_t slots) {
    SlotBoxesView<D> fresh{};
    const offset_t slots_each = offset_t{children} * children;
    fresh.heights = 1;
    fresh.begin[1] = (slots + slots_each - 1) / slots_each;
    for (int h = 1; fresh.begin[h] - fresh.begin[h - 1] > 1; fresh.heights = ++h) {
      fresh.begin[h + 1] = fresh.begin[h] + (fresh.begin[h] - fresh.begin[h - 1] + children - 1) / children;
    }
    reserve_all(exec, Need{nodes_, fresh.begin[fresh.heights]});
    fresh.nodes = nodes_.data();
    view_ = fresh;
    Vec<const double*, D> x;
    for (int k = 0; k < D; ++k) x[k] = x_of[k];
    exec.for_each("hgrid::box_slots", fresh.begin[1], BoxSlots<D>{x, slots, nodes_.data()});
    for (int h = 1; h < fresh.heights; ++h) {
      const offset_t below = fresh.begin[h - 1], begin = fresh.begin[h];
      exec.for_each("hgrid::box_boxes", fresh.begin[h + 1] - begin,
                    BoxBoxes<D>{nodes_.data() + below, begin - below, nodes_.data() + begin});
    }
  }

  const SlotBoxesView<D>& view() const { return view_; }
  int heights() const { return view_.heights; }
  const ChildBoxes<D>& node(int height, offset_t i) const { return view_.node(height, i); }
  static offset_t slots_of_child(int height) { return SlotBoxesView<D>::slots_of_child(height); }
  std::size_t bytes() const { return nodes_.bytes(); }

 private:
  typename Exec::template Buffer<ChildBoxes<D>> nodes_;
  SlotBoxesView<D> view_{};
};

/// Computes the facts of a node's children, from slots or from eight children below each.
template <int D>
struct FindFacts {
  GridView<D> grid;
  const BoxFacts* below;  ///< null: compute from slots
  offset_t count;         ///< number of children or slots below
  BoxFacts* facts;

  HGRID_HD void operator()(offset_t child) const {
    constexpr int children = ChildBoxes<D>::children;
    const index_t* const group = grid.pair_filter.group;
    BoxFacts all{0, -1, 0};
    for (offset_t i = child * children; i < (child + 1) * children && i < count; ++i) {
      const BoxFacts its = below != nullptr ? below[i] : BoxFacts{grid.radius[i], group == nullptr ? -1 : group[i], grid.id[i]};
      const bool first = i == child * children;
      all.radius = larger_of(all.radius, its.radius);
      all.group = first || all.group == its.group ? its.group : -1;
      all.least_id = first || its.least_id < all.least_id ? its.least_id : all.least_id;
    }
    facts[child] = all;
  }
};

/// The boxes over the slots of a grid, with their facts.
template <class Exec, int D>
class CrowdBoxes {
 public:
  /// Builds the boxes. Throws `out_of_memory`; there are then no boxes.
  void build(const Exec& exec, const GridView<D>& g, offset_t slots) {
    constexpr int children = ChildBoxes<D>::children;
    clear();
    boxes_.build(exec, g.x, slots);
    const SlotBoxesView<D>& boxes = boxes_.view();
    reserve_all(exec, Need{facts_, children * boxes.begin[boxes.heights]});
    for (int h = 0; h < boxes.heights; ++h) {
      const BoxFacts* const below = h == 0 ? nullptr : facts_.data() + children * boxes.begin[h - 1];
      const offset_t there = h == 0 ? slots : children * (boxes.begin[h] - boxes.begin[h - 1]);
      exec.for_each("hgrid::find_facts", children * (boxes.begin[h + 1] - boxes.begin[h]),
                    FindFacts<D>{g, below, there, facts_.data() + children * boxes.begin[h]});
    }
    view_ = {boxes, facts_.data()};
  }
  void clear() { view_ = {}; }

  const CrowdBoxesView<D>& view() const { return view_; }
  std::size_t bytes() const { return boxes_.bytes() + facts_.bytes(); }

 private:
  SlotBoxes<Exec, D> boxes_;
  typename Exec::template Buffer<BoxFacts> facts_;
  CrowdBoxesView<D> view_{};
};

}  // namespace hgrid::inline v0_2::detail
