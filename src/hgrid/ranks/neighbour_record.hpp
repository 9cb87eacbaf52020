// SPDX-License-Identifier: BSD-3-Clause
// A contact as it travels between ranks, and to the lists that are by global ids.
#pragma once

#include "hgrid/core/contact.hpp"

namespace hgrid::inline v0_1::detail {

/// A contact seen from one of its particles, which has a number that each rank knows for itself; or a particle in a region.
struct NeighbourRecord {
  index_t particle;
  Image image;
  std::int64_t neighbour;
};

/// The rank that a particle goes to, and its place there: among all that stay, or among those that go to that rank. -1:
/// nowhere.
struct Destination {
  int rank;
  index_t place;
};

/// Where the particles of rank `here` go: the first ones stay as they are.
struct MovesView {
  int here;
  index_t first;
  const Destination* others;

  HGRID_HD Destination of(index_t i) const { return i < first ? Destination{here, i} : others[i - first]; }
};

}  // namespace hgrid::inline v0_1::detail
