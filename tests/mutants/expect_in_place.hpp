// SPDX-License-Identifier: BSD-3-Clause
// The margins of the device's search in place.
#pragma once

#include "support/fail.hpp"
#include "support/in_place_cases.hpp"

inline void expect_in_place() {
  support::Kinds kinds;
  for (const std::string& wrong : {support::wrong_sign<2>(1, 100000, kinds), support::wrong_sign<3>(2, 100000, kinds)}) {
    if (!wrong.empty()) support::fail("a sign of the search in place: " + wrong);
  }
  for (const std::string& lost : {support::lost_cell<2>(3, 30000, kinds), support::lost_cell<3>(4, 30000, kinds)}) {
    if (!lost.empty()) support::fail("rows of the search in place: " + lost);
  }
}
