// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles.
#pragma once

#include "support/fail.hpp"
#include "support/nearest_cases.hpp"
#include "support/packings.hpp"

/// Of a random system.
template <int D, class Exec>
void expect_nearest(const Exec& exec, const support::Case& c) {
  if (const std::string difference = support::check_nearest<double, D>(exec, c); !difference.empty())
    support::fail("nearest in system " + std::to_string(c.seed) + ": " + difference);
}

/// So many that cells are searched, on several levels.
template <class Exec>
void expect_nearest(const Exec& exec) {
  for (const bool periodic : {false, true}) {
    support::Case c;
    c.system = support::polydisperse(1500, 10, periodic, 9);
    for (c.seed = 0; c.seed < 3; ++c.seed) expect_nearest<3>(exec, c);
  }
}
