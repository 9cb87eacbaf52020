// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/extent_plan.hpp"

#include <algorithm>

#include "hgrid/inputs/extents.hpp"
#include "host/planning/layout.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
PlanInput<D> with_level_radii(PlanInput<D> input, const Plan<D>& plan) {
  const ExtentBounds<D> bounds(plan);
  for (std::size_t s = 0; s * D < input.extents.size(); ++s) {
    double& radius = input.sample[s * (D + 1) + D];
    const auto extent = [&](int k) { return input.extents[s * D + static_cast<std::size_t>(k)]; };
    if (radius >= 0) radius = radius_of_level(bounds.level_of(extent));
  }
  return input;
}

template <int D>
Plan<D> plan_of_extents(const PlanInput<D>& input, const Extent<D>& domain, const GridOptions& options, Plan<D> plan,
                        PlanRecord& record) {
  for (const ExtentLevel<D>& level : extent_levels(input, domain, options.costs.value_or(input.costs))) {
    LevelSpec spec{radius_of_level(static_cast<int>(plan.extents.size())), {}};
    std::copy_n(level.cell.v, D, spec.cell_size);
    record.levels.push_back(spec);
    plan.extents.push_back(level.bound);
  }
  const PlanInput<D> ranked = with_level_radii(input, plan);
  SampledPlaces<D> sample(ranked);
  lay_out(record.levels, domain, sample, options.table, plan);
  record.visited += sample.visited();
  return plan;
}

template PlanInput<2> with_level_radii(PlanInput<2>, const Plan<2>&);
template PlanInput<3> with_level_radii(PlanInput<3>, const Plan<3>&);
template Plan<2> plan_of_extents(const PlanInput<2>&, const Extent<2>&, const GridOptions&, Plan<2>, PlanRecord&);
template Plan<3> plan_of_extents(const PlanInput<3>&, const Extent<3>&, const GridOptions&, Plan<3>, PlanRecord&);

}  // namespace hgrid::inline v0_2::detail
