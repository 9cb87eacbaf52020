// SPDX-License-Identifier: BSD-3-Clause
// Worlds of a random system, and boxes of their own.
#pragma once

#include <algorithm>

#include "support/turned.hpp"

namespace support {

/// Draws a few worlds. Some of them have particles.
inline void draw_worlds(oracle::System& s, Random& random) {
  s.worlds = random.chance(0.1) ? 1 : random.integer(2, random.chance(0.8) ? 4 : 40);
  const int inhabited = random.integer(1, std::min(s.worlds, 5)), first = random.integer(0, s.worlds - inhabited);
  for (oracle::Particle& p : s.particles) p.world = first + random.integer(0, inhabited - 1);
}

/// Draws a box for each world: the system's, larger, elsewhere, tilted otherwise, along other axes, or with other axes open.
inline void draw_boxes_of_worlds(oracle::System& s, Random& random) {
  s.boxes.assign(static_cast<std::size_t>(s.worlds), s);
  const double length = s.hi[0] - s.lo[0], more_than_half = s.tilt[0] + length;
  const bool share_a_vector = s.tilt[0] != 0 && random.chance(0.4);  // more than half of the first period in some worlds only
  for (oracle::Domain& box : s.boxes) {
    if (share_a_vector) {
      box.tilt[0] = more_than_half;
      box.hi[0] = box.lo[0] + length * (random.chance(0.5) ? 1 : random.real(3.1, 4));
      continue;
    }
    if (random.chance(0.2)) continue;
    const double scale = random.real(1, 1.5);
    for (int k = 0; k < s.dimension; ++k) {
      const double period = box.hi[k] - box.lo[k];
      if (random.chance(0.3)) box.lo[k] += random.real(-1, 1) * period;
      box.hi[k] = box.lo[k] + scale * period * (random.chance(0.5) ? 1 : random.real(1, 1.2));
      if (random.chance(0.05)) box.periodic[k] = false;
    }
    for (int j = 1, t = 0; j < s.dimension; ++j) {
      for (int k = 0; k < j; ++k, ++t) box.tilt[t] = box.periodic[j] ? box.tilt[t] * random.real(-1, 1) : 0;
    }
    if (box.turned && random.chance(0.5)) draw_axes(box, random);
    if (box.turned && random.chance(0.2)) box.turned = false;
  }
}

}  // namespace support
