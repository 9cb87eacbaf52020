// SPDX-License-Identifier: BSD-3-Clause
#include "papers/levels/size_rules.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "hgrid/inputs/input_error.hpp"

namespace hgrid::paper {
namespace {

void check_levels(int levels) {
  if (levels >= 1) return;
  throw Error(ErrorCode::invalid_levels, "at least one level is needed, got " + std::to_string(levels),
              {.argument = "levels", .value = static_cast<double>(levels)});
}

// Returns sizes by a formula of h / L. Drops sizes that rounding has made equal to the size below, or to the top.
template <class SizeAt>
std::vector<double> sizes_by(const Distribution& radii, int levels, SizeAt size_at) {
  check_levels(levels);
  const double top = 2 * radii.radius_max();
  std::vector<double> sizes;
  for (int h = 1; h < levels; ++h) {
    const double s = size_at(static_cast<double>(h) / levels);
    if (s < top && (sizes.empty() || s > sizes.back())) sizes.push_back(s);
  }
  sizes.push_back(top);
  return sizes;
}

// Returns the largest size in [lo, hi] whose level (above a) holds at most `target` particles per cell. Size lo must satisfy
// this, and hi must not. Regula falsi in logarithms, with every third step a bisection.
double largest_size(const CostModel& model, double a, double target, double lo, double hi) {
  const auto excess = [&](double x) { return std::log(model.occupancy(a, std::exp(x)) / target); };
  double x_lo = std::log(lo), x_hi = std::log(hi), f_lo = excess(x_lo), f_hi = excess(x_hi);
  for (int step = 0; step < 200 && x_hi - x_lo > 2e-16 * std::max(1.0, std::fabs(x_lo)); ++step) {
    double x = x_hi - f_hi * (x_hi - x_lo) / (f_hi - f_lo);
    if (step % 3 == 2 || !(x > x_lo && x < x_hi)) x = 0.5 * (x_lo + x_hi);
    if (!(x > x_lo && x < x_hi)) break;
    const double f = excess(x);
    if (f > 0) {
      x_hi = x, f_hi = f, f_lo *= 0.5;
    } else {
      x_lo = x, f_lo = f, f_hi *= 0.5;
      if (f > -1e-16) break;
    }
  }
  return std::clamp(std::exp(x_lo), lo, hi);
}

// Fills level after level for a given m (Appendix A). Stops, unfinished, beyond `limit` levels.
std::vector<double> filled_levels(const CostModel& model, double m, double q, int limit) {
  const Distribution& radii = model.radii();
  const double top = 2 * radii.radius_max();
  std::vector<double> sizes;
  double lower = 2 * below_all;
  for (; static_cast<int>(sizes.size()) <= limit && lower < top; m *= q) {
    double size = top;
    if (model.occupancy(lower, top) > m) {
      // The level's first radius is on it, however many particles have it.
      const double first = lower < 0 ? 2 * radii.radius_min() : 2 * radii.next(lower / 2);
      size = model.occupancy(lower, first) > m ? first : largest_size(model, lower, m, first, top);
      if (size > first) size = std::max(first, 2 * radii.floor(size / 2));
    }
    sizes.push_back(size);
    lower = size;
  }
  return sizes;
}

}  // namespace

std::vector<double> linear_sizes(const Distribution& radii, int levels) {
  const double first = 2 * radii.radius_min(), range = 2 * radii.radius_max() - first;
  return sizes_by(radii, levels, [&](double part) { return first + part * range; });
}

std::vector<double> exponential_sizes(const Distribution& radii, int levels) {
  const double first = 2 * radii.radius_min(), ratio = radii.radius_max() / radii.radius_min();
  return sizes_by(radii, levels, [&](double part) { return first * std::pow(ratio, part); });
}

RatioSizes constant_ratio_sizes(const CostModel& model, double q, int levels) {
  check_levels(levels);
  if (!(q >= 1e-3 && q <= 1e3)) {
    throw Error(ErrorCode::invalid_argument, "q must be in [0.001, 1000], got " + detail::to_text(q),
                {.argument = "q", .value = q});
  }
  const auto enough = [&](double m) { return static_cast<int>(filled_levels(model, m, q, levels).size()) <= levels; };
  const double single = model.occupancy(2 * below_all, 2 * model.radii().radius_max());
  double few = std::log(single), many = few - 200 - levels * std::fabs(std::log(q));
  if (levels == 1 || !(single > 0)) return {{2 * model.radii().radius_max()}, single};
  if (enough(std::exp(many))) few = many;
  while (few - many > 1e-14 * std::max(1.0, std::fabs(few))) {
    const double middle = 0.5 * (few + many);
    (enough(std::exp(middle)) ? few : many) = middle;
  }
  std::vector<double> sizes = filled_levels(model, std::exp(few), q, levels);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return {sizes, std::exp(few)};
}

namespace {

using SizesOfLevels = std::function<std::vector<double>(int)>;

SizesOfLevels optimal_rule(const CostModel& model, int limit) {
  return [search = std::make_shared<OptimalSizes>(model, limit)](int n) {
    return search->sizes(std::min(n, search->useful_levels() + 1));
  };
}

SizesOfLevels rule_of(const CostModel& model, const RuleOptions& options, int limit) {
  switch (options.rule) {
    case Rule::linear:
      return [&](int n) { return linear_sizes(model.radii(), n); };
    case Rule::exponential:
      return [&](int n) { return exponential_sizes(model.radii(), n); };
    case Rule::constant_ratio:
      return [&](int n) { return constant_ratio_sizes(model, options.q, n).sizes; };
    case Rule::optimal:
      break;
  }
  return optimal_rule(model, limit);
}

SizePlan plan_with(const CostModel& model, std::vector<double> sizes) {
  SizePlan plan{std::move(sizes), {}, {}};
  plan.work = model.work(plan.sizes);
  if (!std::isfinite(plan.work.total)) plan.warnings.push_back("the cost is not finite");
  return plan;
}

// Tries all numbers of levels. If that takes time, stops after a dozen numbers without a gain.
SizePlan best_plan(const CostModel& model, const SizesOfLevels& sizes, int limit, const RuleOptions& options) {
  const auto patience = static_cast<std::size_t>(options.rule == Rule::constant_ratio ? 12 : limit);
  std::vector<SizePlan> plans;
  std::size_t best = 0;
  for (int n = 1; n <= limit && plans.size() <= best + patience; ++n) {
    plans.push_back(plan_with(model, sizes(n)));
    if (plans.back().sizes.size() < plans.size() && n > 1) break;  // more levels have no effect
    if (plans.back().work.total < plans[best].work.total * (1 - 1e-9)) best = plans.size() - 1;
  }
  const double least = plans[best].work.total;
  if (static_cast<int>(best) + 1 == limit && limit > 1) {
    plans[best].warnings.push_back("the least work is at the limit of " + detail::counted(limit, "level"));
  }
  for (std::size_t h = 0; options.fewest && h < best; ++h) {
    if (plans[h].work.total <= 1.001 * least) return plans[h];
  }
  return plans[best];
}

}  // namespace

SizePlan choose_sizes(const CostModel& model, const RuleOptions& options) {
  if (options.levels < 0 || options.max_levels < 1 || std::max(options.levels, options.max_levels) > 1000) {
    throw Error(ErrorCode::invalid_levels, "the number of levels must be in [1, 1000]", {.argument = "levels"});
  }
  const int limit = options.levels > 0 ? options.levels : options.max_levels;
  const SizesOfLevels sizes = rule_of(model, options, limit);
  if (options.levels == 0) return best_plan(model, sizes, limit, options);
  SizePlan plan = plan_with(model, sizes(options.levels));
  if (static_cast<int>(plan.sizes.size()) < options.levels) {
    plan.warnings.push_back(detail::counted(plan.sizes.size(), "level") + "; more gain nothing");
  }
  return plan;
}

}  // namespace hgrid::paper
