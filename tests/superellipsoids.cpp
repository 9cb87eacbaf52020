// SPDX-License-Identifier: BSD-3-Clause
// The narrow phase of examples/superellipsoids.cpp: whether two touch, against points and planes that prove it, and its lists
// against all pairs.
#include "../examples/superellipsoid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hgrid/hgrid.hpp"
#include "support/random_suite.hpp"

namespace {

using support::Random;

Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Superellipsoid draw_shape(Random& random) {
  Superellipsoid s;
  double q[4], square = 0;  // a quaternion
  for (double& part : q) part = random.real(-1, 1), square += part * part;
  const double f = 2 / square;
  s.axis[0] = {1 - f * (q[2] * q[2] + q[3] * q[3]), f * (q[1] * q[2] - q[3] * q[0]), f * (q[1] * q[3] + q[2] * q[0])};
  s.axis[1] = {f * (q[1] * q[2] + q[3] * q[0]), 1 - f * (q[1] * q[1] + q[3] * q[3]), f * (q[2] * q[3] - q[1] * q[0])};
  s.axis[2] = {f * (q[1] * q[3] - q[2] * q[0]), f * (q[2] * q[3] + q[1] * q[0]), 1 - f * (q[1] * q[1] + q[2] * q[2])};
  for (double& half : s.half) half = random.log_real(0.1, 1);
  s.e = random.chance(0.3) ? 2 : random.log_real(1.2, 20), s.n = random.chance(0.3) ? 2 : random.log_real(1.2, 20);
  return s;
}

double norm(double x, double y, double m) { return std::pow(std::pow(std::fabs(x), m) + std::pow(std::fabs(y), m), 1 / m); }

// 1 on the surface, below 1 inside.
double gauge(const Superellipsoid& s, const Vector& p) {
  double q[3];
  for (int k = 0; k < 3; ++k) q[k] = dot(s.axis[k], p) / s.half[k];
  return norm(norm(q[0], q[1], s.e), q[2], s.n);
}

// How far it reaches in a direction.
double extent(const Superellipsoid& s, const Vector& u) {
  double q[3];
  for (int k = 0; k < 3; ++k) q[k] = dot(s.axis[k], u) * s.half[k];
  return norm(norm(q[0], q[1], s.e / (s.e - 1)), q[2], s.n / (s.n - 1));
}

Vector near(const Vector& p, double most, Random& random) {
  const double step = random.log_real(1e-7, most);
  Vector q = p;
  for (double& part : q.v) part += step * random.real(-1, 1);
  return q;
}

// 1 if a point is in both, -1 if a plane is between them, 0 if neither was found. Both functions have one minimum.
int proof(const Superellipsoid& a, const Superellipsoid& b, const Vector& d, Random& random) {
  Vector point{0.5 * d[0], 0.5 * d[1], 0.5 * d[2]}, way = d;
  const auto outside = [&](const Vector& p) { return std::fmax(gauge(a, minus(p, d)), gauge(b, p)); };
  const auto parted = [&](const Vector& u) { return (dot(u, d) - extent(a, u) - extent(b, u)) / std::sqrt(dot(u, u)); };
  double least = outside(point), most = parted(way);
  for (int step = 0; step < 4000; ++step) {
    if (least < 1 - 1e-9) return 1;
    if (most > 1e-9) return -1;
    const Vector p = near(point, 0.5, random), u = near(way, 0.5, random);
    if (const double value = outside(p); value < least) least = value, point = p;
    if (const double value = parted(u); value > most) most = value, way = u;
  }
  return 0;
}

TEST(Superellipsoids, TheFarthestPointIsOnTheSurfaceAndFarthest) {
  Random random(2);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const Superellipsoid s = draw_shape(random);
    Vector u{};
    for (double& part : u.v) part = random.chance(0.2) ? 0 : random.real(-1, 1);
    const Vector p = s.farthest(u);
    if (dot(u, u) == 0) continue;
    EXPECT_NEAR(gauge(s, p), 1, 1e-12);
    EXPECT_NEAR(dot(u, p), extent(s, u), 1e-12);
    EXPECT_LE(dot(p, p), s.around() * s.around());
    for (int other = 0; other < 20; ++other) {
      const Vector q = near(p, 1, random);
      EXPECT_LE(dot(u, q) / gauge(s, q), dot(u, p) + 1e-12);
    }
  }
}

TEST(Superellipsoids, TouchWhereAPointIsInBothAndNotWhereAPlaneIsBetween) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t pairs = support::from_environment("HGRID_SYSTEMS", 3000);
  std::uint64_t touching = 0, apart = 0;
  for (std::uint64_t seed = first; seed < first + pairs; ++seed) {
    Random random(seed);
    const Superellipsoid a = draw_shape(random), b = draw_shape(random);
    Vector d;
    for (double& part : d.v) part = random.real(-1, 1);
    const int proved = proof(a, b, d, random);
    if (proved == 0) continue;
    ++(proved > 0 ? touching : apart);
    ASSERT_EQ(touches(a, b, d), proved > 0) << "seed " << seed;
    ASSERT_EQ(touches(b, a, minus({}, d)), proved > 0) << "seed " << seed << ", from the other side";
  }
  EXPECT_GT(touching, pairs / 10);
  EXPECT_GT(apart, pairs / 10);
  EXPECT_GT(touching + apart, pairs - pairs / 100 - 1);
}

TEST(Superellipsoids, SpheresTouchAsSpheresDo) {
  Random random(4);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    Superellipsoid a = draw_shape(random), b = draw_shape(random);
    for (Superellipsoid* s : {&a, &b}) s->e = s->n = 2, s->half[0] = s->half[1] = s->half[2];
    Vector d;
    for (double& part : d.v) part = random.real(-1, 1);
    const double gap = (a.half[0] + b.half[0]) / std::sqrt(dot(d, d)), error = random.log_real(1e-9, 1) * random.sign();
    for (double& part : d.v) part *= gap * (1 + error);
    EXPECT_EQ(touches(a, b, d), error < 0) << "by " << error;
  }
}

TEST(Superellipsoids, ListsAreThoseOfAllPairs) {
  Random random(5);
  constexpr int n = 150;
  const hgrid::Box3 box = hgrid::Box3::periodic({0, 0, 0}, {5, 5, 5});
  std::vector<double> x, around;
  std::vector<Superellipsoid> shape;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) x.push_back(random.real(0, 5));
    shape.push_back(draw_shape(random)), around.push_back(shape.back().around());
  }
  const Superellipsoids touch{box, x.data(), shape.data()};
  hgrid::Grid grid{hgrid::OpenMPExec(2), box};
  grid.build(x, around);
  auto pairs = grid.make_pairs();
  grid.find(pairs, hgrid::only(touch));
  std::set<std::array<int, 5>> found, expected;
  for (hgrid::offset_t k = 0; k < pairs.size(); ++k) {
    const hgrid::Image& m = pairs.images()[k];
    found.insert({pairs.pairs()[k].i, pairs.pairs()[k].j, m.m[0], m.m[1], m.m[2]});
  }
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (int number = 0; number < 27; ++number) {
        const hgrid::Image m{{number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1}};
        if (touch(i, j, m)) expected.insert({i, j, m.m[0], m.m[1], m.m[2]});
      }
    }
  }
  EXPECT_EQ(found, expected);
  EXPECT_GT(found.size(), 100u);
}

}  // namespace
