// SPDX-License-Identifier: BSD-3-Clause
// Capsules: all points within a radius of a segment. Works in kernels, too.
#pragma once

#include <cstddef>

#include "vector.hpp"

/// The square of |d + s a - t b|.
HGRID_HD inline double squared_at(const Vector& d, double s, const Vector& a, double t, const Vector& b) {
  Vector v;
  for (int k = 0; k < 3; ++k) v[k] = d[k] + s * a[k] - t * b[k];
  return dot(v, v);
}

HGRID_HD inline double clamped(double t) { return t < -1 ? -1 : (t > 1 ? 1 : t); }

/// Calls visit(s, t) for points s a and t b of two segments, the nearest among them. Their middles are d apart, and a and b go
/// from there to an end. Either an end is nearest to the other segment, or two inner points are, which are then the nearest
/// ones of the two lines.
template <class Visit>
HGRID_HD void visit_nearest(const Vector& d, const Vector& a, const Vector& b, const Visit& visit) {
  const double aa = dot(a, a), bb = dot(b, b), ab = dot(a, b), da = dot(d, a), db = dot(d, b);
  for (int end = -1; end <= 1; end += 2) {
    visit(end, bb > 0 ? clamped((db + end * ab) / bb) : 0);
    visit(aa > 0 ? clamped((end * ab - da) / aa) : 0, end);
  }
  const double sine = aa * bb - ab * ab;  // 0 or below where they are parallel: an end is nearest then
  if (sine > 0) visit(clamped((ab * db - bb * da) / sine), clamped((aa * db - ab * da) / sine));
}

/// Returns the square of the distance alone. With the places below, a search takes a quarter longer.
HGRID_HD inline double squared_distance(const Vector& d, const Vector& a, const Vector& b) {
  double least = squared_at(d, 1, a, 1, b);
  visit_nearest(d, a, b, [&](double s, double t) {
    const double here = squared_at(d, s, a, t, b);
    least = here < least ? here : least;
  });
  return least;
}

/// The square of the distance, and where the segments are nearest: at s a and t b.
struct Nearest {
  double squared, s, t;
};
HGRID_HD inline Nearest nearest_points(const Vector& d, const Vector& a, const Vector& b) {
  Nearest least{squared_at(d, 1, a, 1, b), 1, 1};
  visit_nearest(d, a, b, [&](double s, double t) {
    const double here = squared_at(d, s, a, t, b);
    if (here < least.squared) least = {here, s, t};
  });
  return least;
}

// [docs: capsules]
struct Capsules {
  hgrid::Box3 box;
  const double* x;       // middles, three numbers each
  const Vector* half;    // from a middle to an end
  const double* radius;  // around the segment

  HGRID_HD bool operator()(hgrid::index_t i, hgrid::index_t j, const hgrid::Image& image) const {
    const Vector d = hgrid::separation(box, x + 3 * std::size_t(i), x + 3 * std::size_t(j), image);
    const double sum = radius[i] + radius[j];
    return squared_distance(d, half[i], half[j]) <= sum * sum;
  }
};
// [docs: end]
