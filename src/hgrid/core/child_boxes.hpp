// SPDX-License-Identifier: BSD-3-Clause
// A tree of boxes around consecutive particles, which needs no pointers: eight particles each, eight boxes each, and so on.
#pragma once

#include "hgrid/core/macros.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// The boxes of the eight children of a node; a child without particles is infinitely far away.
template <int D>
struct ChildBoxes {
  static constexpr int children = 8;
  double lo[D][children], hi[D][children];
};

/// The tree for those that look into it: node i of height h has children of 8^(h + 1) particles each.
template <int D>
struct SlotBoxesView {
  static constexpr int most_heights = 11;  // 8^11 exceeds the slots that there may be
  const ChildBoxes<D>* nodes;
  offset_t begin[most_heights + 1];  // of each height
  int heights;

  HGRID_HD const ChildBoxes<D>& node(int height, offset_t i) const { return nodes[begin[height] + i]; }
  HGRID_HD static offset_t slots_of_child(int height) { return offset_t{ChildBoxes<D>::children} << (3 * height); }
};

/// The largest radius, the group and the least id of the particles in a box.
struct BoxFacts {
  double radius;     ///< the largest
  index_t group;     ///< of all; -1 where they have none, or several
  index_t least_id;  ///< ghosts have ids from some number on
};

/// The tree over the slots of a grid.
template <int D>
struct CrowdBoxesView : SlotBoxesView<D> {
  const BoxFacts* facts;  ///< of each child of each node

  HGRID_HD const BoxFacts& facts_of(int height, offset_t child) const {
    return facts[ChildBoxes<D>::children * this->begin[height] + child];
  }
};

}  // namespace hgrid::inline v0_2::detail
