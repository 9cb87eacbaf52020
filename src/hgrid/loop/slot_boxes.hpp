// SPDX-License-Identifier: BSD-3-Clause
// Boxes around consecutive slots of a built grid, boxes around eight of these, and so on: a way to what is near that does not
// mind how far apart particles lie. Slots of one cell, row or world are consecutive, so the boxes are small.
#pragma once

#include "hgrid/core/grid_view.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// The boxes of the eight children of a node; that of a child without slots is infinitely far away.
template <int D>
struct ChildBoxes {
  static constexpr int children = 8;
  double lo[D][children], hi[D][children];
};

/// Node i of height h has children of 8^(h + 1) slots each. In the executor's memory: 7 bytes a particle in three dimensions.
template <class Exec, int D>
class SlotBoxes {
 public:
  static constexpr int children = ChildBoxes<D>::children;

  /// Throws `out_of_memory`, and is then unchanged.
  void build(const Exec& exec, const GridView<D>& g) {
    offset_t begin[most_heights + 1] = {}, slots_each = offset_t{children} * children;
    int heights = 1;
    begin[1] = (g.slots() + slots_each - 1) / slots_each;
    for (; begin[heights] - begin[heights - 1] > 1; ++heights) {
      begin[heights + 1] = begin[heights] + (begin[heights] - begin[heights - 1] + children - 1) / children;
    }
    reserve_all(exec, Need{nodes_, begin[heights]});
    heights_ = heights;
    for (int h = 0; h <= heights; ++h) begin_[h] = begin[h];
    exec.for_each("hgrid::box_slots", begin[1], [this, &g](offset_t i) { box_slots(g, i); });
    for (int h = 1; h < heights; ++h) {
      exec.for_each("hgrid::box_boxes", begin[h + 1] - begin[h], [this, h](offset_t i) { box_boxes(h, i); });
    }
  }

  int heights() const { return heights_; }
  const ChildBoxes<D>& node(int height, offset_t i) const { return nodes_.data()[begin_[height] + i]; }
  static offset_t slots_of_child(int height) { return offset_t{children} << (3 * height); }
  std::size_t bytes() const { return nodes_.bytes(); }

 private:
  static constexpr int most_heights = 11;  // 8^11 exceeds the slots that there may be

  static void clear(ChildBoxes<D>& node, int child) {
    for (int k = 0; k < D; ++k) node.lo[k][child] = HUGE_VAL, node.hi[k][child] = -HUGE_VAL;
  }

  void box_slots(const GridView<D>& g, offset_t i) {
    ChildBoxes<D>& node = nodes_.data()[i];
    for (int c = 0; c < children; ++c) {
      clear(node, c);
      const offset_t from = (i * children + c) * children, to = from + children;
      for (offset_t q = from; q < to && q < g.slots(); ++q) {
        for (int k = 0; k < D; ++k) {
          node.lo[k][c] = std::fmin(node.lo[k][c], g.x[k][q]);
          node.hi[k][c] = std::fmax(node.hi[k][c], g.x[k][q]);
        }
      }
    }
  }

  void box_boxes(int h, offset_t i) {
    ChildBoxes<D>& node = nodes_.data()[begin_[h] + i];
    for (int c = 0; c < children; ++c) {
      clear(node, c);
      const offset_t below = begin_[h - 1] + i * children + c;
      for (int s = 0; s < children && below < begin_[h]; ++s) {
        const ChildBoxes<D>& child = nodes_.data()[below];
        for (int k = 0; k < D; ++k) {
          node.lo[k][c] = std::fmin(node.lo[k][c], child.lo[k][s]);
          node.hi[k][c] = std::fmax(node.hi[k][c], child.hi[k][s]);
        }
      }
    }
  }

  typename Exec::template Buffer<ChildBoxes<D>> nodes_;
  offset_t begin_[most_heights + 1] = {};  // of each height
  int heights_ = 0;
};

}  // namespace hgrid::inline v0_2::detail
