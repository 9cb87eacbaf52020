// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/planning/plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "hgrid/host/planning/layout.hpp"
#include "hgrid/host/planning/level_optimiser.hpp"
#include "hgrid/host/planning/occupied_fraction.hpp"
#include "hgrid/host/planning/short_gaps.hpp"

namespace hgrid {

namespace {

template <int D>
void set_axis(Extent<D>& extent, const PlanInput<D>& input, const Box<D>& box, int axis) {
  const auto set = [&](double lo, double hi) { extent.lo[axis] = lo, extent.hi[axis] = hi; };
  if (box.wraps[axis]) return set(box.lo[axis], box.hi[axis]);
  std::vector<double> x;
  for (std::size_t s = 0; s + D < input.sample.size(); s += D + 1) {
    if (input.sample[s + D] >= 0) x.push_back(input.sample[s + axis]);
  }
  if (x.empty()) return input.particles > 0 ? set(input.lo[axis], input.hi[axis]) : set(0, 1);
  const auto tail = [&](double q, auto before) {
    std::vector<double> ends(1 + static_cast<std::size_t>(q * static_cast<double>(x.size() - 1)));
    std::ranges::partial_sort_copy(x, ends, before);
    return ends.back();
  };
  // Those beyond a quantile may all meet in one border cell: sqrt(2 n) of them cost n tests.
  const double q = std::min(0.01, std::sqrt(2.0 / static_cast<double>(input.particles)));
  const double low = tail(q, std::less<>()), high = tail(q, std::greater<>()), margin = 0.25 * (high - low);
  set(std::max(input.lo[axis], low - margin), std::min(input.hi[axis], high + margin));
}

template <int D>
std::vector<double> sampled_radii(const PlanInput<D>& input) {
  std::vector<double> radii;
  for (std::size_t s = D; s < input.sample.size(); s += D + 1) {
    if (input.sample[s] >= 0) radii.push_back(input.sample[s]);
  }
  return radii;
}

// The domain as the cost model sees it.
template <int D>
struct Domain {
  Extent<D> extent;
  double fallback;  ///< a cell of a few particles, where radii say nothing
  double volume;    ///< of what holds particles
};

template <int D>
Domain<D> domain_of(const PlanInput<D>& input, const Box<D>& box) {
  Domain<D> domain{};
  for (int k = 0; k < D; ++k) set_axis(domain.extent, input, box, k);
  std::vector<double> rows = input.sample;
  Extent<D> held = domain.extent;
  double widest = 0;
  for (int k = 0; k < D; ++k) {
    shorten_gaps(rows, D, k, held.lo[k], held.hi[k]);
    widest = std::max(widest, held.size(k));
  }
  const double n = static_cast<double>(input.particles);
  domain.fallback = widest > 0 ? widest / std::max(1.0, std::pow(n / 4, 1.0 / D)) : 1;
  // A void holds no candidates and costs no cells.
  domain.volume = occupied_fraction<D>(rows, held.lo, held.hi);
  for (int k = 0; k < D; ++k) {
    const double reach = 2 * input.radius_max + input.skin;
    domain.volume *= std::max(held.size(k), reach > 0 ? reach : domain.fallback);
  }
  return domain;
}

template <int D>
std::vector<LevelSpec> planned_levels(const PlanInput<D>& input, const Domain<D>& domain, SearchCosts costs,
                                      Plan<D>& plan) {
  const auto bins = radius_bins(input);
  const CostModel model(bins, domain.volume, D, input.skin, plan.direction, costs);
  std::vector<BinLevel> chosen = optimise_levels(model, static_cast<int>(bins.size()));
  plan.weighed = !chosen.empty();
  if (chosen.empty()) chosen = equal_counts(bins);
  std::vector<LevelSpec> specs;
  for (const BinLevel& level : chosen) {
    const double bound = std::min(bins[level.last - 1].radius_max + 0.5 * input.skin, largest_length);
    if (!specs.empty() && !(bound > specs.back().radius_max)) specs.pop_back();  // a huge skin makes radii alike
    const double unit = bound > 0 ? bound : 0.5 * domain.fallback;  // nothing but points: a few to a cell
    const auto size = [&](double shape) { return std::clamp(shape * unit, smallest_radius, largest_length); };
    specs.push_back({bound, {size(level.shape.x), size(level.shape.other), size(level.shape.other)}});
  }
  return specs;
}

// What the model says of a plan's levels, for particles that they need not have been made for.
template <int D>
double cost_of(const Plan<D>& plan, std::span<const RadiusBin> bins, const CostModel& model, double skin) {
  double cost = 0;
  int first = 0;
  for (int h = 0; h < plan.levels.count; ++h) {
    const Level<D>& level = plan.levels.level[h];
    int last = first;
    const auto fits = [&](const RadiusBin& bin) { return bin.radius_max + 0.5 * skin <= level.radius_bound; };
    while (last < static_cast<int>(bins.size()) && (h + 1 == plan.levels.count || fits(bins[last]))) ++last;
    const double unit = last > first ? bins[last - 1].radius_max + 0.5 * skin : 0;
    if (unit > 0) cost += model.cost(first, last, {level.cell_size[0] / unit, level.cell_size[D - 1] / unit});
    first = last;
  }
  return cost;
}

}  // namespace

template <int D>
std::vector<RadiusBin> radius_bins(const PlanInput<D>& input) {
  const std::vector<double> radii = sampled_radii(input);
  if (!input.radii.empty()) return radius_histogram(std::span<const offset_t>(input.radii), radii, input.radius_max);
  const double weight = radii.empty() ? 0 : static_cast<double>(input.particles) / static_cast<double>(radii.size());
  return radius_histogram(radii, weight, input.radius_max);
}

template <int D>
double planned_volume(const PlanInput<D>& input, const Box<D>& box) {
  return domain_of(input, box).volume;
}

template <int D>
double gain_of(const Plan<D>& fresh, const Plan<D>& kept, const PlanInput<D>& input, const Box<D>& box,
               SearchCosts costs) {
  const auto bins = radius_bins(input);
  const CostModel model(bins, planned_volume(input, box), D, input.skin, kept.direction, costs);
  return cost_of(kept, std::span(bins), model, input.skin) / cost_of(fresh, std::span(bins), model, input.skin);
}

void check_levels(const std::vector<LevelSpec>& levels, int dimension) {
  const auto fail = [](const std::string& why, std::size_t index, double value) {
    throw Error(ErrorCode::invalid_levels, why,
                {.argument = "levels", .index = static_cast<std::int64_t>(index), .value = value});
  };
  if (levels.empty() || levels.size() > max_levels) {
    fail("between 1 and 64 levels are possible, got " + std::to_string(levels.size()), levels.size(), 0);
  }
  for (std::size_t h = 0; h < levels.size(); ++h) {
    const double r = levels[h].radius_max;
    const std::string where = "level " + std::to_string(h) + ": ";
    if (!(r >= 0) || r > largest_length) fail(where + "radius_max must be finite and not negative", h, r);
    if (h > 0 && !(r > levels[h - 1].radius_max)) fail(where + "radius_max must exceed the level below", h, r);
    for (int k = 0; k < dimension; ++k) {
      const double s = levels[h].cell_size[k];
      if (!(s >= smallest_radius) || s > largest_length) fail(where + "cell sizes must be in [1e-15, 1e15]", h, s);
    }
  }
}

template <int D>
Plan<D> make_plan(const PlanInput<D>& input, const Box<D>& box, const GridOptions& options) {
  Plan<D> plan;
  plan.skin = input.skin;
  plan.sort = options.sort;
  plan.direction = options.direction.value_or(Direction::top_down);
  plan.keys = options.keys.value_or(KeyOrder::row_major);
  const Domain<D> domain = domain_of(input, box);
  std::vector<LevelSpec> specs = options.levels;
  if (specs.empty()) specs = planned_levels<D>(input, domain, options.costs.value_or(input.costs), plan);
  do {
    check_levels(specs, D);
    lay_out(specs, domain.extent, input, options.table, plan);
  } while (options.levels.empty() && split_crowded_level(input, plan, specs));
  return plan;
}

template std::vector<RadiusBin> radius_bins(const PlanInput<2>&);
template std::vector<RadiusBin> radius_bins(const PlanInput<3>&);
template double planned_volume(const PlanInput<2>&, const Box<2>&);
template double planned_volume(const PlanInput<3>&, const Box<3>&);
template double gain_of(const Plan<2>&, const Plan<2>&, const PlanInput<2>&, const Box<2>&, SearchCosts);
template double gain_of(const Plan<3>&, const Plan<3>&, const PlanInput<3>&, const Box<3>&, SearchCosts);
template Plan<2> make_plan(const PlanInput<2>&, const Box<2>&, const GridOptions&);
template Plan<3> make_plan(const PlanInput<3>&, const Box<3>&, const GridOptions&);

}  // namespace hgrid
