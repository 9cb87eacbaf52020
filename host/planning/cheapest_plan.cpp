// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/cheapest_plan.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "host/planning/layout.hpp"
#include "host/planning/level_optimiser.hpp"
#include "host/planning/plan.hpp"

namespace hgrid::inline v0_2::detail {
namespace {

std::vector<LevelSpec> specs_of(const std::vector<BinLevel>& levels, std::span<const RadiusBin> bins, double skin,
                                bool radii_add) {
  std::vector<LevelSpec> specs;
  for (const BinLevel& level : levels) {
    const double bound = std::min(bins[level.last - 1].radius_max + 0.5 * skin, largest_length);
    if (!specs.empty() && !(bound > specs.back().radius_max)) specs.pop_back();  // with a huge skin radii are alike
    const double unit = shape_unit(radii_add, bins[level.last - 1].radius_max, skin);
    const auto size = [&](double shape) { return std::clamp(shape * unit, smallest_radius, largest_length); };
    specs.push_back({bound, {size(level.shape.x), size(level.shape.other), size(level.shape.other)}});
  }
  return specs;
}

/// A way to find cells. Islands belong to a dense table. With `more_islands`, levels are planned that would not pay otherwise:
/// populations that are everywhere can hide clusters of other sizes.
enum class Way { dense, compacted, islands, more_islands };

/// A plan, the levels for which its cells were laid out, and its cost by the model.
template <int D>
struct Candidate {
  Plan<D> plan;
  std::vector<LevelSpec> levels;
  double cost = HUGE_VAL;
};

// Keeps the best of all plans that were tried.
template <int D>
class Planning {
 public:
  Planning(const PlanInput<D>& input, const Extent<D>& extent, const GridOptions& options, const Plan<D>& start)
      : input_(input),
        sample_(input),
        extent_(extent),
        options_(options),
        start_(start),
        costs_(options.costs.value_or(input.costs)),
        bins_(radius_bins(input)),
        space_(search_space(input, extent, std::span(bins_))),
        radii_add_(input.rule == Rule::sum) {}

  /// Returns the least cost of all particles in a compacted table.
  double least_of_compacted() const { return of_all(costs_.compacted_slot + costs_.setup + costs_.compacted_row); }

  /// Returns the least additional cost of islands for all particles, if an axis has more than two islands.
  double cost_of_islands() const { return of_all(costs_.island); }

  /// Plans the best levels for a way, if the options allow it and the best plan so far costs more than `if_over`.
  void look_at(Direction direction, Way way, double if_over) {
    const TableKind table = way == Way::compacted ? TableKind::compacted : TableKind::dense;
    if (options_.table.value_or(table) != table || chosen_cost() <= if_over) return;
    Plan<D> start = start_;
    start.direction = direction, start.table = table;
    way == Way::dense || way == Way::compacted ? look_at_table(start) : look_at_islands(start, way == Way::more_islands);
  }

  bool has_chosen() const { return chosen_ != nullptr; }
  Way chosen_way() const {
    if (chosen_->plan.table == TableKind::compacted) return Way::compacted;
    return chosen_->plan.islands.empty() ? Way::dense : Way::islands;
  }

  /// Returns the plan, or levels of equal counts if no plan has a finite cost.
  Plan<D> result(PlanRecord& record) {
    if (!chosen_) {
      chosen_ = lay_out_levels(equal_counts(bins_), options_.table, start_);
      chosen_->plan.weighed = false;
    }
    Plan<D>& plan = chosen_->plan;
    plan.dense_cost = dense_cost_,
    plan.compacted_cost = std::isfinite(compacted_cost_) ? compacted_cost_ : least_of_compacted();
    record.levels = std::move(chosen_->levels), record.optimised += optimised_, record.visited += sample_.visited();
    return std::move(plan);
  }

 private:
  using Found = std::unique_ptr<Candidate<D>>;

  double of_all(double cost) const { return cost * static_cast<double>(input_.particles); }
  double chosen_cost() const { return chosen_ ? chosen_->cost : HUGE_VAL; }

  // Plans levels for a table. Cells may be coarser than is best for the levels, so the cost is taken after the layout.
  void look_at_table(const Plan<D>& start) {
    for (const double share : {0.95, 0.5}) {  // share of all cells that a dense table may have, for one level
      const CostModel model(bins_, space_, input_.skin, {start.direction, start.keys, start.table, share, radii_add_}, costs_);
      const BinLevels best = optimised(model, start.table, 0);
      if (best.levels.empty()) return;
      Found laid_out = lay_out_levels(best.levels, start.table, start);
      const double cost = laid_out->cost = weighed(laid_out->plan);
      take(std::move(laid_out));
      if (cost < 1.05 * best.cost) return;  // otherwise all levels together had too many cells
    }
  }

  // Plans levels as if empty cells cost nothing, because islands leave few of them.
  void look_at_islands(const Plan<D>& start, bool more) {
    SearchCosts costs = costs_;
    if (more) costs.setup = 0;
    costs.compacted_row = costs_.row, costs.compacted_slot = 0;
    const SearchKind kind{
        .direction = start.direction, .keys = start.keys, .table = TableKind::compacted, .radii_add = radii_add_};
    const CostModel model(bins_, space_, input_.skin, kind, costs);
    const BinLevels best = optimised(model, TableKind::dense, of_all(least_price_of_islands(costs_)));
    if (best.levels.empty()) return;
    Found laid_out = lay_out_levels(best.levels, TableKind::dense, start);
    if (laid_out->plan.islands.empty()) return;
    laid_out->cost = of_all(price_of_islands(laid_out->plan, costs_)) + weighed(laid_out->plan);
    take(std::move(laid_out));
  }

  // Returns the best levels, unless they cost more than the best plan so far. Levels between classes of sizes, which are
  // planned first, predict the cost well.
  BinLevels optimised(const CostModel& model, TableKind table, double besides) {
    const auto pays = [&](const BinLevels& levels, double margin) {
      if (levels.levels.empty() || levels.cost + besides < margin * chosen_cost()) return true;
      note_cost(table, levels.cost + besides);
      return false;
    };
    BinLevels best = optimise_levels(model, space_.density.class_borders());
    if (!pays(best, 1.05)) return {{}, HUGE_VAL};
    ++optimised_;
    if (const std::vector<int> ends = borders(); ends.size() > space_.density.class_borders().size()) {
      BinLevels finer = optimise_levels(model, ends);
      if (finer.cost < best.cost) best = std::move(finer);  // else coarse cells for levels of few bins misled the search
    }
    refine(model, best);
    return pays(best, 1) ? best : BinLevels{{}, HUGE_VAL};
  }

  // Returns ends of bins, so few that weighing levels between any two of them takes no longer than a build.
  std::vector<int> borders() const {
    const auto bins = static_cast<int>(bins_.size());
    const int most = std::max(1, static_cast<int>(0.2 * std::sqrt(static_cast<double>(input_.particles)))),
              step = (bins - 1) / most + 1;
    std::vector<int> ends;
    for (int b = 0; b < bins; b += step) ends.push_back(b);
    ends.push_back(bins);
    return ends;
  }

  void note_cost(TableKind table, double cost) {
    double& least = table == TableKind::dense ? dense_cost_ : compacted_cost_;
    least = std::min(least, cost);
  }

  void take(Found found) {
    note_cost(found->plan.table, found->cost);
    if (found->cost < chosen_cost()) chosen_ = std::move(found);
  }

  double weighed(const Plan<D>& plan) const { return cost_of(plan, std::span(bins_), space_, input_.skin, radii_add_, costs_); }

  Found lay_out_levels(const std::vector<BinLevel>& levels, std::optional<TableKind> table, const Plan<D>& start) {
    Found laid_out(new Candidate<D>);
    laid_out->plan = start, laid_out->levels = specs_of(levels, std::span(bins_), input_.skin, radii_add_);
    check_levels(laid_out->levels, D);
    lay_out(laid_out->levels, extent_, sample_, table, laid_out->plan);
    return laid_out;
  }

  const PlanInput<D>& input_;
  SampledPlaces<D> sample_;
  const Extent<D>& extent_;
  const GridOptions& options_;
  const Plan<D>& start_;
  SearchCosts costs_;
  std::vector<RadiusBin> bins_;
  SearchSpace space_;
  bool radii_add_;
  Found chosen_;
  double dense_cost_ = HUGE_VAL, compacted_cost_ = HUGE_VAL;  // the least costs that were found
  int optimised_ = 0;
};

}  // namespace

template <int D>
double cost_of(const Plan<D>& plan, std::span<const RadiusBin> bins, const SearchSpace& space, double skin, bool radii_add,
               const SearchCosts& costs) {
  const CostModel model(bins, space, skin,
                        {.direction = plan.direction, .keys = plan.keys, .table = plan.table, .radii_add = radii_add}, costs);
  SearchWork steps;
  int first = 0;
  for (int h = 0; h < plan.levels.count; ++h) {
    const Level<D>& level = plan.levels.level[h];
    int last = first;
    const auto fits = [&](const RadiusBin& bin) { return bin.radius_max + 0.5 * skin <= level.radius_bound; };
    while (last < static_cast<int>(bins.size()) && (h + 1 == plan.levels.count || fits(bins[last]))) ++last;
    if (first == last) continue;
    const double unit = shape_unit(radii_add, bins[last - 1].radius_max, skin);
    steps += model.work(first, last, {level.cell_size[0] / unit, level.cell_size[D - 1] / unit}, level.cells.v);
    first = last;
  }
  if (plan.table == TableKind::dense) steps.cells = static_cast<double>(plan.levels.cells);
  return steps.cost(costs);
}

// Tries ways that are hardly ever best only if all earlier ones are expensive: compacted tables, islands, and Bottom-Up, which
// begins with the best way so far. The best plan may need two changes of which each alone is expensive, so all ways are tried
// if all earlier ones cost twice the limit.
template <int D>
Plan<D> cheapest_plan(const PlanInput<D>& input, const Extent<D>& extent, const GridOptions& options, const Plan<D>& start,
                      PlanRecord& record) {
  Planning<D> planning(input, extent, options, start);
  const double least = planning.least_of_compacted(), of_islands = planning.cost_of_islands();
  const double limit = least + 0.5 * of_islands;
  planning.look_at(start.direction, Way::dense, 0);
  planning.look_at(start.direction, Way::compacted, least);
  planning.look_at(start.direction, Way::islands, least);
  planning.look_at(start.direction, Way::more_islands, limit);
  if (planning.has_chosen() && !options.direction) {
    const Way usual = planning.chosen_way();
    planning.look_at(Direction::bottom_up, usual, least + 0.25 * of_islands);
    for (const Way way : {Way::islands, Way::dense, Way::compacted, Way::more_islands}) {
      if (way != usual) planning.look_at(Direction::bottom_up, way, way == Way::islands ? limit : 2 * limit);
    }
  }
  return planning.result(record);
}

template double cost_of(const Plan<2>&, std::span<const RadiusBin>, const SearchSpace&, double, bool, const SearchCosts&);
template double cost_of(const Plan<3>&, std::span<const RadiusBin>, const SearchSpace&, double, bool, const SearchCosts&);
template Plan<2> cheapest_plan(const PlanInput<2>&, const Extent<2>&, const GridOptions&, const Plan<2>&, PlanRecord&);
template Plan<3> cheapest_plan(const PlanInput<3>&, const Extent<3>&, const GridOptions&, const Plan<3>&, PlanRecord&);

}  // namespace hgrid::inline v0_2::detail
