// SPDX-License-Identifier: BSD-3-Clause
// Which bins of radii share a level: the cheapest partition, by dynamic programming over all of them.
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

/// Levels, and what the model says that they cost.
struct BinLevels {
  std::vector<BinLevel> levels;
  double cost;
};

/// Returns the partition of all bins into at most `max_levels` levels of least total cost, over those that divide them at
/// borders: 0, ascending, the number of bins. As many levels are weighed as there are pairs of borders. None, of infinite cost,
/// if costs are not finite.
BinLevels optimise_levels(const CostModel& model, std::span<const int> borders);

/// Levels of about equally many particles, at most four: where costs are not finite, so that no level can be weighed.
std::vector<BinLevel> equal_counts(std::span<const RadiusBin> bins);

}  // namespace hgrid::inline v0_2::detail
