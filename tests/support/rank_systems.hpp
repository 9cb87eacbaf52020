// SPDX-License-Identifier: BSD-3-Clause
// Random systems such as ranks take.
#pragma once

#include "support/random_system.hpp"

namespace support {

/// Returns a system from the axes that ranks support: dimension, box, sizes, shape, positions, origin, real, skin.
inline oracle::System system_for_ranks(std::uint64_t seed) {
  Random random(seed);
  Choice choice = draw_choice(random);
  choice[tilt] = values::upright, choice[rule] = values::sum, choice[worlds] = values::one_world;
  for (const Axis off : {extra, groups, ghosts, exclusions, mask, bad_rows, scale}) choice[off] = 0;
  return SystemGenerator(choice, random).make();
}

}  // namespace support
