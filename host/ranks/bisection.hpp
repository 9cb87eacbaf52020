// SPDX-License-Identifier: BSD-3-Clause
// Recursive coordinate bisection, as Zoltan does it.
#pragma once

#include <array>
#include <vector>

#include "hgrid/ranks/communicator.hpp"

namespace hgrid::inline v0_1::detail {

struct WeightedPoint {
  std::array<double, 3> x;
  float weight;
  unsigned id;  ///< no other point of any rank has it
};

struct Part {
  std::array<double, 3> lo, hi;  ///< infinite outside
};

/// Cuts space into a part for each rank, of about the same weight, by the points of all ranks. Collective. Throws `environment`
/// if Zoltan fails.
std::vector<Part> bisect(const Communicator& comm, int dimension, const std::vector<WeightedPoint>& points);

}  // namespace hgrid::inline v0_1::detail
