// SPDX-License-Identifier: BSD-3-Clause
// Extents in the place of radii for a random system.
#pragma once

#include "support/oracle_system.hpp"
#include "support/random.hpp"

namespace support {

/// Up to the radius along each axis; of long and flat ones some are a thousandth of it, or nothing.
inline void draw_extents(oracle::System& s, bool long_and_flat, Random& random) {
  for (oracle::Particle& p : s.particles) {
    for (int k = 0; k < s.dimension; ++k) {
      p.extent[k] = p.radius;
      if (long_and_flat && random.chance(0.6)) p.extent[k] *= random.chance(0.1) ? 0 : random.log_real(1e-3, 1);
      if (p.extent[k] < 1e-14) p.extent[k] = 0;
    }
  }
}

/// Moves q to where it touches p, or nearly, along an axis.
inline void plant_beside(const oracle::System& s, const oracle::Particle& p, oracle::Particle& q, int axis, Random& random) {
  for (int k = 0; k < s.dimension; ++k) {
    const double reach = p.extent[k] + p.extra + q.extent[k] + q.extra + s.skin;
    q.x[k] = p.x[k] + random.sign() * reach * (k == axis ? random.real(0.9, 1.05) : random.real(0, 0.9));
  }
}

}  // namespace support
