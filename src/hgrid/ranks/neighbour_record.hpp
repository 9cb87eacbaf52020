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

}  // namespace hgrid::inline v0_1::detail
