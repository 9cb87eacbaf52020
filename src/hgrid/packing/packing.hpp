// SPDX-License-Identifier: BSD-3-Clause
// Random packings: particles of given radii with their centres anywhere in a cube.
#pragma once

#include <cstdint>
#include <vector>

#include "hgrid/packing/radii.hpp"

namespace hgrid::inline v0_2 {

/// Particles in the cube [0, length]^D; in 2-D z holds zeros.
struct Packing {
  int dimension = 3;
  double length = 0;
  std::vector<double> x, y, z, r;
};

struct PackingOptions {
  SizeDistribution sizes;
  std::int64_t particles = 0;
  double fraction = 0.5;  ///< volume of the particles (area in 2-D) over the volume of the cube; overlaps count twice
  int dimension = 3;
  std::uint64_t seed = 1;
};

/// Returns a packing with centres uniformly random in the cube, radii in random order. One seed gives the same random numbers
/// on every platform: std::mt19937_64, which the C++ standard defines. First it shuffles the radii (Fisher-Yates from the end,
/// place floor(k * g / 2^64) of k), then it draws per particle x, y and z as floor(g / 2^11) / 2^53 of the length. Throws
/// `invalid_argument` for options that make no packing.
Packing random_packing(const PackingOptions& options);

}  // namespace hgrid::inline v0_2
