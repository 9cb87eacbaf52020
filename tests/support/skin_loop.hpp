// SPDX-License-Identifier: BSD-3-Clause
// Loops whose skin is chosen: with any cost of the caller's work, in boxes down to the smallest that are allowed.
#pragma once

#include "support/caller_clock.hpp"
#include "support/oracle.hpp"

namespace support {

/// A few particles that fly through a periodic box.
struct SkinLoop {
  oracle::System s;
  std::vector<double> v;
  double skin, per_build, per_step;  // the skin to begin with; seconds of the caller's work

  explicit SkinLoop(std::uint64_t seed) {
    Random random(seed);
    const int kind = random.integer(0, 2);  // many images, some, the smallest box
    const int n = kind == 2 ? 2 : random.integer(3, 8);
    skin = random.log_real(0.01, 0.4);
    per_build = random.log_real(1e-6, 0.1), per_step = random.chance(0.5) ? 0 : per_build * random.log_real(1e-6, 1);
    for (int k = 0; k < 3; ++k) s.periodic[k] = true, s.hi[k] = random.real(1, 1.3);
    for (int i = 0; i < n; ++i) {
      const double radius = kind == 0 ? random.real(0.02, 0.1) : kind == 1 ? 0.45 : 0.5 * (7 - skin) * (1 - 1e-9);
      s.particles.push_back({.x = {random.real(), random.real(), random.real()}, .radius = radius});
      for (int k = 0; k < 3; ++k) v.push_back(random.real(-1, 1));
    }
  }
  int steps() const { return s.particles[0].radius > 1 ? 60 : 1200; }
  void step() {
    for (std::size_t i = 0; i < s.particles.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) s.particles[i].x[k] += 0.01 * v[3 * i + k];
    }
    CallerClock::now += per_step;
  }
};

}  // namespace support
