// SPDX-License-Identifier: BSD-3-Clause
#include "sizing.hpp"

#include "papers/levels/size_rules.hpp"

namespace hgrid::tool {
namespace {

paper::RuleOptions rule_of(const SizingOptions& o) {
  paper::RuleOptions rule;
  if (o.method == Method::linear) rule.rule = paper::Rule::linear;
  if (o.method == Method::exponential) rule.rule = paper::Rule::exponential;
  if (o.method == Method::constant) rule.rule = paper::Rule::constant_ratio;
  rule.q = o.q.value_or(1);
  rule.levels = o.method == Method::single ? 1 : o.levels;
  rule.max_levels = max_levels;
  rule.fewest = o.fewest;
  return rule;
}

Sizing levels_in(Direction direction, const SizingOptions& o, const SizingInput& input) {
  const paper::CostModel model(*input.radii, model_options(o, input, direction));
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

paper::ModelOptions model_options(const SizingOptions& o, const SizingInput& input, Direction direction) {
  return {input.dimension, input.packing, o.k.value_or(0.2), direction};
}

Sizing choose_levels(const SizingOptions& o, const SizingInput& input) {
  std::optional<Sizing> best;
  for (const Direction direction : values_of<Direction>()) {
    if (o.direction.value_or(direction) != direction) continue;
    Sizing sizing =
        o.method == Method::calibrated ? calibrated_levels(direction, o.rule, input) : levels_in(direction, o, input);
    if (!best || sizing.work < best->work) best = std::move(sizing);
  }
  best->warnings.insert(best->warnings.begin(), input.warnings.begin(), input.warnings.end());
  return *best;
}

}  // namespace hgrid::tool
