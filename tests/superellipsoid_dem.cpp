// SPDX-License-Identifier: BSD-3-Clause
// Results of examples/dem/superellipsoids.hpp for one body and for two.
#include "../examples/dem/superellipsoids.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace {

using dem::sum;
using dem::SuperellipsoidBody;

/// The integral of f over the body, with `cells` along each axis.
template <class F>
double integral(const Superellipsoid& s, int cells, const F& f) {
  double total = 0;
  for (int cell = 0; cell < cells * cells * cells; ++cell) {
    Vector q;
    const int place[3] = {cell % cells, cell / cells % cells, cell / (cells * cells)};
    for (int k = 0; k < 3; ++k) q[k] = (2 * place[k] + 1.0) / cells - 1;
    const double disc = std::pow(std::pow(std::abs(q[0]), s.e) + std::pow(std::abs(q[1]), s.e), s.n / s.e);
    if (disc + std::pow(std::abs(q[2]), s.n) > 1) continue;
    for (int k = 0; k < 3; ++k) q[k] *= s.half[k];
    total += f(q);
  }
  return total * 8 * s.half[0] * s.half[1] * s.half[2] / (cells * cells * cells);
}

TEST(SuperellipsoidDem, InertiaIsThatOfThePointsWithin) {
  for (const auto& [e, n] : {std::pair{2.0, 2.0}, {1.5, 5.0}, {6.0, 3.0}}) {
    SuperellipsoidBody body = SuperellipsoidBody::lightest();
    body.half[0] = 0.5, body.half[1] = 0.7, body.half[2] = 1.1, body.e = e, body.n = n;
    const SuperellipsoidBody::Inertia inertia(body);
    const double mass = integral(body, 80, [](const Vector&) { return 1.0; });
    EXPECT_NEAR(inertia.mass, mass, 2e-3 * mass);
    for (int k = 0; k < 3; ++k) {
      const double about = integral(body, 80, [k](const Vector& q) { return dot(q, q) - q[k] * q[k]; });
      EXPECT_NEAR(inertia.about[k], about, 3e-3 * about) << k;
    }
  }
}

// Angular momentum stays because step() does not touch it; energy, and axes at right angles, because of turn().
TEST(SuperellipsoidDem, FreeBodiesKeepTheirEnergy) {
  std::mt19937_64 random(8);
  const auto draw = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
  for (int repeat = 0; repeat < 10; ++repeat) {
    SuperellipsoidBody body = SuperellipsoidBody::drawn(draw);
    const SuperellipsoidBody::Inertia inertia(body);
    const Vector momentum{draw(-1, 1), draw(-1, 1), draw(-1, 1)};
    const double energy = dot(body.spin(inertia, momentum), momentum);
    const Vector first = body.axis[0];
    double least = 1;
    for (int step = 0; step < 20000; ++step) {
      body.turn(inertia, momentum, 1e-3);
      least = std::min(least, dot(first, body.axis[0]));
      const double now = dot(body.spin(inertia, momentum), momentum);
      ASSERT_NEAR(now, energy, 1e-5 * energy) << step;
    }
    EXPECT_LT(least, 0.9);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(dot(body.axis[k], body.axis[k]), 1, 1e-11);
      EXPECT_NEAR(dot(body.axis[k], body.axis[(k + 1) % 3]), 0, 1e-11);
    }
  }
}

TEST(SuperellipsoidDem, TouchWhereTheyMustNotGrow) {
  std::mt19937_64 random(9);
  const auto draw = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
  int touching = 0;
  for (int repeat = 0; repeat < 5000; ++repeat) {
    SuperellipsoidBody a = SuperellipsoidBody::drawn(draw), b = SuperellipsoidBody::drawn(draw);
    for (SuperellipsoidBody* s : {&a, &b}) {
      if (repeat % 2 == 0) continue;
      for (double& half : s->half) half = std::exp(draw(-2.3, 0));
      s->e = std::exp(draw(0.2, 3)), s->n = std::exp(draw(0.2, 3));
    }
    const Vector d{draw(-1.5, 1.5), draw(-1.5, 1.5), draw(-1.5, 1.5)};
    const dem::Scaled s = dem::scaled(a, b, d);
    ASSERT_EQ(touches(a, b, d), s.scale <= 1) << repeat << ", " << s.scale;
    touching += s.scale <= 1;
    for (int other = 0; other < 20; ++other) {  // no plane parts larger ones
      const double size = std::sqrt(dot(s.normal, s.normal)), step = std::exp(draw(-12, 0));
      const Vector u = sum(sum({}, 1 / size, s.normal), step, {draw(-1, 1), draw(-1, 1), draw(-1, 1)});
      EXPECT_LE(dot(u, d) / (dot(u, a.farthest(u)) + dot(u, b.farthest(u))), s.scale * (1 + 1e-8)) << repeat;
    }
  }
  EXPECT_GT(touching, 500);
  EXPECT_LT(touching, 4500);
}

// Two bodies differ in size only. Then scale is the norm of d, in the norm with the body as its unit ball, over the sum of both
// sizes. If d lies in a plane of symmetry, some corners have no share in it.
TEST(SuperellipsoidDem, AlikeOnesTouchWhereOneOfBothSizesWould) {
  std::mt19937_64 random(10);
  const auto draw = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
  const auto norm = [](double x, double y, double m) {
    return std::pow(std::pow(std::abs(x), m) + std::pow(std::abs(y), m), 1 / m);
  };
  for (int repeat = 0; repeat < 12000; ++repeat) {
    SuperellipsoidBody a = SuperellipsoidBody::drawn(draw);
    if (repeat % 2 == 0) std::copy_n(SuperellipsoidBody::lightest().axis, 3, a.axis);
    if (repeat % 5 == 0) a.e = 6, a.n = 2;
    SuperellipsoidBody b = a;
    const double larger = draw(0.2, 3), scale = draw(0.5, 1.1), aside = std::exp(draw(-20, 0));
    for (double& half : b.half) half *= larger;
    const Vector ways[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {draw(-1, 1), 0, draw(-1, 1)}, {1, 1, 0}, {aside, 0, 1}};
    const Vector& way = ways[repeat % 6];
    const double size = scale * (1 + larger) / norm(norm(way[0], way[1], a.e), way[2], a.n);
    Vector d{};
    for (int k = 0; k < 3; ++k) d = sum(d, size * way[k] * a.half[k], a.axis[k]);
    const dem::Scaled found = dem::scaled(a, b, d);
    ASSERT_NEAR(found.scale, scale, 1e-7) << repeat;
    ASSERT_NEAR(dot(found.normal, d) / dot(found.normal, a.farthest(found.normal)), scale * (1 + larger), 1e-7) << repeat;
  }
}

TEST(SuperellipsoidDem, BallsMeetAsBallsDo) {
  SuperellipsoidBody a = SuperellipsoidBody::lightest(), b = a;
  for (double& half : b.half) half = 0.8;
  const Vector d{0.6, -0.6, 0.9};
  const double distance = std::sqrt(dot(d, d));
  const dem::Meeting m = SuperellipsoidBody::meet(a, b, d);
  EXPECT_NEAR(m.overlap, 1.3 - distance, 1e-8);
  const Vector between = sum(sum(d, 1, m.ball[0].arm), -1, m.ball[1].arm);
  EXPECT_NEAR(m.ball[0].radius + m.ball[1].radius - std::sqrt(dot(between, between)), 1.3 - distance, 1e-8);
  EXPECT_GT(dot(between, d), 0);
  for (const dem::Ball& ball : m.ball) {
    const Vector off = dem::turned(ball.arm, d);
    EXPECT_NEAR(std::sqrt(dot(off, off)), 0, 1e-4);
  }
  const dem::Meeting inside = SuperellipsoidBody::meet(a, b, {});  // pushed nowhere
  EXPECT_EQ(inside.ball[0].arm, Vector{});
  EXPECT_EQ(inside.ball[1].arm, Vector{});
}

// However flat they are and however deep in each other, they are pushed apart, and not more than spheres within them.
TEST(SuperellipsoidDem, PlatesArePushedApart) {
  SuperellipsoidBody plate = SuperellipsoidBody::lightest();
  plate.half[0] = plate.half[1] = 1, plate.half[2] = 0.1, plate.n = 4;
  for (const double depth : {0.01, 0.1, 0.5, 0.9}) {
    for (const Vector& way : {Vector{0, 0, 0.2}, Vector{2, 0, 0}}) {
      const Vector d = sum({}, 1 - depth, way);
      const dem::Meeting m = SuperellipsoidBody::meet(plate, plate, d);
      const Vector between = sum(sum(d, 1, m.ball[0].arm), -1, m.ball[1].arm);
      const double overlap = m.ball[0].radius + m.ball[1].radius - std::sqrt(dot(between, between));
      EXPECT_GT(dot(between, d), 0) << depth;
      EXPECT_NEAR(m.overlap, 0.2 * depth, 1e-7);
      EXPECT_NEAR(overlap, 0.2 * depth * 0.2 / std::sqrt(dot(way, way)), 1e-7) << depth;
    }
  }
}

}  // namespace
