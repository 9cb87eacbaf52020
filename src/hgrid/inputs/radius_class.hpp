// SPDX-License-Identifier: BSD-3-Clause
// Classes of radii of nearly equal ratio, found from their leading bits. Counts are whole numbers, so plans do not depend on
// how many threads counted.
#pragma once

#include <cmath>
#include <cstring>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr int radius_class_bits = 5;                            ///< 2^bits classes per octave
inline constexpr int first_radius_octave = -50, radius_octaves = 102;  ///< 2^-50 is below the smallest radius, 1e-15
inline constexpr int radius_classes = radius_octaves << radius_class_bits;

/// Returns the class of a radius (with extra distance) in [0, 2e15]; points are in the lowest class.
HGRID_HD inline int radius_class(double radius) {
  constexpr int shift = 52 - radius_class_bits, lowest = (first_radius_octave + 1023) << radius_class_bits;
  std::uint64_t word;
  std::memcpy(&word, &radius, sizeof word);
  const int c = static_cast<int>(word >> shift) - lowest;
  return c < 0 ? 0 : c < radius_classes ? c : radius_classes - 1;
}

/// Returns the smallest radius of a class. A class ends where the next one begins.
inline double radius_class_begin(int c) {
  const int octave = c >> radius_class_bits, step = c & ((1 << radius_class_bits) - 1);
  return std::ldexp(1 + std::ldexp(step, -radius_class_bits), first_radius_octave + octave);
}

}  // namespace hgrid::inline v0_2::detail
