// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/planning/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "hgrid/core/cell_key.hpp"
#include "hgrid/host/planning/level_optimiser.hpp"
#include "hgrid/host/planning/occupied_fraction.hpp"

namespace hgrid {

namespace {

// The part of an axis that gets cells: a periodic axis whole, an open one as far as the bulk of the particles
// goes. A few far outliers must not stretch it; they clamp into the border cells.
template <int D>
struct Extent {
  Vec<double, D> lo, hi;
  double size(int axis) const { return hi[axis] - lo[axis]; }
};

template <int D>
void set_axis(Extent<D>& extent, const PlanInput<D>& input, const Box<D>& box, int axis) {
  const auto set = [&](double lo, double hi) { extent.lo[axis] = lo, extent.hi[axis] = hi; };
  if (box.wraps[axis]) return set(box.lo[axis], box.hi[axis]);
  std::vector<double> x;
  for (std::size_t s = 0; s + D < input.sample.size(); s += D + 1) {
    if (input.sample[s + D] >= 0) x.push_back(input.sample[s + axis]);
  }
  if (x.empty()) return input.particles > 0 ? set(input.lo[axis], input.hi[axis]) : set(0, 1);
  const auto quantile = [&](double q) {
    auto at = x.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(x.size() - 1));
    std::nth_element(x.begin(), at, x.end());
    return *at;
  };
  // Those beyond a quantile may all meet in one border cell: sqrt(2 n) of them cost n tests.
  const double q = std::min(0.01, std::sqrt(2.0 / static_cast<double>(input.particles)));
  const double low = quantile(q), high = quantile(1 - q), margin = 0.25 * (high - low);
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

template <int D>
std::vector<LevelSpec> planned_levels(const PlanInput<D>& input, const Extent<D>& extent, Direction direction,
                                      SearchCosts costs) {
  const std::vector<double> radii = sampled_radii(input);
  double volume = 1, widest = 0;
  for (int k = 0; k < D; ++k) widest = std::max(widest, extent.size(k));
  const double fallback = widest > 0 ? widest / std::max(1.0, std::pow(input.particles / 4.0, 1.0 / D)) : 1;
  for (int k = 0; k < D; ++k) {
    volume *= std::max({extent.size(k), 2 * input.radius_max + input.skin, fallback});
  }
  volume *= occupied_fraction<D>(input.sample, extent.lo, extent.hi);  // a void holds no candidates and costs no cells
  const double weight = radii.empty() ? 0 : static_cast<double>(input.particles) / static_cast<double>(radii.size());
  const auto bins = radius_histogram(radii, weight, input.radius_max);
  const CostModel model(bins, volume, D, input.skin, direction, costs);
  std::vector<LevelSpec> specs;
  for (const BinLevel& level : optimise_levels(model, static_cast<int>(bins.size()))) {
    const double bound = std::min(bins[level.last - 1].radius_max + 0.5 * input.skin, largest_length);
    if (!specs.empty() && !(bound > specs.back().radius_max)) specs.pop_back();  // a huge skin makes radii alike
    const double unit = bound > 0 ? bound : 0.5 * fallback;  // nothing but points: a few to a cell
    const auto size = [&](double shape) { return std::clamp(shape * unit, smallest_radius, largest_length); };
    specs.push_back({bound, {size(level.shape.x), size(level.shape.other), size(level.shape.other)}});
  }
  return specs;
}

// Exact, for the keys of the next level begin behind these; below 2^63, as `morton_bits` bounds each axis.
template <int D>
cell_key_t cells_of(const Level<D>& level) {
  cell_key_t n = 1;
  for (int k = 0; k < D; ++k) n *= static_cast<cell_key_t>(level.cells[k]);
  return n;
}

// Cells of one level over the extents, with at most `limit` along an axis. The size is what fits, so that
// coarsening is the only change a limit makes.
template <int D>
Level<D> lay_out(const LevelSpec& spec, const Extent<D>& extent, double coarsening, double limit) {
  Level<D> level{};
  level.radius_bound = spec.radius_max;
  for (int k = 0; k < D; ++k) {
    const double size = extent.size(k);
    const double wanted = std::max(spec.cell_size[k] * coarsening, size / limit);
    level.cells[k] = static_cast<index_t>(std::clamp(std::ceil(size / wanted), 1.0, limit));
    level.cell_size[k] = wanted;
    level.origin[k] = extent.lo[k];
    level.inverse[k] = 1 / wanted;
  }
  return level;
}

template <int D>
Levels<D> lay_out_all(const std::vector<LevelSpec>& specs, const Extent<D>& extent, double cell_cap) {
  Levels<D> levels;
  levels.count = static_cast<int>(specs.size());
  const double limit = std::ldexp(1.0, morton_bits<D>(levels.count)) - 1;
  const double share = cell_cap / levels.count;
  for (int h = 0; h < levels.count; ++h) {
    Level<D>& level = levels.level[h];
    level = lay_out<D>(specs[h], extent, 1, limit);
    for (double coarsening = 1; static_cast<double>(cells_of(level)) > share;) {
      coarsening *= std::max(1.05, std::pow(static_cast<double>(cells_of(level)) / share, 1.0 / D));
      level = lay_out<D>(specs[h], extent, coarsening, limit);
    }
    level.first_cell = levels.cells;
    levels.cells += cells_of(level);
  }
  return levels;
}

}  // namespace

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
  Extent<D> extent;
  for (int k = 0; k < D; ++k) set_axis(extent, input, box, k);
  std::vector<LevelSpec> specs = options.levels;
  if (specs.empty()) specs = planned_levels<D>(input, extent, plan.direction, options.costs.value_or(input.costs));
  check_levels(specs, D);

  const double cap = std::max(64.0 * static_cast<double>(specs.size()), cells_per_particle * input.particles);
  plan.levels = lay_out_all<D>(specs, extent, HUGE_VAL);
  const bool fits = static_cast<double>(plan.levels.cells) <= cap;
  plan.table = options.table.value_or(fits ? TableKind::dense : TableKind::compacted);
  if (plan.table == TableKind::dense && !fits) plan.levels = lay_out_all<D>(specs, extent, cap);
  index_t most = 1;
  for (int h = 0; h < plan.levels.count; ++h) {
    for (int k = 0; k < D; ++k) most = std::max(most, plan.levels.level[h].cells[k]);
  }
  plan.bits = std::bit_width(static_cast<unsigned>(most));
  return plan;
}

template Plan<2> make_plan(const PlanInput<2>&, const Box<2>&, const GridOptions&);
template Plan<3> make_plan(const PlanInput<3>&, const Box<3>&, const GridOptions&);

}  // namespace hgrid
