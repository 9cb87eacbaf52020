// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/plan.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "host/planning/extent_plan.hpp"
#include "host/planning/layout.hpp"
#include "host/planning/level_optimiser.hpp"

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

// The domain as the cost model sees it.
template <int D>
struct Domain {
  Extent<D> extent;
  double fallback;  ///< a cell of a few particles, where radii say nothing
};

template <int D>
Domain<D> domain_of(const PlanInput<D>& input, const Box<D>& box) {
  Domain<D> domain{extent_of(input, box), 1};
  double widest = 0;
  for (int k = 0; k < D; ++k) widest = std::max(widest, domain.extent.size(k));
  const double n = static_cast<double>(input.particles) * input.share_of_world;
  if (widest > 0) domain.fallback = widest / std::max(1.0, std::pow(n / 4, 1.0 / D));
  return domain;
}

template <int D>
SearchSpace space_of(const PlanInput<D>& input, const Extent<D>& extent, std::span<const RadiusBin> bins) {
  SearchSpace space{PairDensity::of_sample<D>(bins, input.sample, input.sample_world, extent.lo, extent.hi), {}, D};
  space.worlds = static_cast<double>(std::max<std::size_t>(1, input.origins.size()));
  space.share_of_world = input.share_of_world;
  for (int k = 0; k < D; ++k) space.size[static_cast<std::size_t>(k)] = extent.size(k);
  return space;
}

template <int D>
std::vector<LevelSpec> specs_of(const std::vector<BinLevel>& levels, std::span<const RadiusBin> bins, const Domain<D>& domain,
                                double skin, bool radii_add) {
  std::vector<LevelSpec> specs;
  for (const BinLevel& level : levels) {
    const double bound = std::min(bins[level.last - 1].radius_max + 0.5 * skin, largest_length);
    if (!specs.empty() && !(bound > specs.back().radius_max)) specs.pop_back();  // a huge skin makes radii alike
    const double half = shape_unit(radii_add, bins[level.last - 1].radius_max, skin);
    const double unit =
        half > 0 ? std::min(half, largest_length) : 0.5 * domain.fallback;  // nothing but points: a few to a cell
    const auto size = [&](double shape) { return std::clamp(shape * unit, smallest_radius, largest_length); };
    specs.push_back({bound, {size(level.shape.x), size(level.shape.other), size(level.shape.other)}});
  }
  return specs;
}

// What the model says of a plan's levels, for particles that they need not have been made for.
template <int D>
double cost_of(const Plan<D>& plan, std::span<const RadiusBin> bins, const SearchSpace& space, double skin, bool radii_add,
               SearchCosts costs) {
  const CostModel model(bins, space, skin,
                        {.direction = plan.direction, .keys = plan.keys, .table = plan.table, .radii_add = radii_add}, costs);
  SearchWork steps;
  int first = 0;
  for (int h = 0; h < plan.levels.count; ++h) {
    const Level<D>& level = plan.levels.level[h];
    int last = first;
    const auto fits = [&](const RadiusBin& bin) { return bin.radius_max + 0.5 * skin <= level.radius_bound; };
    while (last < static_cast<int>(bins.size()) && (h + 1 == plan.levels.count || fits(bins[last]))) ++last;
    const double unit = last > first ? shape_unit(radii_add, bins[last - 1].radius_max, skin) : 0;
    if (unit > 0) steps += model.work(first, last, {level.cell_size[0] / unit, level.cell_size[D - 1] / unit});
    first = last;
  }
  if (plan.table == TableKind::dense) steps.cells = static_cast<double>(plan.levels.cells);
  return steps.cost(costs);
}

/// A plan, the levels that its cells were laid out for, and what it costs by the model.
template <int D>
struct Candidate {
  Plan<D> plan;
  std::vector<LevelSpec> levels;
  double cost = HUGE_VAL;
};

template <int D>
using Found = std::unique_ptr<Candidate<D>>;

template <int D>
double cost_of(const Found<D>& found) {
  return found ? found->cost : HUGE_VAL;
}

// Plans that the options leave open, and what they cost by the model.
template <int D>
class Planning {
 public:
  Planning(const PlanInput<D>& input, const Domain<D>& domain, const GridOptions& options)
      : input_(input),
        sample_(input),
        domain_(domain),
        costs_(options.costs.value_or(input.costs)),
        bins_(radius_bins(input)),
        space_(space_of(input, domain.extent, std::span(bins_))),
        radii_add_(input.rule == Rule::sum) {}

  /// The least cost of each particle of a compacted table.
  double least_of_compacted() const {
    return (costs_.compacted_slot + costs_.setup + costs_.compacted_row) * static_cast<double>(input_.particles);
  }
  /// That of all particles on islands, besides the steps: on many, or on those of a plan.
  double cost_of_islands() const { return costs_.island * static_cast<double>(input_.particles); }
  double cost_of_islands(const Plan<D>& plan) const {
    return price_of_islands(plan, costs_) * static_cast<double>(input_.particles);
  }

  /// The best levels for the direction, the keys and the table of a plan, laid out: cells may be coarser than the best then,
  /// so the cost is that of the layout. None if levels cannot be weighed.
  Found<D> best(const Plan<D>& start) {
    Found<D> found;
    for (const double share : {0.95, 0.5}) {  // of all cells that a dense table may have, for one level
      const CostModel model(bins_, space_, input_.skin, {start.direction, start.keys, start.table, share, radii_add_}, costs_);
      const BinLevels best = optimised(model);
      if (best.levels.empty()) break;
      Found<D> laid_out = lay_out_levels(best.levels, start.table, start);
      const double cost = laid_out->cost = weighed(laid_out->plan);
      if (cost < cost_of(found)) found = std::move(laid_out);
      if (cost < 1.05 * best.cost) break;  // else levels together had too many cells
    }
    return found;
  }

  /// The best levels of a dense table if empty cells cost nothing, where islands make them few. None if there are no islands.
  /// With `more`, levels that would not pay otherwise: sizes that are everywhere hide the clusters of others.
  Found<D> best_on_islands(const Plan<D>& start, bool more = false) {
    SearchCosts costs = costs_;
    if (more) costs.setup = 0;
    costs.compacted_row = costs_.row;
    const SearchKind kind{
        .direction = start.direction, .keys = start.keys, .table = TableKind::compacted, .radii_add = radii_add_};
    const BinLevels best = optimised(CostModel(bins_, space_, input_.skin, kind, costs));
    if (best.levels.empty()) return {};
    Found<D> laid_out = lay_out_levels(best.levels, TableKind::dense, start);
    if (laid_out->plan.islands.empty()) return {};
    laid_out->cost = cost_of_islands(laid_out->plan) + weighed(laid_out->plan);
    return laid_out;
  }

  int optimised() const { return optimised_; }
  offset_t visited() const { return sample_.visited(); }

  Found<D> unweighed(const Plan<D>& start, std::optional<TableKind> table) {
    Found<D> laid_out = lay_out_levels(equal_counts(bins_), table, start);
    laid_out->plan.weighed = false;
    return laid_out;
  }

 private:
  BinLevels optimised(const CostModel& model) {
    ++optimised_;
    return optimise_levels(model, static_cast<int>(bins_.size()));
  }

  double weighed(const Plan<D>& plan) const { return cost_of(plan, std::span(bins_), space_, input_.skin, radii_add_, costs_); }

  Found<D> lay_out_levels(const std::vector<BinLevel>& levels, std::optional<TableKind> table, const Plan<D>& start) {
    Found<D> laid_out(new Candidate<D>);
    laid_out->plan = start, laid_out->levels = specs_of(levels, std::span(bins_), domain_, input_.skin, radii_add_);
    check_levels(laid_out->levels, D);
    lay_out(laid_out->levels, domain_.extent, sample_, table, laid_out->plan);
    return laid_out;
  }

  const PlanInput<D>& input_;
  SampledPlaces<D> sample_;
  const Domain<D>& domain_;
  SearchCosts costs_;
  std::vector<RadiusBin> bins_;
  SearchSpace space_;
  bool radii_add_;
  int optimised_ = 0;
};

// The levels, the cells, the table and the direction that cost least by the model, of what the options leave open. What is
// hardly ever best is looked at only where all before it is dear: compacted tables, islands, and Bottom-Up by the same table.
template <int D>
Plan<D> cheapest_plan(const PlanInput<D>& input, const Domain<D>& domain, const GridOptions& options, const Plan<D>& start,
                      PlanRecord& record) {
  Planning<D> planning(input, domain, options);
  const double least = planning.least_of_compacted(), dear = least + 0.5 * planning.cost_of_islands();
  Found<D> chosen;
  double dense = HUGE_VAL, compacted = HUGE_VAL;
  const auto look_at = [&](Found<D> found) {
    if (!found) return;
    double& cost_with_table = found->plan.table == TableKind::dense ? dense : compacted;
    cost_with_table = std::min(cost_with_table, found->cost);
    if (found->cost < cost_of(chosen)) chosen = std::move(found);
  };
  const auto costs_over = [&](double cost) { return !(cost_of(chosen) <= cost); };
  const bool may_be_dense = options.table != TableKind::compacted, may_be_compacted = options.table != TableKind::dense;
  Plan<D> with_dense = start, with_compacted = start;
  with_dense.table = TableKind::dense, with_compacted.table = TableKind::compacted;
  if (may_be_dense) look_at(planning.best(with_dense));
  if (may_be_compacted && costs_over(least)) look_at(planning.best(with_compacted));
  if (may_be_dense && costs_over(least)) look_at(planning.best_on_islands(with_dense));
  if (may_be_dense && costs_over(dear)) look_at(planning.best_on_islands(with_dense, true));
  if (chosen && !options.direction && costs_over(dear)) {
    Plan<D> reversed = chosen->plan.table == TableKind::dense ? with_dense : with_compacted;
    reversed.direction = Direction::bottom_up;
    look_at(chosen->plan.islands.empty() ? planning.best(reversed) : planning.best_on_islands(reversed));
  }
  if (!chosen) chosen = planning.unweighed(start, options.table);
  chosen->plan.dense_cost = dense;
  chosen->plan.compacted_cost = std::isfinite(compacted) ? compacted : least;
  record.levels = std::move(chosen->levels), record.optimised += planning.optimised(), record.visited += planning.visited();
  return std::move(chosen->plan);
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
SearchSpace search_space(const PlanInput<D>& input, const Box<D>& box, std::span<const RadiusBin> bins) {
  return space_of(input, domain_of(input, box).extent, bins);
}

template <int D>
double gain_of(const Plan<D>& fresh, const Plan<D>& kept, const PlanInput<D>& input, const Box<D>& box, SearchCosts costs) {
  if (!fresh.extents.empty()) {
    const Extent<D> domain = domain_of(input, box).extent;
    return cost_of_extents(kept, input, domain, costs) / cost_of_extents(fresh, input, domain, costs);
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
  const Domain<D> domain = domain_of(input, box);
  PlanRecord unread;
  PlanRecord& done = record != nullptr ? *record : unread;
  if (!input.extent_counts.empty()) return plan_of_extents(input, domain.extent, options, plan, done);
  if (options.levels.empty()) return cheapest_plan(input, domain, options, plan, done);
  SampledPlaces<D> sample(input);
  lay_out(done.levels = options.levels, domain.extent, sample, options.table, plan);
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
template SearchSpace search_space(const PlanInput<2>&, const Box<2>&, std::span<const RadiusBin>);
template SearchSpace search_space(const PlanInput<3>&, const Box<3>&, std::span<const RadiusBin>);
template double gain_of(const Plan<2>&, const Plan<2>&, const PlanInput<2>&, const Box<2>&, SearchCosts);
template double gain_of(const Plan<3>&, const Plan<3>&, const PlanInput<3>&, const Box<3>&, SearchCosts);
template Plan<2> make_plan(const PlanInput<2>&, const Box<2>&, const GridOptions&, PlanRecord*);
template Plan<3> make_plan(const PlanInput<3>&, const Box<3>&, const GridOptions&, PlanRecord*);
template void lay_out_again(const PlanInput<2>&, const Box<2>&, std::optional<TableKind>, PlanRecord&, Plan<2>&);
template void lay_out_again(const PlanInput<3>&, const Box<3>&, std::optional<TableKind>, PlanRecord&, Plan<3>&);

}  // namespace hgrid::inline v0_2::detail
