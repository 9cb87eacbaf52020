// SPDX-License-Identifier: BSD-3-Clause
// The case of a seed.
#pragma once

#include "support/aim.hpp"

namespace support {

template <int D>
void aim_at_cells(Case& c, Random& random) {
  c.choice[real] == 0 ? Aim<double, D>(c, random)() : Aim<float, D>(c, random)();
}

inline Case make_case(std::uint64_t seed) {
  Random random(seed);
  Case c;
  c.seed = seed;
  c.choice = draw_choice(random);
  c.system = SystemGenerator(c.choice, random).make();
  c.levels = draw_levels(c.system, c.choice[levels], random);
  if (c.choice[aim] != values::nothing) {
    c.warm_up = c.system;
    c.choice[dimension] == 0 ? aim_at_cells<2>(c, random) : aim_at_cells<3>(c, random);
  }
  draw_exclusions(c.system, c.choice[exclusions], random);
  if (!c.warm_up.particles.empty() && random.chance(0.5)) c.warm_up.excluded = c.system.excluded;
  return c;
}

}  // namespace support
