// SPDX-License-Identifier: BSD-3-Clause
// Levels of particles with extents. Those that are long along different axes are best on different levels, because a search
// goes as far along each axis as the largest extents of a level.
#pragma once

#include <vector>

#include "hgrid/plan/planning.hpp"
#include "host/planning/extent.hpp"

namespace hgrid::inline v0_2::detail {

/// A level as planning sees it: particles of extents up to a bound, and cells.
template <int D>
struct ExtentLevel {
  double particles;
  Vec<double, D> bound, cell;
};

/// The levels that cost least, of those that a greedy search meets: it begins with the classes of extents that are there, and
/// puts two together as long as that gains. They are in order of their volume, so that none is behind one that its particles
/// would fit.
template <int D>
std::vector<ExtentLevel<D>> extent_levels(const PlanInput<D>& input, const Extent<D>& domain, const SearchCosts& costs);

/// The cost of searches by levels that were planned for other particles.
template <int D>
double cost_of_extents(const Plan<D>& plan, const PlanInput<D>& input, const Extent<D>& domain, const SearchCosts& costs);

extern template std::vector<ExtentLevel<2>> extent_levels(const PlanInput<2>&, const Extent<2>&, const SearchCosts&);
extern template std::vector<ExtentLevel<3>> extent_levels(const PlanInput<3>&, const Extent<3>&, const SearchCosts&);
extern template double cost_of_extents(const Plan<2>&, const PlanInput<2>&, const Extent<2>&, const SearchCosts&);
extern template double cost_of_extents(const Plan<3>&, const PlanInput<3>&, const Extent<3>&, const SearchCosts&);

}  // namespace hgrid::inline v0_2::detail
