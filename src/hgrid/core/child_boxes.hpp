// SPDX-License-Identifier: BSD-3-Clause
// A tree of boxes around consecutive particles, which needs no pointers: eight particles each, eight boxes each, and so on.
#pragma once

#include "hgrid/core/macros.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// The boxes of the eight children of a node. A child without particles is infinitely far away.
template <int D>
struct ChildBoxes {
  static constexpr int children = 8;
  double lo[D][children], hi[D][children];
};

/// A view of the tree. Node i of height h has children of 8^(h + 1) particles each.
template <int D>
struct SlotBoxesView {
  static constexpr int most_heights = 11;  // 8^11 exceeds the largest number of slots
  const ChildBoxes<D>* nodes;
  offset_t begin[most_heights + 1];  // first node of each height
  int heights;

  HGRID_HD const ChildBoxes<D>& node(int height, offset_t i) const { return nodes[begin[height] + i]; }
  HGRID_HD static offset_t slots_of_child(int height) { return offset_t{ChildBoxes<D>::children} << (3 * height); }
};

/// Facts about the slots of the eight children of a node.
struct ChildFacts {
  double radius[8];     ///< the largest radius
  index_t group[8];     ///< the group of all of them; -1 if they have none or several groups
  index_t least_id[8];  ///< ghosts have the largest ids
};

/// The tree over the slots of a grid, with facts about each box.
template <int D>
struct CrowdBoxesView : SlotBoxesView<D> {
  const ChildFacts* facts;  ///< of each node
  double radius_scale = 1;  ///< of the facts' radii, in a search that scales the radii of slots

  HGRID_HD const ChildFacts& facts_of(int height, offset_t node) const { return facts[this->begin[height] + node]; }
};

}  // namespace hgrid::inline v0_2::detail
