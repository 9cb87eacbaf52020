// SPDX-License-Identifier: BSD-3-Clause
// Superellipsoids for bodies.hpp. Two of them touch where both, made smaller by one factor around their middles, just touch
// (Perram and Wertheim 1985). The energy of a contact is the energy of a spring shortened by as much as both have to shrink,
// and forces are its gradient.
#pragma once

#include "../superellipsoid.hpp"
#include "bodies.hpp"

namespace dem {

/// The scale at which two bodies just touch, and where.
struct Scaled {
  double scale;
  Vector normal;  // from the second to the first, not of unit length
};

/// Computes the scale at which two bodies just touch; the middle of the first is d from the middle of the second. The sums p +
/// q of points of both are a convex body that is alike on both sides of 0, and d lies on its surface if it is `scale` times as
/// large. The body is enclosed between triangles of points of its surface and the planes that touch it: the triangle through
/// which d passes gets a corner where its plane moved outwards touches, until both are nearly one. This is the simplex method
/// of linear programs, with planes found as needed.
inline Scaled scaled(const Superellipsoid& a, const Superellipsoid& b, Vector d) {
  const double off = 1e-9 * std::sqrt(dot(d, d));  // from planes of symmetry, where shares are 0 and corners take turns
  d = sum(d, off, {0.53, -0.31, 0.79});
  const auto farthest = [&](const Vector& u) { return sum(a.farthest(u), 1, b.farthest(u)); };
  const auto volume = [](const Vector& p, const Vector& q, const Vector& r) { return dot(turned(p, q), r); };
  const auto less_along = [](const Vector& u, const Vector& p) { return sum(u, -dot(u, p) / dot(p, p), p); };
  Vector corner[3] = {farthest(d)};
  Vector side = less_along(d, corner[0]);
  if (dot(side, side) < 1e-12 * dot(d, d)) {  // nearly parallel: any other direction will do
    side = less_along(std::abs(d[0]) < std::abs(d[1]) ? Vector{1, 0, 0} : Vector{0, 1, 0}, corner[0]);
  }
  corner[1] = farthest(side);
  corner[2] = farthest(turned(corner[0], corner[1]));
  double share[3];  // shares of the corners, whose sum is d; opposite points are on the surface, too
  const double all = volume(corner[0], corner[1], corner[2]);
  for (int k = 0; k < 3; ++k) share[k] = volume(d, corner[(k + 1) % 3], corner[(k + 2) % 3]) / all;
  for (int k = 0; k < 3; ++k) {
    if (share[k] < 0) share[k] = -share[k], corner[k] = sum({}, -1, corner[k]);
  }
  for (int step = 0;; ++step) {
    Vector normal = turned(sum(corner[1], -1, corner[0]), sum(corner[2], -1, corner[0]));
    if (dot(normal, corner[0]) < 0) normal = sum({}, -1, normal);
    const Vector top = farthest(normal);
    const double inner = dot(normal, corner[0]), outer = dot(normal, top);
    if (step == 200 || outer - inner <= 1e-11 * outer) return {dot(normal, d) / outer, normal};
    const double size = volume(corner[0], corner[1], corner[2]);
    int leaves = 0;
    double least = HUGE_VAL, part[3];
    for (int k = 0; k < 3; ++k) {
      part[k] = volume(top, corner[(k + 1) % 3], corner[(k + 2) % 3]) / size;
      if (part[k] > 0 && share[k] / part[k] < least) least = share[k] / part[k], leaves = k;
    }
    for (int k = 0; k < 3; ++k) share[k] = k == leaves ? least : share[k] - least * part[k];
    corner[leaves] = top;
  }
}

struct SuperellipsoidBody : Superellipsoid {
  /// Mass and inertia at density 1, by integrals over the axes: beta functions.
  struct Inertia {
    double mass;
    Vector about;  // moments of inertia about the axes

    explicit Inertia(const Superellipsoid& s) {
      const double *h = s.half, disc = 2 * integral(0, 1, s.e), disc_2 = 2 * integral(2, 1, s.e);
      mass = h[0] * h[1] * h[2] * disc * integral(0, 2, s.n);
      const double across = h[0] * h[1] * h[2] * disc_2 * integral(0, 4, s.n);
      const double along = mass * integral(2, 2, s.n) / integral(0, 2, s.n);
      const double square[3] = {h[0] * h[0] * across, h[1] * h[1] * across, h[2] * h[2] * along};
      for (int k = 0; k < 3; ++k) about[k] = square[(k + 1) % 3] + square[(k + 2) % 3];
    }

   private:
    /// Returns the integral of |t|^p (1 - |t|^m)^(q/m) over [-1, 1].
    static double integral(double p, double q, double m) {
      const double x = (p + 1) / m, y = q / m + 1;
      return 2 / m * std::tgamma(x) * std::tgamma(y) / std::tgamma(x + y);
    }
  };

  /// A free body turns about its axes one by one, forth and back, at the rate of its angular momentum along each: so the
  /// momentum stays, and the error of the energy stays small (Dullweber, Leimkuhler and McLachlan 1997).
  void turn(const Inertia& inertia, const Vector& momentum, double dt) {
    constexpr int order[5] = {0, 1, 2, 1, 0};
    for (const int k : order) turn(k, (k == 2 ? 1 : 0.5) * dt * dot(momentum, axis[k]) / inertia.about[k]);
  }
  /// Turns the body around one of its axes.
  void turn(int k, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    Vector &p = axis[(k + 1) % 3], &q = axis[(k + 2) % 3];
    const Vector before = p;
    p = sum(sum({}, c, p), s, q), q = sum(sum({}, c, q), -s, before);
  }
  Vector spin(const Inertia& inertia, const Vector& momentum) const {
    Vector w{};
    for (int k = 0; k < 3; ++k) w = sum(w, dot(momentum, axis[k]) / inertia.about[k], axis[k]);
    return w;
  }

  /// Half of its box, a little larger because roots are rounded.
  Vector extents() const {
    const Vector unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Vector most;
    for (int k = 0; k < 3; ++k) most[k] = farthest(unit[k])[k] * (1 + 1e-14);
    return most;
  }
  /// Returns the radius for the stiffness: no contact is stiffer than between spheres of this radius, which lie within where
  /// exponents are 2 or more.
  double size() const { return std::min({half[0], half[1], half[2]}); }

  /// Returns where two bodies meet whose middles are d = x_a - x_b apart. The energy grows with the square of 1 - scale, and
  /// the gradient of scale is the normal, over how far both reach along it.
  static Meeting meet(const SuperellipsoidBody& a, const SuperellipsoidBody& b, const Vector& d) {
    const double size = a.size() + b.size();
    if (dot(d, d) == 0) return {{{{}, size}, {{}, size}}, size};  // pushed nowhere
    const Scaled s = scaled(a, b, d);
    const Vector normal = sum({}, 1 / std::sqrt(dot(s.normal, s.normal)), s.normal);
    const double reach = dot(normal, d) / s.scale, overlap = (1 - s.scale) * size;
    const double depth = overlap * size / reach;  // depth of the balls, each of which is larger
    const Vector apart = sum(b.farthest(normal), -1, a.farthest(normal));
    const Vector point = sum(sum({}, 0.5, d), 0.5 * s.scale, apart);  // where the smaller ones touch, from the middle of b
    return {{{sum(sum(point, -1, d), size - 0.5 * depth, normal), size}, {sum(point, 0.5 * depth - size, normal), size}}, overlap};
  }
  static constexpr std::size_t tips = 1;
  Ball tip(std::size_t, const Vector& normal) const { return {sum(farthest(sum({}, -1, normal)), size(), normal), size()}; }

  // In a heap superellipsoids stand in any direction.
  static constexpr double width = 3.5, height = 3, most_momentum = 1, stiffness = 2e4;
  static SuperellipsoidBody lightest() { return {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0.5, 0.5, 0.5}, 2, 2}}; }
  template <class Draw>
  static SuperellipsoidBody drawn(const Draw& draw) {
    SuperellipsoidBody body = lightest();
    for (double& half : body.half) half = draw(0.5, 1);
    body.e = draw(2, 6), body.n = draw(2, 6);
    for (int k = 0; k < 3; ++k) body.turn(k, draw(0, 6.28318530717958648));
    return body;
  }
};

}  // namespace dem
