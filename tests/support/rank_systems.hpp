// SPDX-License-Identifier: BSD-3-Clause
// Random systems such as ranks take.
#pragma once

#include "support/random_system.hpp"

namespace support {

/// Returns a system from the axes that ranks support: dimension, box, sizes, shape, positions, origin, real, skin. `labelled`
/// ones have rules, types, groups and exclusions, too.
inline oracle::System system_for_ranks(std::uint64_t seed, bool labelled = false) {
  Random random(seed);
  Choice choice = draw_choice(random);
  choice[tilt] = values::upright, choice[worlds] = values::one_world;
  if (!labelled || choice[rule] == values::gather) choice[rule] = values::sum;
  for (const Axis off : {extra, ghosts, mask, bad_rows, scale}) choice[off] = 0;
  for (const Axis off : {groups, exclusions}) choice[off] = labelled ? choice[off] : 0;
  return SystemGenerator(choice, random).make();
}

}  // namespace support
