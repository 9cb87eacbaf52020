// SPDX-License-Identifier: BSD-3-Clause
// What contacts say of a packing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hgrid/core/types.hpp"
#include "hgrid/options.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::tool {

/// What particles are before any search.
struct Sizes {
  double radius_min = 0, radius_max = 0;
  std::array<double, 3> lo{}, hi{};  ///< of the centres
  std::optional<double>
      packing_fraction;  ///< in the box, along open axes between the outermost particles; none if that is empty
};

Sizes sizes_of(const io::ParticleTable& table, const Box3& box, int dimension);

/// What pairs are, those with a gap left out. A rattler has fewer than D + 1 contacts. Without rattlers the coordination number is
/// M/N of the N particles that are none and their M contacts (Göncü, Durán, Luding, C. R. Mécanique 338, 2010).
struct Analysis {
  io::Coordination particle;
  std::int64_t contacts = 0;
  double coordination = 0;  ///< contacts of a particle on average
  std::int64_t rattlers = 0;
  double coordination_without_rattlers = 0;
  double overlap_mean = 0, overlap_max = 0;  ///< of contacts, over the smaller diameter
};

/// Pairs by a rule: in a gather one counts for its first particle alone, else for both.
Analysis analyse(const io::PairSource& pairs, const io::ParticleTable& table, int dimension, Rule rule, double skin);

}  // namespace hgrid::tool
