// SPDX-License-Identifier: BSD-3-Clause
// When levels are judged anew.
#pragma once

#include <algorithm>
#include <cmath>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// The inputs for which the levels in use were chosen or found good enough: ranges, for numbers that go up and down.
struct JudgedInputs {
  double fewest = HUGE_VAL, most = 0, radius_low = HUGE_VAL, radius_high = 0;

  void add(offset_t particles, double radius_max) {
    const auto n = static_cast<double>(particles);
    fewest = std::min(fewest, n), most = std::max(most, n);
    radius_low = std::min(radius_low, radius_max), radius_high = std::max(radius_high, radius_max);
  }
  template <class A>
  void archive(A& a) {
    a(fewest, most, radius_low, radius_high);
    a.require("judged inputs", [&] { return fewest >= 0 && most >= 0 && radius_low <= HUGE_VAL && radius_high >= 0; });
  }
  bool covers(offset_t particles, double radius_max) const {
    const auto n = static_cast<double>(particles);
    return n >= 0.8 * fewest && n <= 1.25 * most && radius_max >= 0.9 * radius_low && radius_max <= 1.1 * radius_high;
  }
};

}  // namespace hgrid::inline v0_2::detail
