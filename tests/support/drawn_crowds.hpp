// SPDX-License-Identifier: BSD-3-Clause
// Many particles in few cells far larger than they are.
#pragma once

#include "support/oracle_system.hpp"
#include "support/random.hpp"

namespace support {

/// Now and then brings most particles together about one of them, and makes them as small. Draws nothing from the numbers that
/// follow, so other systems stay as they were.
template <class Rounded>
void draw_crowd(oracle::System& s, Random random, const Rounded& rounded) {
  if (s.types > 0 || !random.chance(0.3)) return;
  const double scale = random.log_real(1e-6, 0.05);
  const oracle::Particle middle = s.particles[random.integer(0, static_cast<int>(s.particles.size()) - 1)];
  for (oracle::Particle& p : s.particles) {
    if (random.chance(0.15)) continue;
    for (int k = 0; k < s.dimension; ++k) p.x[k] = rounded(middle.x[k] + scale * (p.x[k] - middle.x[k]));
    for (double* size : {&p.radius, &p.extra}) *size = *size * scale < 1e-12 ? 0 : rounded(*size * scale);
  }
}

}  // namespace support
