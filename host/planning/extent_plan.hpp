// SPDX-License-Identifier: BSD-3-Clause
// Plans for particles with extents.
#pragma once

#include "host/planning/extent_levels.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the input with numbers of levels in place of the sample's radii, as in a build of particles with extents.
template <int D>
PlanInput<D> with_level_radii(PlanInput<D> input, const Plan<D>& plan);

/// Returns the plan with the best levels, laid out.
template <int D>
Plan<D> plan_of_extents(const PlanInput<D>& input, const Extent<D>& domain, const GridOptions& options, Plan<D> plan,
                        PlanRecord& record);

extern template PlanInput<2> with_level_radii(PlanInput<2>, const Plan<2>&);
extern template PlanInput<3> with_level_radii(PlanInput<3>, const Plan<3>&);
extern template Plan<2> plan_of_extents(const PlanInput<2>&, const Extent<2>&, const GridOptions&, Plan<2>, PlanRecord&);
extern template Plan<3> plan_of_extents(const PlanInput<3>&, const Extent<3>&, const GridOptions&, Plan<3>, PlanRecord&);

}  // namespace hgrid::inline v0_2::detail
