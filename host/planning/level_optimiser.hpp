// SPDX-License-Identifier: BSD-3-Clause
// Which bins of radii share a level: the cheapest partition, by dynamic programming over all of them.
#pragma once

#include <vector>

#include "hgrid/host/planning/cost_model.hpp"

namespace hgrid {

/// A level of the optimum: bins [first, last) and the best shape of their cells.
struct BinLevel {
  int first, last;
  CellShape shape;
};

/// The partition of `bins` bins into at most `max_levels` levels of least total cost: global over all partitions,
/// O(bins^2) level costs.
std::vector<BinLevel> optimise_levels(const CostModel& model, int bins);

}  // namespace hgrid
