// SPDX-License-Identifier: BSD-3-Clause
// The periods that wrapping took off particles, in four bytes each: those of nearly all particles fit.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr std::int32_t unpackable = INT32_MIN;

/// Ten bits for each axis, or `unpackable`.
inline std::int32_t packed(const Image& periods) {
  std::int32_t bits = 0;
  bool fits = true;
  for (int k = 0; k < 3; ++k) {
    fits = fits & (periods[k] >= -512) & (periods[k] < 512);
    bits |= (periods[k] & 1023) << (10 * k);
  }
  return fits ? bits : unpackable;
}

inline Image unpacked(std::int32_t bits) {
  Image periods;
  for (int k = 0; k < 3; ++k) periods[k] = (((bits >> (10 * k)) & 1023) ^ 512) - 512;
  return periods;
}

}  // namespace hgrid::inline v0_2::detail
