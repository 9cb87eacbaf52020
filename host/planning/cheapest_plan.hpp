// SPDX-License-Identifier: BSD-3-Clause
// The levels, cells, table and direction with the least cost by the model.
#pragma once

#include <span>

#include "hgrid/plan/planning.hpp"
#include "host/planning/cost_model.hpp"
#include "host/planning/extent.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the cost of a plan's levels by the model, for particles for which they need not have been planned.
template <int D>
double cost_of(const Plan<D>& plan, std::span<const RadiusBin> bins, const SearchSpace& space, double skin, bool radii_add,
               const SearchCosts& costs);

/// Chooses everything that the options leave open; `start` has the rest. Returns levels of equal counts if costs are not
/// finite.
template <int D>
Plan<D> cheapest_plan(const PlanInput<D>& input, const Extent<D>& extent, const GridOptions& options, const Plan<D>& start,
                      PlanRecord& record);

extern template double cost_of(const Plan<2>&, std::span<const RadiusBin>, const SearchSpace&, double, bool,
                               const SearchCosts&);
extern template double cost_of(const Plan<3>&, std::span<const RadiusBin>, const SearchSpace&, double, bool,
                               const SearchCosts&);
extern template Plan<2> cheapest_plan(const PlanInput<2>&, const Extent<2>&, const GridOptions&, const Plan<2>&, PlanRecord&);
extern template Plan<3> cheapest_plan(const PlanInput<3>&, const Extent<3>&, const GridOptions&, const Plan<3>&, PlanRecord&);

}  // namespace hgrid::inline v0_2::detail
