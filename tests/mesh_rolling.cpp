// SPDX-License-Identifier: BSD-3-Clause
// A ball with friction that slides and rolls over a plane of triangles, as over the plane itself.
#include <gtest/gtest.h>

#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"
#include "support/mesh_cases.hpp"

namespace {

using Vector = hgrid::Vec<double, 3>;
using hgrid::detail::advanced;
using hgrid::detail::cross_product;
using hgrid::detail::difference;
using hgrid::detail::inner_product;

constexpr double stiffness = 1e4, tangential = 3e3, friction = 0.3, gravity = 10, mass = 1, dt = 1e-3;

struct RollingBall {
  Vector x, v, spin{};
  double radius;
  Vector force{}, torque{};
  double stored = 0;  // energy in springs

  void clear(const Vector& down) { force = advanced({}, mass * gravity, down), torque = {}, stored = 0; }

  // The contact at a point of the wall; brings its spring up to date.
  void touch(const Vector& point, Vector& spring) {
    const Vector way = difference(x, point);
    const double distance = std::sqrt(inner_product(way, way)), overlap = radius - distance;
    if (overlap <= 0) return;
    const Vector normal = advanced({}, 1 / distance, way), arm = advanced({}, -radius, normal);
    const auto along_wall = [&](const Vector& a) { return advanced(a, -inner_product(a, normal), normal); };
    const Vector slip = along_wall(advanced(v, 1, cross_product(spin, arm)));
    spring = advanced(along_wall(spring), dt, slip);
    const double pressed = stiffness * overlap, stretch = std::sqrt(inner_product(spring, spring));
    if (tangential * stretch > friction * pressed) spring = advanced({}, friction * pressed / (tangential * stretch), spring);
    const Vector drag = advanced({}, -tangential, spring);
    force = advanced(advanced(force, pressed, normal), 1, drag);
    torque = advanced(torque, 1, cross_product(arm, drag));
    stored += 0.5 * stiffness * overlap * overlap + 0.5 * tangential * inner_product(spring, spring);
  }

  void move() {
    v = advanced(v, dt / mass, force);
    spin = advanced(spin, dt / (0.4 * mass * radius * radius), torque);
    x = advanced(x, dt, v);
  }

  double energy(const Vector& down) const {
    return stored + 0.5 * mass * inner_product(v, v) + 0.2 * mass * radius * radius * inner_product(spin, spin) -
           mass * gravity * inner_product(x, down);
  }
};

// The grid is some steps old; the wall is searched with a margin, and the spring goes from triangle to triangle.
TEST(Rolling, OverTrianglesAsOverThePlane) {
  support::Random random(4);
  for (const bool level : {true, false}) {
    for (const double radius : {0.1, 0.4, 2.0}) {
      const support::Placing place(random);
      Vector u{1, 0, 0}, w{0, 1, 0}, up{0, 0, 1}, begin{-5, -5, 0};
      if (!level) {
        for (Vector* axis : {&u, &w, &up})
          *axis = advanced({}, 1 / place.scale(), place.axis[axis == &u ? 0 : axis == &w ? 1 : 2]);
        begin = {120, -35, 1 / 3.0};
      }
      const Vector down = advanced({}, -1, up);
      const hgrid::SerialExec exec;
      hgrid::Mesh mesh{exec, support::plane_of(begin, u, w, 11, 1, random)};
      hgrid::Grid grid{exec, hgrid::Box3::open()};
      auto rows = grid.make_list(hgrid::ListKind::full), before = grid.make_list(hgrid::ListKind::full);
      hgrid::History history(exec);
      hgrid::PairArray<hgrid::SerialExec, Vector> springs(exec);
      RollingBall ball{
          .x = advanced(advanced(advanced(begin, 2, u), 2, w), radius * 0.999, up), .v = advanced(u, 0.7, w), .radius = radius};
      RollingBall other = ball;  // on the plane
      Vector plane_spring{}, built{HUGE_VAL, 0, 0};
      int triangles = 0;
      hgrid::index_t last = -1;
      for (int step = 0; step < 3000; ++step, ball.move(), other.move()) {
        const auto particles = hgrid::particles<3>(ball.x.v, &radius, 1);
        const Vector since = difference(ball.x, built);
        if (!(inner_product(since, since) < 0.04)) grid.build(particles), built = ball.x;
        std::swap(before, rows);
        grid.find(rows, hgrid::OnMesh{mesh, particles, 0.2});
        history.remap(before, rows, mesh.view());
        springs.follow(history);
        ball.clear(down), other.clear(down);
        ASSERT_LE(rows.size(), 1) << "step " << step;
        for (hgrid::index_t t = 0; t < rows.lists(); ++t) {
          for (auto k = rows.offsets()[t]; k < rows.offsets()[t + 1]; ++k) {
            ball.touch(mesh.view().nearest(t, ball.x), springs.data()[k]);
            triangles += t != last, last = t;
          }
        }
        const double height = inner_product(difference(other.x, begin), up);
        ASSERT_EQ(rows.size() == 1, height <= radius) << "step " << step;
        other.touch(advanced(other.x, -height, up), plane_spring);
        const Vector apart = difference(ball.x, other.x), turned = difference(ball.spin, other.spin);
        ASSERT_LT(inner_product(apart, apart), 1e-20) << "step " << step;
        ASSERT_LT(inner_product(turned, turned), 1e-18) << "step " << step;
        ASSERT_NEAR(ball.energy(down), other.energy(down), 1e-9) << "step " << step;
      }
      EXPECT_GT(triangles, 5) << "it crossed edges";
    }
  }
}

}  // namespace
