// SPDX-License-Identifier: BSD-3-Clause
// Images in 15 bits, five per axis. Few periods lie between two particles inside the box, so five bits suffice for all images
// that a search visits, and in nearly every box also for images in the vectors that the user gave (core/lattice.hpp).
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr int image_code_bits = 15;
inline constexpr int most_coded_periods = 15;  ///< along an axis, in either direction; no search visits more
inline constexpr std::uint32_t code_of_no_image = 16 << 10 | 16 << 5 | 16;

/// Returns whether an image has a code. Its mirror image then has one, too.
HGRID_HD constexpr bool has_code(const Image& m) {
  for (int k = 0; k < 3; ++k) {
    if (m[k] < -most_coded_periods || m[k] > most_coded_periods) return false;
  }
  return true;
}

/// Returns the code of an image. Codes are in the order of the images. The result is arbitrary for an image without a code.
HGRID_HD constexpr std::uint32_t image_code(const Image& m) {
  const auto digit = [&](int k) { return static_cast<std::uint32_t>(m[k]) + 16; };  // may wrap around
  return (digit(0) << 10 | digit(1) << 5 | digit(2)) & ((1u << image_code_bits) - 1);
}

HGRID_HD constexpr Image image_of_code(std::uint32_t code) {
  Image m{};
  m[0] = static_cast<std::int32_t>(code >> 10 & 31) - 16;
  m[1] = static_cast<std::int32_t>(code >> 5 & 31) - 16;
  m[2] = static_cast<std::int32_t>(code & 31) - 16;
  return m;
}

/// Returns the code of the image with all signs changed.
HGRID_HD constexpr std::uint32_t mirrored_code(std::uint32_t code) { return 2 * code_of_no_image - code; }

}  // namespace hgrid::inline v0_2::detail
