// SPDX-License-Identifier: BSD-3-Clause
// Superellipsoids: |x/a|^e + |y/b|^e, to the power of n/e, + |z/c|^n <= 1, turned by a rotation. Works in kernels, too.
#pragma once

#include <cmath>
#include <cstddef>
#include <hgrid/core/triangle.hpp>

#include "vector.hpp"

/// e and n are above 1, so that it is convex: with 2 an ellipsoid; large ones make boxes and cylinders of it.
struct Superellipsoid {
  Vector axis[3];          // unit vectors, at right angles
  double half[3], e, n;

  /// Returns the farthest point in a direction, from the middle. The body is the unit ball of a norm, so this is the gradient
  /// of the dual norm, whose exponents m satisfy 1/n + 1/m = 1.
  HGRID_HD Vector farthest(const Vector& direction) const {
    double d[3], most = 0;
    for (int k = 0; k < 3; ++k) {
      d[k] = half[k] * dot(axis[k], direction);
      most = std::fmax(most, std::fabs(d[k]));
    }
    Vector point{};
    if (most == 0) return point;
    for (double& part : d) part /= most;
    const double disc = norm(d[0], d[1], e / (e - 1)), all = norm(disc, d[2], n / (n - 1));
    const double along_disc = power(disc / all, 1 / (n - 1));
    const double part[3] = {disc == 0 ? 0 : along_disc * std::copysign(power(std::fabs(d[0]) / disc, 1 / (e - 1)), d[0]),
                            disc == 0 ? 0 : along_disc * std::copysign(power(std::fabs(d[1]) / disc, 1 / (e - 1)), d[1]),
                            std::copysign(power(std::fabs(d[2]) / all, 1 / (n - 1)), d[2])};
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) point[j] += half[k] * part[k] * axis[k][j];
    }
    return point;
  }

  /// Returns the radius of a sphere that holds it: the sphere of its box, a little larger because roots are rounded.
  double around() const { return std::sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]) * (1 + 1e-15); }

 private:
  HGRID_HD static double power(double x, double exponent) { return x == 0 ? 0 : std::pow(x, exponent); }
  HGRID_HD static double norm(double x, double y, double m) {
    return power(power(std::fabs(x), m) + power(std::fabs(y), m), 1 / m);
  }
};

/// Returns whether two touch. The middle of a is d away from the middle of b. They touch if 0 is one of all d + p - q, for p of
/// a and q of b, which are a convex body. Gilbert, Johnson and Keerthi (1988) walk to its point nearest to 0, by triangles
/// between points of its surface, until there is a plane between the two, or a tetrahedron about 0. Bodies that reach neither
/// in 100 steps, because they just touch, count as touching.
HGRID_HD inline bool touches(const Superellipsoid& a, const Superellipsoid& b, const Vector& d) {
  const auto farthest = [&](const Vector& u) {
    const Vector p = a.farthest(u), q = b.farthest({-u[0], -u[1], -u[2]});
    return Vector{d[0] + p[0] - q[0], d[1] + p[1] - q[1], d[2] + p[2] - q[2]};
  };
  const auto volume = [](const Vector& p, const Vector& q, const Vector& r) {
    return p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
  };
  Vector nearest = d;
  if (dot(d, d) == 0) return true;
  Vector corner[3] = {farthest(d), farthest(d), farthest(d)};
  for (int step = 0; step < 100; ++step) {
    const Vector top = farthest({-nearest[0], -nearest[1], -nearest[2]});
    if (dot(nearest, top) > 0) return false;  // the whole body lies beyond a plane through this point
    const double sides[4] = {volume(corner[0], corner[1], top), volume(corner[1], corner[2], top),
                             volume(corner[2], corner[0], top), volume(corner[0], corner[2], corner[1])};
    if (sides[0] > 0 && sides[1] > 0 && sides[2] > 0 && sides[3] > 0) return true;
    if (sides[0] < 0 && sides[1] < 0 && sides[2] < 0 && sides[3] < 0) return true;
    int side = 0;
    double least = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
      const Vector point = hgrid::nearest_on_triangle({}, corner[k], corner[(k + 1) % 3], top);
      if (dot(point, point) < least) least = dot(point, point), nearest = point, side = k;
    }
    corner[(side + 2) % 3] = top;
  }
  return true;
}

struct Superellipsoids {
  hgrid::Box3 box;
  const double* x;  // middles, three numbers each
  const Superellipsoid* shape;

  HGRID_HD bool operator()(hgrid::index_t i, hgrid::index_t j, const hgrid::Image& image) const {
    return touches(shape[i], shape[j], hgrid::separation(box, x + 3 * std::size_t(i), x + 3 * std::size_t(j), image));
  }
};
