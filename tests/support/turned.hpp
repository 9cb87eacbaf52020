// SPDX-License-Identifier: BSD-3-Clause
// Axes of a box that is turned, as random systems draw them.
#pragma once

#include "support/oracle.hpp"
#include "support/random.hpp"

namespace support {

/// v as an array of `Real` holds it; through memory that is really written, because g++ 12 drops the rounding of neighbours
/// that it computes as one vector.
template <class Real>
double as_stored(double v) {
  volatile Real stored = static_cast<Real>(v);
  return stored;
}

/// Unit vectors at right angles to each other, of either hand: any, or those of the user in another order and sense.
inline void draw_axes(oracle::System& s, Random& random) {
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

}  // namespace support
