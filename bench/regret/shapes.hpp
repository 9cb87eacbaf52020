// SPDX-License-Identifier: BSD-3-Clause
// Systems whose particles lie on shapes that no recipe has: curves, fractals, surfaces, jets, heaps and layers.
#pragma once

#include <string>
#include <vector>

#include "hgrid/packing/recipe.hpp"

namespace regret {

struct Shaped {
  std::string name, text;
  hgrid::PackedSystem system;
};

/// Filaments, fractals, shells, jets, a pile with a halo, a jet in a gas, aggregates in empty space, slanted layers, and heaps
/// along a belt: each of one size, of a power law and of log-normal sizes. Also clumps of log-normal sizes, and two blobs of
/// sizes 1:1000. All in an open cube, with some six partners a particle at most.
std::vector<Shaped> shaped_systems(std::int64_t n, std::uint64_t seed);

}  // namespace regret
