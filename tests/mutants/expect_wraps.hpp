// SPDX-License-Identifier: BSD-3-Clause
// Coordinates that are wrapped.
#pragma once

#include "hgrid/core/lattice.hpp"
#include "support/fail.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"

/// Near the faces of a period, and far away.
inline void expect_wraps() {
  support::Random random(9);
  for (int n = 0; n < 30000; ++n) {
    const double lo = random.chance(0.3) ? 0 : random.sign() * random.log_real(1e-3, 1e6), hi = lo + random.log_real(1e-3, 1e3);
    const double near = random.chance(0.5) ? lo : hi, periods = random.chance(0.3) ? 0 : random.integer(-1000, 1000);
    const double x = random.chance(0.1) ? -5e-17 : support::ulps_away(near + periods * (hi - lo), random.integer(-3, 3));
    const hgrid::Wrapped got = hgrid::wrap(x, lo, hi);
    const oracle::Wrapped expected = oracle::wrap(x, lo, hi);
    if (got.inside != expected.inside || got.count != expected.count) support::fail("wrap");
  }
}
