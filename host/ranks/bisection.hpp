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

struct Bisection {
  std::vector<Part> parts;       ///< one for each rank, numbered along the cuts
  std::vector<char> directions;  ///< of the cuts, in bytes of Zoltan's own
};

/// Cuts space into parts of about the same weight, by the points of all ranks: in the directions of an earlier bisection, or
/// where these are empty, each part across its longest side. Collective. Throws `environment` if Zoltan fails.
Bisection bisect(const Communicator& comm, int dimension, const std::vector<WeightedPoint>& points,
                 const std::vector<char>& directions);

}  // namespace hgrid::inline v0_1::detail
