// SPDX-License-Identifier: BSD-3-Clause
// Triangles, for walls: tests a sphere that touches a triangle's box against the triangle itself.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

// Each operation is rounded once, so triangles that share an edge get the same bits for it, wherever these functions are
// inlined.
HGRID_HD inline Vec<double, 3> difference(const Vec<double, 3>& a, const Vec<double, 3>& b) {
  return {sub_rn(a[0], b[0]), sub_rn(a[1], b[1]), sub_rn(a[2], b[2])};
}
HGRID_HD inline double inner_product(const Vec<double, 3>& a, const Vec<double, 3>& b) {
  return add_rn(add_rn(mul_rn(a[0], b[0]), mul_rn(a[1], b[1])), mul_rn(a[2], b[2]));
}
HGRID_HD inline Vec<double, 3> cross_product(const Vec<double, 3>& a, const Vec<double, 3>& b) {
  return {sub_rn(mul_rn(a[1], b[2]), mul_rn(a[2], b[1])), sub_rn(mul_rn(a[2], b[0]), mul_rn(a[0], b[2])),
          sub_rn(mul_rn(a[0], b[1]), mul_rn(a[1], b[0]))};
}
/// Returns a + t b.
HGRID_HD inline Vec<double, 3> advanced(const Vec<double, 3>& a, double t, const Vec<double, 3>& b) {
  return {add_rn(a[0], mul_rn(t, b[0])), add_rn(a[1], mul_rn(t, b[1])), add_rn(a[2], mul_rn(t, b[2]))};
}

HGRID_HD inline Vec<double, 3> nearest_on_edge(const Vec<double, 3>& x, const Vec<double, 3>& a, const Vec<double, 3>& b) {
  const Vec<double, 3> edge = difference(b, a);
  const double along = inner_product(difference(x, a), edge), length = inner_product(edge, edge);
  if (along <= 0) return a;  // also if the edge has no length
  return along < length ? advanced(a, along / length, edge) : b;
}

}  // namespace detail

/// Returns the point of the triangle a, b, c that is nearest to x: the foot of x if x is above the inside, or else a point on
/// an edge or a corner. A triangle without area is its edges. A sphere around x touches the triangle if the point is no farther
/// than its radius. The point errs by some rounding errors of the coordinates; the contract does not cover it.
HGRID_HD inline Vec<double, 3> nearest_on_triangle(const Vec<double, 3>& x, const Vec<double, 3>& a, const Vec<double, 3>& b,
                                                   const Vec<double, 3>& c) {
  using namespace detail;
  const Vec<double, 3>* const corner[] = {&a, &b, &c, &a};
  const Vec<double, 3> normal = cross_product(difference(b, a), difference(c, a));
  const double area = inner_product(normal, normal);
  bool inside = area > 0;
  for (int k = 0; k < 3 && inside; ++k) {
    const Vec<double, 3> edge = difference(*corner[k + 1], *corner[k]);
    inside = inner_product(cross_product(edge, difference(x, *corner[k])), normal) >= 0;
  }
  if (inside) return advanced(x, -inner_product(difference(x, a), normal) / area, normal);
  Vec<double, 3> nearest{};
  double least = HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    const Vec<double, 3> point = nearest_on_edge(x, *corner[k], *corner[k + 1]), way = difference(x, point);
    if (inner_product(way, way) < least) least = inner_product(way, way), nearest = point;
  }
  return nearest;
}

}  // namespace hgrid::inline v0_2
