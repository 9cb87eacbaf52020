// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/level_optimiser.hpp"

#include <algorithm>
#include <bit>
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

void refine(const CostModel& model, BinLevels& levels) {
  std::vector<BinLevel>& level = levels.levels;
  if (level.size() < 2) return;
  std::vector<double> cost;
  for (const BinLevel& l : level) cost.push_back(model.cost(l.first, l.last, l.shape));
  const auto moves = [&](std::size_t h, int border) {  // the end of level h
    if (border <= level[h].first || border >= level[h + 1].last) return false;
    const LevelCost below = model.level(level[h].first, border, level[h].shape),
                    above = model.level(border, level[h + 1].last, level[h + 1].shape);
    const double gain = cost[h] + cost[h + 1] - (below.cost + above.cost);
    if (!(gain > 0)) return false;
    level[h] = {level[h].first, border, below.shape}, level[h + 1] = {border, level[h + 1].last, above.shape};
    cost[h] = below.cost, cost[h + 1] = above.cost, levels.cost -= gain;
    return true;
  };
  for (int step = static_cast<int>(std::bit_floor(static_cast<unsigned>(level.back().last)) / 4); step > 0; step /= 2) {
    for (std::size_t h = 0; h + 1 < level.size(); ++h) {
      const int border = level[h].last;
      if (!moves(h, border - step)) moves(h, border + step);
    }
  }
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
