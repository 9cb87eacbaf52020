// SPDX-License-Identifier: BSD-3-Clause
// Periodic axes: wrapping a coordinate into the box, and the images of a particle that reach into it.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid {

/// Coordinate x as `inside + count * period`, lo <= inside < hi.
struct Wrapped {
  double inside;
  double count;  ///< integral; checked against int32 by the input inspection
};

/// What lies outside. The fused multiply-add rounds once, so the stored value is the nearest double to
/// x - count * period; one correction step covers a quotient that rounded to the wrong side, and a result that rounds
/// onto hi becomes lo of the next period (contract, rule 6: -5e-17 must not land on L).
HGRID_HD inline Wrapped wrap_from_outside(double x, double lo, double hi) {
  const double period = hi - lo;
  double count = std::floor((x - lo) / period);
  double inside = std::fma(-count, period, x);
  if (inside < lo) inside = std::fma(-(count -= 1), period, x);
  if (inside >= hi) inside = std::fma(-(count += 1), period, x);
  if (inside < lo || inside >= hi) inside = lo;
  return {inside, count};
}

/// Wraps one coordinate of a periodic axis. What lies inside, as nearly all does, stays bit for bit.
HGRID_HD inline Wrapped wrap(double x, double lo, double hi) {
  return x >= lo && x < hi ? Wrapped{x, 0} : wrap_from_outside(x, lo, hi);
}

/// Consecutive images along one axis.
struct ImageSpan {
  int first, last;
  HGRID_HD int count() const { return last - first + 1; }
};

/// The images m on a periodic axis for which x - m * period +- reach meets [lo, hi].
template <int D>
HGRID_HD inline ImageSpan images_in_reach(const Box<D>& box, int axis, double x, double reach) {
  const double period = box.length(axis);
  ImageSpan span{0, 0};
  while (x - (span.first - 1) * period - reach <= box.hi[axis]) --span.first;
  while (x - (span.last + 1) * period + reach >= box.lo[axis]) ++span.last;
  return span;
}

}  // namespace hgrid
