// SPDX-License-Identifier: BSD-3-Clause
// Finds which bins of radii should share a level: the cheapest partition, by dynamic programming over all partitions.
#pragma once

#include <span>
#include <vector>

#include "host/planning/cost_model.hpp"

namespace hgrid::inline v0_2::detail {

/// A level of the optimum: bins [first, last) and the best shape of their cells.
struct BinLevel {
  int first, last;
  CellShape shape;
};

/// Levels, and their cost by the model.
struct BinLevels {
  std::vector<BinLevel> levels;
  double cost;
};

/// Returns the partition of all bins into at most `max_levels` levels of least total cost. Levels may end at the `borders`: 0,
/// ascending, the number of bins. One level is weighed for each pair of borders. Returns no levels, with infinite cost, if
/// costs are not finite.
BinLevels optimise_levels(const CostModel& model, std::span<const int> borders);

/// Moves the ends of levels between bins while that lowers the cost, first by many bins at once.
void refine(const CostModel& model, BinLevels& levels);

/// Returns at most four levels with about equal numbers of particles. Used if costs are not finite, so that no level can be
/// weighed.
std::vector<BinLevel> equal_counts(std::span<const RadiusBin> bins);

}  // namespace hgrid::inline v0_2::detail
