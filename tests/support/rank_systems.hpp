// SPDX-License-Identifier: BSD-3-Clause
// Random systems such as ranks take.
#pragma once

#include "support/random_system.hpp"

namespace support {

/// Returns a system from the axes that ranks support: dimension, box, tilt, sizes, shape, positions, origin, real, skin.
/// `labelled` ones have rules, types, groups and exclusions, too, and `one_sided` ones the rule `gather`.
inline oracle::System system_for_ranks(std::uint64_t seed, bool labelled = false, bool one_sided = false) {
  Random random(seed);
  Choice choice = draw_choice(random);
  choice[worlds] = values::one_world;
  if (seed % 5 < 2) choice[tilt] = values::upright;
  if (!labelled || choice[rule] == values::gather) choice[rule] = values::sum;
  if (one_sided) choice[rule] = values::gather, choice[shape] = values::spheres;
  for (const Axis off : {extra, ghosts, mask, bad_rows, scale}) choice[off] = 0;
  for (const Axis off : {groups, exclusions}) choice[off] = labelled ? choice[off] : 0;
  return SystemGenerator(choice, random).make();
}

/// Tilts the box of a system further, by up to half a period. With an odd seed it also grows.
inline void change_box(oracle::System& s, std::uint64_t seed) {
  Random random(seed + 21);
  bool tilts = false;
  for (int t = 0; t < 3; ++t) tilts = tilts || s.tilt[t] != 0;
  if (seed % 2 == 1) {
    for (int k = 0; k < s.dimension; ++k) s.hi[k] += random.real(0.5, 0.6) * (s.hi[k] - s.lo[k]);
  } else if (!tilts) {
    return;  // periods that allow tilts would have to be longer
  }
  for (int j = 1, t = 0; j < s.dimension; ++j) {
    for (int k = 0; k < j; ++k, ++t) {
      if (s.periodic[j]) s.tilt[t] += random.real(-0.5, 0.5) * (s.hi[k] - s.lo[k]);
    }
  }
}

}  // namespace support
