// SPDX-License-Identifier: BSD-3-Clause
// Boxes around consecutive slots of a built grid, boxes around eight of these, and so on: a way to what is near that does not
// mind how far apart particles lie. Slots of one cell, row or world are consecutive, so the boxes are small.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// The boxes of the eight children of a node. The box of a child without slots is infinitely far away.
template <int D>
struct ChildBoxes {
  static constexpr int children = 8;
  double lo[D][children], hi[D][children], radius[children];  ///< the largest radius
  index_t group[children];                                    ///< of all its slots; -1 where they have none, or several
  index_t least_id[children];                                 ///< ghosts have ids from some number on
};

/// The boxes, for whoever looks into them: node i of height h has children of 8^(h + 1) slots each.
template <int D>
struct SlotBoxesView {
  static constexpr int most_heights = 10;  // 8^11 exceeds the slots that there may be
  const ChildBoxes<D>* nodes;
  index_t begin[most_heights + 1];  // of each height
  int heights;                      // 0 where there are no boxes

  HGRID_HD const ChildBoxes<D>& node(int height, offset_t i) const { return nodes[begin[height] + i]; }
  HGRID_HD static offset_t slots_of_child(int height) { return offset_t{ChildBoxes<D>::children} << (3 * height); }
};

}  // namespace hgrid::inline v0_2::detail
