// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/level_optimiser.hpp"

#include <algorithm>
#include <cmath>

namespace hgrid::inline v0_2::detail {

BinLevels optimise_levels(const CostModel& model, std::span<const int> borders) {
  struct State {
    double cost = HUGE_VAL;
    std::size_t from = 0;
    int levels = 0;
    CellShape shape{};
  };
  std::vector<State> best(borders.size());  // best[b]: cheapest way to place the bins before border b
  best[0].cost = 0;
  for (std::size_t last = 1; last < borders.size(); ++last) {
    CellShape near = model.rough_shape(borders[last - 1], borders[last]);  // later the best shape of the last, similar level
    for (std::size_t first = last; first-- > 0;) {
      if (best[first].levels == max_levels) continue;
      LevelCost level = model.level(borders[first], borders[last], near);
      if (!std::isfinite(level.cost)) level = model.level(borders[first], borders[last]);
      if (!std::isfinite(level.cost)) continue;
      near = level.shape;
      const double cost = best[first].cost + level.cost;
      if (cost < best[last].cost) best[last] = {cost, first, best[first].levels + 1, level.shape};
    }
  }
  std::vector<BinLevel> levels;
  if (!std::isfinite(best.back().cost)) return {levels, HUGE_VAL};
  for (std::size_t last = borders.size() - 1; last > 0; last = best[last].from) {
    levels.push_back({borders[best[last].from], borders[last], best[last].shape});
  }
  std::reverse(levels.begin(), levels.end());
  return {levels, best.back().cost};
}

std::vector<BinLevel> equal_counts(std::span<const RadiusBin> bins) {
  constexpr int levels = 4;
  double all = 0, below = 0;
  for (const RadiusBin& bin : bins) all += bin.moment[0];
  std::vector<BinLevel> result;
  int first = 0;
  for (int b = 0; b < static_cast<int>(bins.size()); ++b) {
    below += bins[static_cast<std::size_t>(b)].moment[0];
    const bool full = below * levels >= all * static_cast<double>(result.size() + 1);
    if (!full && b + 1 < static_cast<int>(bins.size())) continue;
    result.push_back({first, b + 1, {1, 4}});
    first = b + 1;
  }
  return result;
}

}  // namespace hgrid::inline v0_2::detail
