// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/plan.hpp"

#include <algorithm>
#include <cmath>

#include "hgrid/core/reach.hpp"
#include "host/planning/cheapest_plan.hpp"
#include "host/planning/extent_plan.hpp"
#include "host/planning/layout.hpp"

namespace hgrid::inline v0_2::detail {

namespace {

template <int D>
std::vector<double> sampled_radii(const PlanInput<D>& input) {
  std::vector<double> radii;
  for (std::size_t s = D; s < input.sample.size(); s += D + 1) {
    if (input.sample[s] >= 0) radii.push_back(input.sample[s]);
  }
  return radii;
}

// Returns by how much the search of half of the particles is wider than its distances, estimated from a few of them.
template <int D>
double rounding_of_searches(const PlanInput<D>& input) {
  constexpr std::size_t few = 64;
  const std::size_t step = (D + 1) * (input.sample.size() / ((D + 1) * few) | 1);  // odd: particles may alternate
  std::vector<double> far;
  for (std::size_t s = 0; s + D < input.sample.size(); s += step) {
    double most = 0;
    for (std::size_t k = 0; k < D; ++k) most = std::max(most, std::fabs(input.sample[s + k]));
    far.push_back(most);
  }
  if (far.empty()) return 0;
  const auto middle = far.begin() + static_cast<std::ptrdiff_t>(far.size() / 2);
  std::ranges::nth_element(far, middle);
  return 2 * search_reach(0, *middle, 0);
}

// Returns one level of one cell.
template <int D>
std::vector<LevelSpec> one_cell(const PlanInput<D>& input, const Extent<D>& extent) {
  LevelSpec all{std::min(input.radius_max + 0.5 * input.skin, largest_length), {}};
  for (int k = 0; k < D; ++k) all.cell_size[k] = std::clamp(extent.hi[k] - extent.lo[k], smallest_radius, largest_length);
  return {all};
}

}  // namespace

template <int D>
SearchSpace search_space(const PlanInput<D>& input, const Extent<D>& extent, std::span<const RadiusBin> bins) {
  SearchSpace space{PairDensity::of_sample<D>(bins, input.sample, input.sample_world, extent.lo, extent.hi), {}, D};
  space.worlds = static_cast<double>(std::max<std::size_t>(1, input.origins.size()));
  space.share_of_world = input.share_of_world;
  for (int k = 0; k < D; ++k) space.size[static_cast<std::size_t>(k)] = extent.size(k);
  space.rounding = rounding_of_searches(input);
  return space;
}

template <int D>
std::vector<RadiusBin> radius_bins(const PlanInput<D>& input) {
  const std::vector<double> radii = sampled_radii(input);
  if (!input.radii.empty()) return radius_histogram(std::span<const offset_t>(input.radii), radii, input.radius_max);
  const double weight = radii.empty() ? 0 : static_cast<double>(input.particles) / static_cast<double>(radii.size());
  return radius_histogram(radii, weight, input.radius_max);
}

template <int D>
SearchSpace search_space(const PlanInput<D>& input, const Box<D>& box, std::span<const RadiusBin> bins) {
  return search_space(input, extent_of(input, box), bins);
}

template <int D>
double gain_of(const Plan<D>& fresh, const Plan<D>& kept, const PlanInput<D>& input, const Box<D>& box, SearchCosts costs) {
  if (!fresh.extents.empty()) {
    const Extent<D> extent = extent_of(input, box);
    return cost_of_extents(kept, input, extent, costs) / cost_of_extents(fresh, input, extent, costs);
  }
  const auto bins = radius_bins(input);
  const SearchSpace space = search_space(input, box, std::span(bins));
  const auto cost = [&](const Plan<D>& plan) {
    const double islands = price_of_islands(plan, costs) * static_cast<double>(input.particles);
    return islands + cost_of(plan, std::span(bins), space, input.skin, input.rule == Rule::sum, costs);
  };
  return cost(kept) / cost(fresh);
}

template <int D>
Plan<D> make_plan(const PlanInput<D>& input, const Box<D>& box, const GridOptions& options, PlanRecord* record) {
  if (!options.levels.empty()) check_levels(options.levels, D);
  Plan<D> plan;
  plan.skin = input.skin;
  plan.sort = options.sort;
  plan.worlds = static_cast<index_t>(input.origins.size()), plan.origins = input.origins;
  plan.direction = options.direction.value_or(Direction::top_down);
  plan.keys = options.keys.value_or(KeyOrder::row_major);
  const Extent<D> extent = extent_of(input, box);
  PlanRecord unread;
  PlanRecord& done = record != nullptr ? *record : unread;
  if (!input.extent_counts.empty()) return plan_of_extents(input, extent, options, plan, done);
  const bool few = input.particles <= most_in_one_cell && input.origins.empty();
  if (options.levels.empty() && !few) return cheapest_plan(input, extent, options, plan, done);
  SampledPlaces<D> sample(input);
  lay_out(done.levels = options.levels.empty() ? one_cell(input, extent) : options.levels, extent, sample, options.table, plan);
  done.visited += sample.visited();
  return plan;
}

template <int D>
void lay_out_again(const PlanInput<D>& input, const Box<D>& box, std::optional<TableKind> table, PlanRecord& record,
                   Plan<D>& plan) {
  const PlanInput<D> ranked = plan.extents.empty() ? PlanInput<D>{} : with_level_radii(input, plan);
  SampledPlaces<D> sample(plan.extents.empty() ? input : ranked);
  lay_out(record.levels, extent_of(input, box), sample, table, plan);
  record.visited += sample.visited();
}

template std::vector<RadiusBin> radius_bins(const PlanInput<2>&);
template std::vector<RadiusBin> radius_bins(const PlanInput<3>&);
template SearchSpace search_space(const PlanInput<2>&, const Extent<2>&, std::span<const RadiusBin>);
template SearchSpace search_space(const PlanInput<3>&, const Extent<3>&, std::span<const RadiusBin>);
template SearchSpace search_space(const PlanInput<2>&, const Box<2>&, std::span<const RadiusBin>);
template SearchSpace search_space(const PlanInput<3>&, const Box<3>&, std::span<const RadiusBin>);
template double gain_of(const Plan<2>&, const Plan<2>&, const PlanInput<2>&, const Box<2>&, SearchCosts);
template double gain_of(const Plan<3>&, const Plan<3>&, const PlanInput<3>&, const Box<3>&, SearchCosts);
template Plan<2> make_plan(const PlanInput<2>&, const Box<2>&, const GridOptions&, PlanRecord*);
template Plan<3> make_plan(const PlanInput<3>&, const Box<3>&, const GridOptions&, PlanRecord*);
template void lay_out_again(const PlanInput<2>&, const Box<2>&, std::optional<TableKind>, PlanRecord&, Plan<2>&);
template void lay_out_again(const PlanInput<3>&, const Box<3>&, std::optional<TableKind>, PlanRecord&, Plan<3>&);

}  // namespace hgrid::inline v0_2::detail
