// SPDX-License-Identifier: BSD-3-Clause
// Axes of a box that is turned, as random systems draw them, and positions along them.
#pragma once

#include "support/oracle.hpp"
#include "support/random.hpp"

namespace support {

/// Returns v as an array of `Real` holds it. It goes through memory that is really written, because g++ 12 drops the rounding
/// of adjacent values that it computes as one vector.
template <class Real>
double as_stored(double v) {
  volatile Real stored = static_cast<Real>(v);
  return stored;
}

/// Draws unit vectors at right angles to each other, right-handed or left-handed: any, or the user's in another order and
/// sense.
inline void draw_axes(oracle::Domain& s, Random& random) {
  const bool right_angles = random.chance(0.5);
  for (int k = 0; k < s.dimension; ++k) {
    double squared = 0;
    const int at = random.integer(0, s.dimension - 1 - k);
    while (squared < 1e-2) {
      for (int j = 0; j < s.dimension; ++j) s.axes[k][j] = random.real(-1, 1);
      for (int j = 0, left = at; j < s.dimension && right_angles; ++j) {
        bool taken = false;
        for (int i = 0; i < k; ++i) taken = taken || s.axes[i][j] != 0;
        s.axes[k][j] = !taken && left-- == 0 ? random.sign() : 0;
      }
      for (int turn = 0; turn < 2 * k; ++turn) {  // twice each, because the first time leaves rounding
        double part = 0;
        for (int j = 0; j < s.dimension; ++j) part += s.axes[k][j] * s.axes[turn % k][j];
        for (int j = 0; j < s.dimension; ++j) s.axes[k][j] -= part * s.axes[turn % k][j];
      }
      squared = 0;
      for (int j = 0; j < s.dimension; ++j) squared += s.axes[k][j] * s.axes[k][j];
    }
    for (int j = 0; j < s.dimension; ++j) s.axes[k][j] /= std::sqrt(squared);
  }
}

/// Moves a position along an axis of the box.
inline void move_along(const oracle::Domain& s, int axis, double by, double* x) {
  for (int k = 0; k < s.dimension; ++k) x[k] += s.turned ? by * s.axes[axis][k] : k == axis ? by : 0;
}

/// Puts particles at the corner of the box that no build would take, because they are too far outside: far along an open axis,
/// rounding and tilts move them along the others, too.
template <class Real>
void bring_back(oracle::System& s) {
  const oracle::detail::Lattices lattices(s);
  for (oracle::Particle& p : s.particles) {
    const oracle::Domain& box = oracle::domain_of(s, p);
    const std::array<double, 3> y = oracle::along_axes(box, p.x);
    bool good = std::isfinite(y[0] + y[1] + y[2]);
    if (!good) continue;
    for (int k = 0; k < s.dimension; ++k) {
      const double at = box.turned ? y[static_cast<std::size_t>(k)] : p.x[k];
      good = good && (!box.periodic[k] || std::fabs(at - box.lo[k]) < 0x1p28 * (box.hi[k] - box.lo[k])) &&
             std::fabs(p.x[k]) < 9e14;
    }
    const oracle::detail::Stored stored = good ? oracle::detail::store(s, lattices.of(p), p) : oracle::detail::Stored{};
    for (int k = 0; k < s.dimension; ++k) good = good && std::fabs(stored.x[k]) < 9e14;
    if (good) continue;
    const std::array<double, 3> corner = oracle::from_axes(box, box.lo);
    for (int k = 0; k < s.dimension; ++k) {
      p.x[k] = as_stored<Real>(box.turned ? corner[static_cast<std::size_t>(k)] : box.lo[k]);
    }
  }
}

}  // namespace support
