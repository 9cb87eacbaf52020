// SPDX-License-Identifier: BSD-3-Clause
// Capsules for bodies.hpp: two push each other as spheres do at the nearest points of their segments, and walls push the ends.
#pragma once

#include "../capsule.hpp"
#include "bodies.hpp"

namespace dem {

struct Capsule {
  Vector half;  // from the middle to an end, not null
  double radius;

  /// Mass and inertia at density 1: a cylinder, and half of a sphere at each end.
  struct Inertia {
    double mass, along, across;  // moments of inertia about the axis, and about any line across its middle

    explicit Inertia(const Capsule& c) {
      const double r = c.radius, half = std::sqrt(dot(c.half, c.half)), rod = 2 * half * mass_of<2>(r), caps = mass_of<3>(r);
      mass = rod + caps;
      along = (0.5 * rod + 0.4 * caps) * r * r;
      across = rod * (0.25 * r * r + half * half / 3) + caps * (0.4 * r * r + 0.75 * half * r + half * half);
    }
  };

  /// The axis of a free body that is alike around it turns about its angular momentum, at a constant rate (Rodrigues).
  void turn(const Inertia& inertia, const Vector& momentum, double dt) {
    const Vector by = sum({}, dt / inertia.across, momentum);
    const double angle = std::sqrt(dot(by, by));
    if (angle == 0) return;
    const double c = std::cos(angle), s = std::sin(angle) / angle, along = (1 - c) * dot(by, half) / (angle * angle);
    half = sum(sum(sum({}, c, half), s, turned(by, half)), along, by);
  }
  /// Angular velocity: the momentum along the axis meets another inertia than that across.
  Vector spin(const Inertia& inertia, const Vector& momentum) const {
    const double across = 1 / inertia.across, along = 1 / inertia.along;
    return sum(sum({}, across, momentum), (along - across) * dot(momentum, half) / dot(half, half), half);
  }

  /// Half of its box, a little larger because sums are rounded.
  Vector extents() const {
    Vector most;
    for (int k = 0; k < 3; ++k) most[k] = (std::abs(half[k]) + radius) * (1 + 1e-15);
    return most;
  }
  /// Returns where two capsules meet whose middles are d = x_a - x_b apart.
  static Meeting meet(const Capsule& a, const Capsule& b, const Vector& d) {
    const Nearest at = nearest_points(d, a.half, b.half);
    return {{{sum({}, at.s, a.half), a.radius}, {sum({}, at.t, b.half), b.radius}}, a.radius + b.radius - std::sqrt(at.squared)};
  }
  static constexpr std::size_t tips = 2;
  Ball tip(std::size_t end, const Vector&) const { return {sum({}, end == 0 ? -1 : 1, half), radius}; }

  // In a heap capsules lie in any horizontal direction.
  static constexpr double width = 8, height = 2, most_momentum = 10, stiffness = 1e5;
  static Capsule lightest() { return {{1.5 * 0.7, 0, 0}, 0.7}; }
  template <class Draw>
  static Capsule drawn(const Draw& draw) {
    const double r = draw(0.7, 1), half = r * draw(1.5, 3), angle = draw(0, 3.14159265358979323846);
    return {{half * std::cos(angle), half * std::sin(angle), 0}, r};
  }
};

inline bool touches(const Capsule& a, const Capsule& b, const Vector& d) {
  const double reach = a.radius + b.radius;
  return squared_distance(d, a.half, b.half) <= reach * reach;
}

}  // namespace dem
