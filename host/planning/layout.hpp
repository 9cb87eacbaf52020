// SPDX-License-Identifier: BSD-3-Clause
// Where the cells of levels lie: evenly over an extent, or on islands if the extent has a gap, or if far clusters would share
// few cells.
#pragma once

#include <span>
#include <vector>

#include "hgrid/plan/planning.hpp"
#include "host/planning/cost_model.hpp"
#include "host/planning/extent.hpp"
#include "host/planning/sampled_places.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the islands of an axis for cells of a size, and the island that closes them. Particles are in these ascending
/// intervals. Gaps of more than four cells are cut out: an island has one additional cell at either end, and one for the gap.
/// Returns none if that needs more than `limit` cells.
std::vector<Island> islands_of(std::span<const Interval> inhabited, double size, double limit);

/// Fills the plan's levels, islands, table and bits: cells as specified, limited to 8 per particle for a dense table and to the
/// key's range for a compacted one.
template <int D>
void lay_out(const std::vector<LevelSpec>& specs, const Extent<D>& extent, SampledPlaces<D>& sample,
             std::optional<TableKind> table, Plan<D>& plan);

extern template void lay_out(const std::vector<LevelSpec>&, const Extent<2>&, SampledPlaces<2>&, std::optional<TableKind>,
                             Plan<2>&);
extern template void lay_out(const std::vector<LevelSpec>&, const Extent<3>&, SampledPlaces<3>&, std::optional<TableKind>,
                             Plan<3>&);

/// Returns the least cost per particle on islands.
inline double least_price_of_islands(const SearchCosts& costs) { return 0.2 * costs.island; }

/// Returns the cost per particle on a plan's islands. With up to two islands along each axis of every level, hosts choose by
/// vectors.
template <int D>
double price_of_islands(const Plan<D>& plan, const SearchCosts& costs) {
  index_t most = 0;
  for (int h = 0; h < plan.levels.count; ++h) {
    for (int k = 0; k < D; ++k) most = std::max(most, plan.levels.level[h].islands[k]);
  }
  return most == 0 ? 0 : most <= 2 ? least_price_of_islands(costs) : costs.island;
}

}  // namespace hgrid::inline v0_2::detail
