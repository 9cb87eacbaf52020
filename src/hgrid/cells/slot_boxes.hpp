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

/// Widens the side [lo, hi] of a box to hold [from, to].
HGRID_HD inline void widen(double& lo, double& hi, double from, double to) {
  lo = from < lo ? from : lo, hi = larger_of(hi, to);
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
      const offset_t from = (i * children + c) * children, to = from + children < slots ? from + children : slots;
      for (int k = 0; k < D; ++k) {  // one axis after the other, which takes fewer registers
        for (offset_t q = from; q < to; ++q) widen(node.lo[k][c], node.hi[k][c], x[k][q], x[k][q]);
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
        for (int k = 0; k < D; ++k) widen(node.lo[k][c], node.hi[k][c], child.lo[k][s], child.hi[k][s]);
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

/// The columns of slots from which facts are made; `group` may be null.
struct FactColumns {
  const double* radius;
  const index_t *group, *id;

  /// Stores the facts of `there` columns from number `from` on.
  HGRID_HD void sum(offset_t from, offset_t there, ChildFacts& facts, int c) const {
    double largest = 0;
    index_t one = there > 0 && group != nullptr ? group[from] : -1, least = INT32_MAX;
    for (offset_t i = from; i < from + there; ++i) {
      largest = larger_of(largest, radius[i]);
      if (group != nullptr) one = one == group[i] ? one : -1;
      least = id[i] < least ? id[i] : least;
    }
    facts.radius[c] = largest, facts.group[c] = one, facts.least_id[c] = least;
  }
};

/// Computes the facts of a node's children, from slots or from the eight children of a node below each.
struct FindFacts {
  static constexpr int children = 8;
  FactColumns slots;
  const ChildFacts* below;  ///< null: compute from slots
  offset_t count;           ///< number of slots or nodes below
  ChildFacts* facts;

  HGRID_HD void operator()(offset_t node) const {
    for (int c = 0; c < children; ++c) {
      const offset_t i = node * children + c, left = below != nullptr ? (i < count ? children : 0) : count - i * children;
      const offset_t there = left < 0 ? 0 : left < children ? left : children;
      if (below == nullptr || there == 0) {
        slots.sum(i * children, there, facts[node], c);
      } else {
        FactColumns{below[i].radius, below[i].group, below[i].least_id}.sum(0, there, facts[node], c);
      }
    }
  }
};

/// Boxes over consecutive particles, with their facts.
template <class Exec, int D>
class CrowdBoxes {
 public:
  /// Builds the boxes. Throws `out_of_memory`; there are then no boxes.
  void build(const Exec& exec, const double* const (&x)[D], const FactColumns& columns, offset_t slots) {
    clear();
    boxes_.build(exec, x, slots);
    const SlotBoxesView<D>& boxes = boxes_.view();
    reserve_all(exec, Need{facts_, boxes.begin[boxes.heights]});
    for (int h = 0; h < boxes.heights; ++h) {
      const ChildFacts* const below = h == 0 ? nullptr : facts_.data() + boxes.begin[h - 1];
      const offset_t there = h == 0 ? slots : boxes.begin[h] - boxes.begin[h - 1];
      exec.for_each("hgrid::find_facts", boxes.begin[h + 1] - boxes.begin[h],
                    FindFacts{columns, below, there, facts_.data() + boxes.begin[h]});
    }
    view_ = {boxes, facts_.data()};
  }
  void clear() { view_ = {}; }

  const CrowdBoxesView<D>& view() const { return view_; }
  std::size_t bytes() const { return boxes_.bytes() + facts_.bytes(); }

 private:
  SlotBoxes<Exec, D> boxes_;
  typename Exec::template Buffer<ChildFacts> facts_;
  CrowdBoxesView<D> view_{};
};

}  // namespace hgrid::inline v0_2::detail
