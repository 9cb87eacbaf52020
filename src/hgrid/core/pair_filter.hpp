// SPDX-License-Identifier: BSD-3-Clause
// Which particles that touch are reported as a pair: one rule, asked by every schedule of the search. Ghosts and groups
// fill it.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_1::detail {

/// A particle of a pair, as the filter is asked about it.
struct PairMember {
  index_t id, slot;
};

/// The rule must not depend on the side: reports(i, j, m) = reports(j, i, -m), since a search meets a pair from either.
struct PairFilter {
  const index_t* group;  ///< of each slot, or null; particles of one group id >= 0 never pair
  index_t owned;         ///< ids from here on are ghosts, which do not pair with each other
  bool selective;        ///< some pair may be held back; else nobody asks further

  /// The filter of a grid of `particles` particles.
  static PairFilter of(const index_t* group, index_t owned, offset_t particles) {
    return {group, owned, group != nullptr || owned < particles};
  }

  /// Whether particles i and j, which touch under this image (of positions as they were passed), are reported.
  HGRID_HD bool reports(const PairMember& i, const PairMember& j, const Image& /*image*/) const {
    if (i.id >= owned && j.id >= owned) return false;
    return group == nullptr || group[i.slot] < 0 || group[i.slot] != group[j.slot];
  }
};

}  // namespace hgrid::inline v0_1::detail
