// SPDX-License-Identifier: BSD-3-Clause
// What a build is told beside its particles, and what it says of its levels.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid {

/// Options that may differ from build to build.
struct BuildOptions {
  double skin = 0;         ///< pairs up to this much beyond touching are listed too (contract C5); a length, as radii
  bool check_now = false;  ///< on a device: wait, and throw bad input here instead of at the next read-back
};

/// One level of a built grid.
struct LevelReport {
  double radius_max;       ///< largest radius inserted (with extra distance)
  double radius_bound;     ///< largest radius, with half the skin, that would be inserted
  double cell_size[3];
  index_t particles;
};

}  // namespace hgrid
