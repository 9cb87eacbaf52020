// SPDX-License-Identifier: BSD-3-Clause
// What contacts say of a packing.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "exact_sum.hpp"
#include "hgrid/core/types.hpp"
#include "hgrid/options.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::tool {

/// What particles are before any search.
struct Sizes {
  bool boxes = false;
  std::array<double, 3> half_min{}, half_max{};  ///< radii, or half extents along the axes
  std::array<double, 3> lo{}, hi{};              ///< of the centres
  std::optional<double>
      packing_fraction;  ///< in the box, along open axes between the outermost particles; none if that is empty
};

Sizes sizes_of(const io::ParticleTable& table, const Box3& box, int dimension);

/// Of particles in parts: their bounds, and the space that they fill.
struct SizeBounds {
  std::array<double, 3> half_min{HUGE_VAL, HUGE_VAL, HUGE_VAL}, half_max{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};  ///< as in `Sizes`
  std::array<double, 3> lo = half_min, hi = half_max;                                                       ///< of the centres
  std::array<double, 3> from = lo, to = hi;  ///< of the particles
  bool boxes = false;

  void add(const io::ParticleTable& table, int dimension);
};
ExactSum filled_by(const io::ParticleTable& table, int dimension);
Sizes sizes_of(const SizeBounds& bounds, double filled, const Box3& box, int dimension);

/// What pairs are, those with a gap left out. A rattler has fewer than D + 1 contacts. Without rattlers the coordination number
/// is M/N of the N particles that are none and their M contacts (Göncü, Durán, Luding, C. R. Mécanique 338, 2010).
struct Analysis {
  io::Coordination particle;
  std::int64_t contacts = 0;
  double coordination = 0;  ///< contacts of a particle on average
  std::int64_t rattlers = 0;
  double coordination_without_rattlers = 0;
  double overlap_mean = 0, overlap_max = 0;  ///< of contacts, over the smaller diameter or, of boxes, the least width
};

/// Of contacts in parts: their overlaps, and how many particles have.
struct OverlapSums {
  ExactSum sum;
  double most = 0;
  std::int64_t compared = 0;

  void add(double overlap, double diameter);
};
struct ContactSums {
  std::int64_t all = 0, of_others = 0, rattlers = 0;  ///< contacts of all particles, and of those that are no rattlers

  void add(const std::vector<std::int32_t>& of_particles, int dimension);
};
void finish(Analysis& a, OverlapSums overlaps, const ContactSums& contacts, std::int64_t particles);

/// Pairs by a rule: in a gather one counts for its first particle alone, else for both.
Analysis analyse(const io::PairSource& pairs, const io::ParticleTable& table, int dimension, Rule rule, double skin);

}  // namespace hgrid::tool
