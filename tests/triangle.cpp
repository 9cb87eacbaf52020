// SPDX-License-Identifier: BSD-3-Clause
// The nearest point of a triangle, by the property that makes it the nearest, on random triangles and on triangles without
// area.
#include "hgrid/core/triangle.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "papers/systems/walls.hpp"
#include "support/random.hpp"

namespace {

using Point = hgrid::Vec<double, 3>;

double squared(const Point& a, const Point& b) {
  const Point d = hgrid::detail::difference(a, b);
  return hgrid::detail::inner_product(d, d);
}

Point mixed(const Point (&v)[3], double s, double t) {
  Point p;
  for (int k = 0; k < 3; ++k) p[k] = v[0][k] + s * (v[1][k] - v[0][k]) + t * (v[2][k] - v[0][k]);
  return p;
}

// The triangle has no point nearer than the one that is returned, which is one of its points.
void expect_nearest(const Point& x, const Point (&v)[3]) {
  const Point nearest = hgrid::nearest_on_triangle(x, v[0], v[1], v[2]);
  double scale = 1, around = HUGE_VAL;
  for (const Point& corner : v) scale = std::max(scale, squared(x, corner));
  constexpr int steps = 40;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; i + j <= steps; ++j) {
      const Point p = mixed(v, double(i) / steps, double(j) / steps);
      ASSERT_LE(squared(x, nearest), squared(x, p) + 1e-13 * scale);
      around = std::min(around, squared(nearest, p));
    }
  }
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = std::max(longest, squared(v[k], v[(k + 1) % 3]));
  ASSERT_LE(around, 4 * longest / (steps * steps) + 1e-13 * scale);
}

TEST(NearestOnTriangle, NoPointIsNearer) {
  support::Random random(5);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    Point v[3], x;
    for (Point& corner : v) {
      for (int k = 0; k < 3; ++k) corner[k] = random.real(-1, 1);
    }
    for (int k = 0; k < 3; ++k) x[k] = random.real(-2, 2);
    if (repeat % 4 == 1) v[2] = mixed(v, random.real(-1, 2), 0);      // on a line
    if (repeat % 16 == 2) v[1] = v[0];                                // two corners alike
    if (repeat % 16 == 6) v[1] = v[2] = v[0];                         // a point
    if (repeat % 4 == 3) x = mixed(v, random.real(), random.real());  // in the plane
    expect_nearest(x, v);
    if (HasFatalFailure()) FAIL() << repeat;
  }
}

TEST(NearestOnTriangle, InsideOnAnEdgeAndAtACorner) {
  const Point a{0, 0, 0}, b{4, 0, 0}, c{0, 4, 0};
  EXPECT_EQ(hgrid::nearest_on_triangle({1, 1, 3}, a, b, c), (Point{1, 1, 0}));
  EXPECT_EQ(hgrid::nearest_on_triangle({1, -2, 1}, a, b, c), (Point{1, 0, 0}));
  EXPECT_EQ(hgrid::nearest_on_triangle({4, 4, -1}, a, b, c), (Point{2, 2, 0}));
  EXPECT_EQ(hgrid::nearest_on_triangle({-1, -1, 5}, a, b, c), a);
  EXPECT_EQ(hgrid::nearest_on_triangle({9, -1, 0}, a, b, c), b);
  EXPECT_EQ(hgrid::nearest_on_triangle({1, 1, 3}, c, b, a), (Point{1, 1, 0})) << "seen from the other side";
}

}  // namespace
