// SPDX-License-Identifier: BSD-3-Clause
// Boxes around consecutive slots of a built grid, boxes around eight of these, and so on: a way to what is near that does not
// mind how far apart particles lie. Slots of one cell, row or world are consecutive, so the boxes are small.
#pragma once

#include "hgrid/core/child_boxes.hpp"
#include "hgrid/core/predicate.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// No key of a particle in a child, of those with a radius up to this one, is smaller under a shift. It is infinite where no
/// particle has its nearest image there.
template <class Point, int D>
HGRID_HD inline double key_of_box(const Point& p, const ChildBoxes<D>& node, int child, const Shift<D>& shift, double radius) {
  double squared = 0;
  Vec<double, D> away;
  for (int k = 0; k < D; ++k) {
    const double below = separated(p.x[k], node.lo[k][child], shift.by[k]);
    const double above = separated(p.x[k], node.hi[k][child], shift.by[k]);
    away[k] = larger_of(larger_of(-below, above), 0.0);
    squared = k == 0 ? mul_rn(away[k], away[k]) : add_rn(squared, mul_rn(away[k], away[k]));
  }
  return p.may_be_nearest_image(away) ? p.key_of(squared, radius) : HUGE_VAL;
}

/// The box of no slots.
template <int D>
HGRID_HD inline void clear_child(ChildBoxes<D>& node, int child) {
  for (int k = 0; k < D; ++k) node.lo[k][child] = HUGE_VAL, node.hi[k][child] = -HUGE_VAL;
}

/// Boxes around eight slots each.
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

/// Boxes around those of the children of `count` nodes below.
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

/// In the executor's memory: 7 bytes a particle in three dimensions.
template <class Exec, int D>
class SlotBoxes {
 public:
  static constexpr int children = ChildBoxes<D>::children;

  /// Builds boxes around `slots` positions. Throws `out_of_memory`, and is then unchanged.
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

}  // namespace hgrid::inline v0_2::detail
