// SPDX-License-Identifier: BSD-3-Clause
// A clock for VerletOptions::clock that advances by the caller's declared time, so that chosen skins replay.
#pragma once

#include "support/random.hpp"

namespace support {

struct CallerClock {
  static inline double now = 0;
  static inline double least = 1e-6, most = 1;  ///< seconds between two looks at the clock
  static inline Random random{1};

  static double seconds() { return now += random.log_real(least, most); }

  static void set(std::uint64_t seed, double from = 1e-6, double to = 1) {
    now = 0, least = from, most = to, random = Random(seed);
  }
};

}  // namespace support
