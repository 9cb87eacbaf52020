// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/planning/level_optimiser.hpp"

#include <algorithm>
#include <cmath>

namespace hgrid {

std::vector<BinLevel> optimise_levels(const CostModel& model, int bins) {
  struct State {
    double cost = HUGE_VAL;
    int from = 0;
    int levels = 0;
    CellShape shape{};
  };
  std::vector<State> best(bins + 1);  // best[b]: cheapest way to place bins [0, b)
  best[0].cost = 0;
  for (int last = 1; last <= bins; ++last) {
    for (int first = 0; first < last; ++first) {
      if (best[first].levels == max_levels) continue;
      const LevelCost level = model.level(first, last);
      if (!std::isfinite(level.cost)) continue;
      const double cost = best[first].cost + level.cost;
      if (cost < best[last].cost) best[last] = {cost, first, best[first].levels + 1, level.shape};
    }
  }
  std::vector<BinLevel> levels;
  for (int last = bins; last > 0; last = best[last].from) {
    levels.push_back({best[last].from, last, best[last].shape});
  }
  std::reverse(levels.begin(), levels.end());
  return levels;
}

}  // namespace hgrid
