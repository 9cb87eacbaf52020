// SPDX-License-Identifier: BSD-3-Clause
// Memory that cannot be returned yet is kept, and returned as soon as it may be, once.
#pragma once

#include <vector>

#include "kernels/kept.hpp"
#include "support/fail.hpp"

inline void expect_kept() {
  hgrid::detail::Kept<int> kept;
  std::vector<int> back;
  bool odd_ones_may = false;
  const auto give_back_those = [&] {
    kept.give_back_those([&](int one) { return odd_ones_may ? one % 2 == 1 : one < 0; },
                         [&](int one) {
                           back.push_back(one);
                           if (one == 3) kept.keep(5);  // returned buffers may keep more
                         });
  };
  for (const int one : {1, 2, 3}) kept.keep(one);
  give_back_those();
  if (!back.empty()) support::fail("given back too early");
  odd_ones_may = true;
  give_back_those();
  if (back != std::vector<int>{1, 3}) support::fail("not given back");
  give_back_those();
  give_back_those();
  if (back != std::vector<int>{1, 3, 5}) support::fail("kept while others were given back");
  odd_ones_may = false;
  kept.keep(-1);
  give_back_those();
  if (back != std::vector<int>{1, 3, 5, -1}) support::fail("kept before others that stay");
}
