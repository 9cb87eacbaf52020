// SPDX-License-Identifier: BSD-3-Clause
// The slots in single precision, by columns: a vector holds twice as many, and they need half of the memory. They decide nearly
// all candidates. The predicate decides candidates within a margin of touching, so results are exactly the predicate's.
#pragma once

#include <algorithm>
#include <cmath>

#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/lattice.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the margin of single precision. With the positions and radii of p and q in floats, let t = (r_p + r_q)^2 - |x_p -
/// x_q|^2, or with the larger radius in place of the sum, evaluated in any order, with or without fused operations. If t >
/// margin(R), then p and q touch; if they touch, then t > -margin(R). R is their listing distance or larger. Positions are
/// relative to any point.
/// | Proof, with v = 2^-24, M = `extent`, which bounds all coordinates of such positions, and rho the true distance. A
/// coordinate errs by v M, hence the distance in floats lies within [(rho - A) (1 - v), (rho + A) (1 + v)], A = 3.5 v M. If p's
/// position is moved by a shift (from_origin), it is beyond M by at most the distance of p and q, so it errs by another v rho:
/// the factors are then 1 - 2 v and 1 + 2 v. The shift itself is at most 2 M + rho, if p is in the same grid. If it is in
/// another grid, roundings of the size of the shift count, u of it each; for these the search adds v times the shift to M.
/// Radii and their sum err by 2 v relative, and t by 8 v of its two squares. So t differs from R^2 - rho^2 by at most v (12.2
/// R^2 + 10.2 (rho + A)^2) + 2 A rho + A^2. At rho = R, where the predicate's own error of 4 u is far smaller, that is below v
/// (26 R^2 + 7.1 R M) + 13 v^2 M^2. For rho > R the square of rho outgrows its own share of the error, once rho > 1.01 A;
/// before that all terms are below 13 v^2 M^2. The margin exceeds this sum by more than its own rounding. If the larger of two
/// radii counts, R errs by its two roundings only, because no sum follows. Numbers that may be flushed to 0 add 2^-123 R and
/// 2^-123, which is less than 5 v R^2 or than the floor of 2^-100.
inline float filter_margin(double distance, double extent) {
  constexpr double v = 0x1p-24;
  return static_cast<float>(v * distance * (32 * distance + 8 * extent) + 16 * (v * extent) * (v * extent) + 0x1p-100);
}

/// The margin for distances in floats, as squared R^2 + linear R + least in floats: these factors exceed the ones above by more
/// than eight roundings.
struct MarginOfDistance {
  float squared, linear, least;

  explicit MarginOfDistance(double extent) {
    constexpr double v = 0x1p-24;
    squared = static_cast<float>(33 * v);
    linear = static_cast<float>(8.5 * v * extent);
    least = static_cast<float>(17 * (v * extent) * (v * extent) + 0x1p-99);
  }
};

/// Returns the margin for boxes, with t = min over the axes of h_p + h_q - |x_p - x_q|, extents and coordinates in floats. R is
/// at least their listing distance along any axis.
/// | Proof: along an axis, coordinates err by v M each, and by another v rho if p is moved by a shift; their difference by v
/// times itself; so |x_p - x_q| by less than 2.1 v M + 2.1 v rho. Extents and their sum err by 2.1 v R. At rho <= R that is
/// below v (4.2 R + 2.1 M). For rho > R, t falls faster than its error grows. The margin exceeds this by more than its own
/// rounding, and its floor exceeds flushed numbers.
inline float overlap_margin(double distance, double extent) {
  constexpr double v = 0x1p-24;
  return static_cast<float>(v * (8 * distance + 4 * extent) + 0x1p-100);
}

/// Returns a radius or half extent plus its part of the skin: half of it, or all of it if the larger radius counts.
inline float filter_radius(double radius, double skin, bool radii_add) {
  return static_cast<float>(radius + (radii_add ? 0.5 : 1.0) * skin);
}

/// Columns of all slots. They may be read `slot_padding` elements beyond the last.
template <int D>
struct FilterColumns {
  float* x[D];            ///< x - origin
  float* radius;          ///< filter_radius, undefined if particles have extents; null if there are no columns
  float* extent_of[D];    ///< filter_radius of the half extents, in separate memory; null for spheres
  Vec<double, D> origin;  ///< the middle of all coordinates
  double extent;          ///< at least the largest |x - origin|

  FilterColumns() : x{}, radius(nullptr), extent_of{}, origin{}, extent(0) {}

  /// Uses D + 1 columns with room(slots) for each, for coordinates in [lo, hi].
  FilterColumns(float* const* column, const Vec<double, D>& lo, const Vec<double, D>& hi)
      : radius(column[D]), extent_of{}, extent(0) {
    for (int k = 0; k < D; ++k) {
      x[k] = column[k];
      origin[k] = 0.5 * lo[k] + 0.5 * hi[k];
      extent = std::max({extent, hi[k] - origin[k], origin[k] - lo[k]});
    }
  }

  static offset_t room(offset_t slots) { return (slots + slot_padding + 15) / 16 * 16; }

  bool empty() const { return radius == nullptr; }

  /// Returns a coordinate along an axis, moved by a shift. Subtracts the origin first: far from 0, the coordinate less a small
  /// shift would be rounded to the resolution of doubles there, which may be far more than the margin.
  float from_origin(double at, double by, int axis) const { return static_cast<float>(at - origin[axis] - by); }

  float margin(double distance) const {
    return extent_of[0] != nullptr ? overlap_margin(distance, extent) : filter_margin(distance, extent);
  }

  /// Returns whether no number overflows, and few pairs of the finest particles are so close to touching that the predicate
  /// must decide. The arguments are the largest listing distances of the finest particles and of all particles.
  bool suit(double finest, double largest) const {
    return extent <= 0x1p58 && largest <= 0x1p58 && margin(finest) <= 0x1p-7 * finest * finest;
  }
};

}  // namespace hgrid::inline v0_2::detail
