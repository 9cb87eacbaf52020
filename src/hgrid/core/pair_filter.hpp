// SPDX-License-Identifier: BSD-3-Clause
// Decides which touching particles are reported as a pair: one filter for every schedule of the search. Ghosts, groups,
// exclusions and cut-offs by type use it.
#pragma once

#include "hgrid/core/exclusions.hpp"

namespace hgrid::inline v0_2::detail {

/// One particle of a pair, for the filter.
struct PairMember {
  index_t id, slot;
};

/// Cut-off distances by type, as a build keeps them.
struct CutoffTable {
  const index_t* type;  ///< type of each id, or null
  const double* distance;
  index_t types;

  HGRID_HD double of(index_t i, index_t j) const { return between(type[i], type[j]); }
  HGRID_HD double between(index_t s, index_t t) const { return distance[offset_t{s} * types + t]; }
};

/// Must not depend on the side: reports(i, j, m) = reports(j, i, -m), since a search meets a pair from either side.
struct PairFilter {
  const index_t* group;  ///< of each slot, or null; particles of one group id >= 0 never pair
  ExclusionTable exclusions;
  CutoffTable cutoffs;
  index_t owned;   ///< ids from here on are ghosts, which do not pair with each other
  bool selective;  ///< some pair may be rejected; if false, the other members are not read

  /// Returns the filter of a grid of `particles` particles.
  static PairFilter of(const index_t* group, const ExclusionTable& exclusions, const CutoffTable& cutoffs, index_t owned,
                       offset_t particles) {
    const bool any = group != nullptr || exclusions.listed != nullptr || cutoffs.type != nullptr;
    return {group, exclusions, cutoffs, owned, any || owned < particles};
  }

  /// Returns whether touching particles i and j are reported, provided that they are within the cut-off of their types. The
  /// image is the one between positions as the user passed them.
  HGRID_HD bool reports(const PairMember& i, const PairMember& j, const Image& /*image*/) const {
    if (group != nullptr && group[i.slot] >= 0 && group[i.slot] == group[j.slot]) return false;
    return reports_ids(i.id, j.id);
  }

  /// Returns whether ids suffice to decide.
  HGRID_HD bool knows_by_ids() const { return group == nullptr && cutoffs.type == nullptr; }

  /// Returns whether a pair is reported, if ids suffice to decide.
  HGRID_HD bool reports_ids(index_t i, index_t j) const {
    if (i >= owned && j >= owned) return false;
    return exclusions.listed == nullptr || !exclusions.excludes(i, j);
  }
};

}  // namespace hgrid::inline v0_2::detail
