// SPDX-License-Identifier: BSD-3-Clause
#include "sizing.hpp"

#include "papers/levels/size_rules.hpp"
#include "values.hpp"

namespace hgrid::tool {
namespace {

std::vector<Direction> directions(const std::string& wanted) {
  if (wanted == "top-down") return {Direction::top_down};
  if (wanted == "bottom-up") return {Direction::bottom_up};
  return {Direction::top_down, Direction::bottom_up};
}

paper::RuleOptions rule_of(const SizingOptions& o) {
  paper::RuleOptions rule;
  if (o.method == "linear") rule.rule = paper::Rule::linear;
  if (o.method == "exponential") rule.rule = paper::Rule::exponential;
  if (o.method == "constant") rule.rule = paper::Rule::constant_ratio;
  if (!o.q.empty()) rule.q = parse_numbers(o.q).front();
  rule.levels = o.method == "single" ? 1 : o.levels;
  rule.max_levels = max_levels;
  rule.fewest = o.fewest;
  return rule;
}

Sizing levels_in(Direction direction, const SizingOptions& o, const SizingInput& input) {
  paper::ModelOptions options{input.dimension, input.packing, 0.2, direction};
  if (!o.k.empty()) options.cell_cost = parse_numbers(o.k).front();
  const paper::CostModel model(*input.radii, options);
  const paper::SizePlan plan = paper::choose_sizes(model, rule_of(o));
  Sizing sizing;
  for (const paper::LevelEstimate& level : model.levels(plan.sizes)) {
    const double s = level.size;
    sizing.levels.push_back({{s / 2, {s, s, s}}, level.particles, level.occupancy});
  }
  sizing.work = plan.work.total;
  sizing.tests = plan.work.tests;
  sizing.cells = plan.work.cells;
  sizing.single_level_work = model.work(std::vector<double>{plan.sizes.back()}).total;
  sizing.direction = direction;
  sizing.warnings = plan.warnings;
  if (sizing.levels.size() > max_levels) sizing.warnings.push_back("grids have at most 64 levels");
  return sizing;
}

}  // namespace

Sizing choose_levels(const SizingOptions& o, const SizingInput& input) {
  std::optional<Sizing> best;
  for (Direction direction : directions(o.direction)) {
    Sizing sizing =
        o.method == "calibrated" ? calibrated_levels(direction, input) : levels_in(direction, o, input);
    if (!best || sizing.work < best->work) best = std::move(sizing);
  }
  best->warnings.insert(best->warnings.begin(), input.warnings.begin(), input.warnings.end());
  return *best;
}

}  // namespace hgrid::tool
