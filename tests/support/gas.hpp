// SPDX-License-Identifier: BSD-3-Clause
// Particles in a time loop, and the conditions that their lists must meet.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/packings.hpp"
#include "support/results.hpp"

namespace support {

/// Particles on straight lines through a periodic or open box.
struct Gas {
  oracle::System s;
  std::vector<double> v;

  explicit Gas(int n, bool periodic = true, std::uint64_t seed = 1) : s(polydisperse(n, 6, periodic, seed)) {
    Random random(seed + 9);
    for (int i = 0; i < 3 * n; ++i) v.push_back(random.real(-1, 1));
  }
  void step(double dt) {
    for (std::size_t i = 0; i < s.particles.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) s.particles[i].x[k] += dt * v[3 * i + k];
    }
  }
};

template <class Exec>
bool holds_all(const hgrid::NeighbourList<Exec>& list, const oracle::System& s) {
  const Contacts listed = as_listed(list), contacts = oracle::contacts(s);
  return std::includes(listed.begin(), listed.end(), contacts.begin(), contacts.end());
}

template <class F>
hgrid::Error::Detail expect_error(hgrid::ErrorCode code, const F& f) {
  try {
    f();
  } catch (const hgrid::Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    return e.detail();
  }
  ADD_FAILURE() << "no error";
  return {};
}

}  // namespace support
