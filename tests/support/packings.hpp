// SPDX-License-Identifier: BSD-3-Clause
// Plain systems for tests that are about something else than the geometry.
#pragma once

#include <cmath>

#include "hgrid/hgrid.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/user_arrays.hpp"

namespace support {

/// n particles with radii in [1, ratio] in a cube that they fill to about a third, some two contacts each.
inline oracle::System polydisperse(int n, double ratio, bool periodic, std::uint64_t seed = 1) {
  Random random(seed);
  oracle::System s;
  double volume = 0;
  for (int i = 0; i < n; ++i) {
    oracle::Particle p;
    p.radius = std::pow(1 - random.real() * (1 - std::pow(ratio, -2)), -0.5);  // cumulative exponent -2
    volume += 4.2 * p.radius * p.radius * p.radius;
    s.particles.push_back(p);
  }
  const double side = std::cbrt(3 * volume);
  for (int k = 0; k < 3; ++k) s.lo[k] = -0.3 * side, s.hi[k] = 0.7 * side, s.periodic[k] = periodic;
  for (oracle::Particle& p : s.particles) {
    for (int k = 0; k < 3; ++k) p.x[k] = random.real(s.lo[k], s.hi[k]);
  }
  return s;
}

/// Returns equal particles in a wider box: a periodic box ends after `cuts` times the side, and all have moved by a share of
/// its periods.
inline oracle::System in_wider_box(oracle::System s, double cuts, double moved) {
  for (int k = 0; k < s.dimension; ++k) {
    const double period = cuts * (s.hi[k] - s.lo[k]);
    s.hi[k] = s.lo[k] + period;
    for (oracle::Particle& p : s.particles) {
      p.x[k] += moved * period;
      if (p.x[k] >= s.hi[k]) p.x[k] -= period;
    }
  }
  return s;
}

template <class Exec>
hgrid::Grid<Exec, 3> built(const Exec& exec, const oracle::System& s, const hgrid::GridOptions& options = {}) {
  hgrid::GridOptions by_rule = options;
  by_rule.rule = static_cast<hgrid::Rule>(s.rule);
  hgrid::Grid<Exec, 3> grid(exec, box_of<3>(s), by_rule);
  grid.build(UserArrays<double, 3>(s).view(), {.skin = s.skin});
  return grid;
}

/// Boxes in place of the spheres, long along one axis each.
inline oracle::System with_extents(oracle::System s) {
  s.extended = true;
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) s.particles[i].extent[k] = s.particles[i].radius * (k == i % 3 ? 1 : 0.3);
  }
  return s;
}

}  // namespace support
