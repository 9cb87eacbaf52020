// SPDX-License-Identifier: BSD-3-Clause
// The lanes that a mask selects, for instruction sets that cannot compress a vector.
#pragma once

#include <array>
#include <cstdint>

namespace hgrid::inline v0_2::detail {

inline constexpr int lanes_at_most = 8;

/// For each mask of eight bits: the numbers of its set bits, in order, then zeros.
using LaneNumbers = std::array<std::array<std::uint8_t, lanes_at_most>, 1 << lanes_at_most>;

constexpr LaneNumbers make_lane_numbers() {
  LaneNumbers numbers{};
  for (unsigned mask = 0; mask < numbers.size(); ++mask) {
    int n = 0;
    for (int lane = 0; lane < lanes_at_most; ++lane) {
      if (mask >> lane & 1) numbers[mask][n++] = static_cast<std::uint8_t>(lane);
    }
  }
  return numbers;
}

// Not a constant within a function, like Highway's: GCC 12 copies such a constant, 1 KiB, to the stack at each use.
alignas(64) inline constexpr LaneNumbers lane_numbers = make_lane_numbers();

}  // namespace hgrid::inline v0_2::detail
