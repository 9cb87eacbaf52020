// SPDX-License-Identifier: BSD-3-Clause
// Levels of particles with extents. Particles that are long along different axes are best on different levels, because a search
// extends along each axis by the largest extents of a level.
#pragma once

#include <vector>

#include "hgrid/plan/planning.hpp"
#include "host/planning/extent.hpp"

namespace hgrid::inline v0_2::detail {

/// A level during planning: particles of extents up to a bound, and cells.
template <int D>
struct ExtentLevel {
  double particles;
  Vec<double, D> bound, cell;
};

/// Returns the cheapest levels that a greedy search finds. It begins with the classes of extents that have particles, and
/// merges two levels as long as there is a gain. Levels are in order of their volume, so no level comes after another one into
/// which its particles would fit.
template <int D>
std::vector<ExtentLevel<D>> extent_levels(const PlanInput<D>& input, const Extent<D>& domain, const SearchCosts& costs);

/// Returns the cost of searches with levels that were planned for other particles.
template <int D>
double cost_of_extents(const Plan<D>& plan, const PlanInput<D>& input, const Extent<D>& domain, const SearchCosts& costs);

extern template std::vector<ExtentLevel<2>> extent_levels(const PlanInput<2>&, const Extent<2>&, const SearchCosts&);
extern template std::vector<ExtentLevel<3>> extent_levels(const PlanInput<3>&, const Extent<3>&, const SearchCosts&);
extern template double cost_of_extents(const Plan<2>&, const PlanInput<2>&, const Extent<2>&, const SearchCosts&);
extern template double cost_of_extents(const Plan<3>&, const PlanInput<3>&, const Extent<3>&, const SearchCosts&);

}  // namespace hgrid::inline v0_2::detail
