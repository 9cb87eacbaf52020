// SPDX-License-Identifier: BSD-3-Clause
// The slots in single precision, by columns: twice as many fit a vector, in half of the bytes. They decide nearly all
// candidates; those within a margin of touching are left to the predicate, so that the answers are its own.
#pragma once

#include <algorithm>
#include <cmath>

#include "hgrid/core/grid_view.hpp"

namespace hgrid::inline v0_1::detail {

/// Columns of all slots, which may be read `slot_padding` elements beyond the last.
///
/// With p's and q's column values, t = (r_p + r_q)^2 - |x_p - x_q|^2, or with the larger radius in place of the sum, in floats,
/// evaluated in any order, with fused operations or not. If t > margin(R), then p and q touch; if they touch, then
/// t > -margin(R); R bounds their listing distance.
///
/// Proof, with v = 2^-24, M = `extent`, which bounds all |x - origin|, and rho the true distance. A coordinate errs by
/// v M, hence the distance that the floats see lies within [(rho - A) (1 - v), (rho + A) (1 + v)], A = 3.5 v M. Radii and
/// their sum err by 2 v relative, and t by 8 v of its two squares. So t differs from R^2 - rho^2 by at most
/// v (12.2 R^2 + 8.1 (rho + A)^2) + 2 A rho + A^2. At rho = R, where the predicate's own error of 4 u is far inside,
/// that is below v (23 R^2 + 7.1 R M) + 13 v^2 M^2. For rho > R the square of rho outgrows its own share of the error,
/// once rho > 1.01 A; before that all terms are below 13 v^2 M^2. The margin exceeds this sum by more than its own rounding
/// takes. Where the larger of two radii counts, R errs by its two roundings only, because no sum follows. Numbers that may be
/// flushed to 0 add 2^-123 R and 2^-123, which is less than 9 v R^2 or than the floor of 2^-100.
template <int D>
struct FilterColumns {
  float* x[D];            ///< x - origin
  float* radius;          ///< with half the skin, or all of it where the larger one counts; null if there are no columns
  Vec<double, D> origin;  ///< the middle of all coordinates
  double extent;          ///< at least the largest |x - origin|

  FilterColumns() : x{}, radius(nullptr), origin{}, extent(0) {}

  /// In D + 1 columns with room(slots) for each, for coordinates in [lo, hi].
  FilterColumns(float* const* column, const Vec<double, D>& lo, const Vec<double, D>& hi) : radius(column[D]), extent(0) {
    for (int k = 0; k < D; ++k) {
      x[k] = column[k];
      origin[k] = 0.5 * lo[k] + 0.5 * hi[k];
      extent = std::max({extent, hi[k] - origin[k], origin[k] - lo[k]});
    }
  }

  static offset_t room(offset_t slots) { return (slots + slot_padding + 15) / 16 * 16; }

  bool empty() const { return radius == nullptr; }

  float margin(double distance) const {
    constexpr double v = 0x1p-24;
    return static_cast<float>(v * distance * (32 * distance + 8 * extent) + 16 * (v * extent) * (v * extent) + 0x1p-100);
  }

  /// Whether no number overflows, and few pairs of the finest particles are so close to touching that the predicate must
  /// decide; given the listing distance of the largest of those, and of all.
  bool suit(double finest, double largest) const {
    return extent <= 0x1p58 && largest <= 0x1p58 && margin(finest) <= 0x1p-7 * finest * finest;
  }
};

}  // namespace hgrid::inline v0_1::detail
