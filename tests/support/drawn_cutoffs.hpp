// SPDX-License-Identifier: BSD-3-Clause
// A table of cut-offs for a random system.
#pragma once

#include "support/oracle_system.hpp"
#include "support/random.hpp"

namespace support {

/// Types of the sizes of some particles; cut-offs up to twice the smaller radius, the most allowed, or none.
template <class Rounded>
void draw_cutoffs(oracle::System& s, double r, const Rounded& rounded, Random& random) {
  s.types = random.integer(1, 4);
  std::vector<double> radius{rounded(r)};
  while (static_cast<int>(radius.size()) < s.types) {
    const double of_some = s.particles[random.integer(0, static_cast<int>(s.particles.size()) - 1)].radius;
    radius.push_back(rounded(of_some > 0 ? of_some : r * random.real(0.3, 1)));
  }
  for (oracle::Particle& p : s.particles) p.type = random.integer(0, s.types - 1), p.radius = radius[p.type];
  s.particles[0].type = 0, s.particles[0].radius = radius[0];
  s.cutoffs.assign(s.types * s.types, 0);
  for (int a = 0; a < s.types; ++a) {
    for (int b = 0; b <= a; ++b) {
      const double most = 2 * std::fmin(radius[a], radius[b]);
      const double cutoff = random.chance(0.5) ? most : a > 0 && random.chance(0.1) ? 0 : most * random.real(0.8, 1);
      s.cutoffs[a * s.types + b] = s.cutoffs[b * s.types + a] = cutoff;
    }
  }
}

}  // namespace support
