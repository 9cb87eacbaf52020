// SPDX-License-Identifier: BSD-3-Clause
// Capsules and superellipsoids that fall into a box (examples/dem/bodies.hpp): contacts against brute force, energy and
// momenta, and equal bits for any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "../examples/dem/capsules.hpp"
#include "../examples/dem/superellipsoids.hpp"

namespace {

using dem::Capsule;
using dem::sum;
using dem::SuperellipsoidBody;

/// (i, j) with i < j, in order.
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

template <class Simulation>
Pairs listed(const Simulation& simulation) {
  const auto& list = simulation.list();
  Pairs pairs;
  for (std::size_t i = 0; i < simulation.bodies().x.size(); ++i) {
    for (auto k = list.offsets()[i]; k < list.offsets()[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(list.neighbours()[k]);
      if (i < j) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

template <class Simulation>
Pairs all_that_touch(const Simulation& simulation) {
  Pairs pairs;
  for (std::size_t i = 0; i < simulation.bodies().x.size(); ++i) {
    for (std::size_t j = i + 1; j < simulation.bodies().x.size(); ++j) {
      if (simulation.touching()(static_cast<hgrid::index_t>(i), static_cast<hgrid::index_t>(j), {})) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

/// Returns how deep a body is in a wall at most, in radii.
template <class Simulation>
double deepest(const Simulation& simulation) {
  const auto& b = simulation.bodies();
  double most = 0;
  for (std::size_t i = 0; i < b.x.size(); ++i) {
    for (int w = 0; w < simulation.world().planes; ++w) {
      const dem::Plane<3>& plane = simulation.world().plane[w];
      for (std::size_t end = 0; end < b.shape[i].tips; ++end) {
        const dem::Ball tip = b.shape[i].tip(end, plane.normal);
        most = std::max(most, plane.overlap(sum(b.x[i], 1, tip.arm), tip.radius) / tip.radius);
      }
    }
  }
  return most;
}

/// Returns the length of the longest friction spring between two bodies.
template <class Simulation>
double longest(const Simulation& simulation) {
  double most = 0;
  for (hgrid::offset_t k = 0; k < simulation.list().size(); ++k) {
    most = std::max(most, dot(simulation.springs().data()[k], simulation.springs().data()[k]));
  }
  return std::sqrt(most);
}

/// Bodies of a heap. At the end it has more contacts (from both sides), a longer spring, and less of its energy in motion.
template <class Shape>
void settle(std::size_t count, std::size_t side, int steps, hgrid::offset_t contacts, double spring, double motion) {
  const dem::Heap<Shape> heap(count, side, 1);
  dem::BodySimulation<hgrid::SerialExec, Shape> simulation({}, heap.world, heap.bodies);
  const dem::Energy before = simulation.energy();
  double total = before.total();
  for (int step = 1; step <= steps; ++step) {
    simulation.step();
    ASSERT_LT(deepest(simulation), 0.1) << step;
    if (step % 500 != 0) continue;
    ASSERT_EQ(listed(simulation), all_that_touch(simulation)) << step;
    const double now = simulation.energy().total();
    ASSERT_LT(now, total + 1e-6 * before.total()) << step;  // rounding and steps of a finite length
    total = now;
  }
  const dem::Energy after = simulation.energy();
  EXPECT_GT(after.contacts, contacts);
  EXPECT_GT(longest(simulation), spring);
  EXPECT_LT(after.total(), 0.25 * before.total());
  EXPECT_LT(after.kinetic + after.rotation, motion * before.total());
}

TEST(BodyDem, CapsulesSettleWithinTheirBox) {
  settle<Capsule>(48, 2, 80000, 100, 2e-4, 1e-3);  // 6e-4; if no spring were kept 8e-5
}
TEST(BodyDem, SuperellipsoidsSettleWithinTheirBox) {
  settle<SuperellipsoidBody>(8, 1, 40000, 4, 1e-4, 2e-2);  // 9e-4; if no spring were kept 9e-6. They rock for long
}

/// Sums over all bodies: momentum, and angular momentum about the origin.
template <class Shape>
std::pair<Vector, Vector> momenta(const dem::Bodies<Shape>& b) {
  Vector linear{}, angular{};
  for (std::size_t i = 0; i < b.x.size(); ++i) {
    const double mass = typename Shape::Inertia(b.shape[i]).mass;
    linear = sum(linear, mass, b.v[i]);
    angular = sum(sum(angular, 1, b.momentum[i]), mass, dem::turned(b.x[i], b.v[i]));
  }
  return {linear, angular};
}

/// Draws pairs of shapes. The second shape flies to the first from `far` away. Counts how many met, and how much rotation was
/// gained or lost.
template <class Shape, class Draw>
std::pair<int, double> collide(double far, double most_momentum, double dt, int steps, const Draw& shape) {
  std::mt19937_64 random(3);
  const auto vector = [&](double size) {
    std::uniform_real_distribution<double> part(-size, size);
    return Vector{part(random), part(random), part(random)};
  };
  int collisions = 0;
  double turned_to = 0;
  for (int pair = 0; pair < 20; ++pair) {
    dem::World<3> world;
    world.material.stiffness = 1e5, world.dt = dt;
    const Vector place = sum({0, 0, far}, 1, vector(far / 6));
    dem::Bodies<Shape> bodies{{{}, place}, {vector(1), sum({0, 0, -10}, 1, vector(1))}, {}, {}};
    for (int i = 0; i < 2; ++i) bodies.shape.push_back(shape(random, i)), bodies.momentum.push_back(vector(most_momentum));
    dem::BodySimulation<hgrid::SerialExec, Shape> simulation({}, world, bodies);
    if (simulation.list().size() > 0) continue;  // they touch at once
    const double energy = simulation.energy().total(), rotation = simulation.energy().rotation;
    const auto [linear, angular] = momenta(simulation.bodies());
    bool touched = false;
    for (int step = 0; step < steps; ++step) simulation.step(), touched |= simulation.list().size() > 0;
    EXPECT_EQ(simulation.list().size(), 0) << pair;
    EXPECT_NEAR(simulation.energy().total(), energy, 1e-4 * energy) << pair;
    const auto [linear_now, angular_now] = momenta(simulation.bodies());
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(linear_now[k], linear[k], 1e-9) << pair;
      EXPECT_NEAR(angular_now[k], angular[k], 1e-9) << pair;
    }
    collisions += touched, turned_to += std::abs(simulation.energy().rotation - rotation);
  }
  return {collisions, turned_to};
}

TEST(BodyDem, CollisionsOfCapsulesKeepMomentaAndEnergy) {
  const auto [collisions, turned_to] = collide<Capsule>(6, 20, 5e-5, 24000, [](std::mt19937_64& random, int i) {
    std::uniform_real_distribution<double> part(-2, 2);
    return Capsule{{part(random), part(random), part(random)}, i == 0 ? 0.8 : 1};
  });
  EXPECT_GT(collisions, 15);
  EXPECT_GT(turned_to, 500);
}

TEST(BodyDem, CollisionsOfSuperellipsoidsKeepMomentaAndEnergy) {
  const auto [collisions, turned_to] = collide<SuperellipsoidBody>(3, 1, 5e-5, 12000, [](std::mt19937_64& random, int) {
    return SuperellipsoidBody::drawn(
        [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); });
  });
  EXPECT_GT(collisions, 15);
  EXPECT_GT(turned_to, 50);
}

/// Friction makes a sliding body roll, which leaves it 1 / (1 + I / (m r^2)) of its velocity.
template <class Shape>
void roll(const Shape& shape, double r, double mass, double moment, int steps) {
  const double velocity = 0.5;
  const dem::World<3> world = dem::Heap<Shape>(1, 1, 1).world;
  const double middle = 0.5 * Shape::width;
  dem::BodySimulation<hgrid::SerialExec, Shape> simulation({}, world,
                                                           {{{0.5 * middle, middle, r}}, {{velocity, 0, 0}}, {shape}, {{}}});
  for (int step = 0; step < steps; ++step) simulation.step();
  const double rolling = velocity / (1 + moment / (mass * r * r));
  EXPECT_NEAR(simulation.bodies().v[0][0], rolling, 1e-3 * velocity);
  EXPECT_NEAR(simulation.bodies().momentum[0][1], moment * rolling / r, 1e-3 * moment * velocity / r);
}

TEST(BodyDem, WhatSlidesBeginsToRoll) {
  const Capsule capsule{{0, 2, 0}, 0.8};
  roll(capsule, 0.8, Capsule::Inertia(capsule).mass, Capsule::Inertia(capsule).along, 20000);
  SuperellipsoidBody roller = SuperellipsoidBody::lightest();  // round across an axis that lies
  std::swap(roller.axis[1], roller.axis[2]), roller.axis[1] = sum({}, -1, roller.axis[1]), roller.half[2] = 0.9, roller.n = 4;
  const SuperellipsoidBody::Inertia inertia(roller);
  roll(roller, 0.5, inertia.mass, inertia.about[2], 6000);
}

// More than 1,024 bodies are shared by two threads.
template <class Shape>
void compare_threads(std::size_t count, int steps, std::size_t least_contacts) {
  dem::Heap<Shape> heap(count, 5, 2);
  for (Vector& x : heap.bodies.x) x = {0.6 * x[0], 0.6 * x[1], x[2]};  // some touch at once
  dem::BodySimulation<hgrid::OpenMPExec, Shape> one(hgrid::OpenMPExec(1), heap.world, heap.bodies);
  dem::BodySimulation<hgrid::OpenMPExec, Shape> two(hgrid::OpenMPExec(2), heap.world, heap.bodies);
  const Pairs first = listed(one);
  for (int step = 0; step < steps; ++step) one.step(), two.step();
  EXPECT_EQ(listed(one), all_that_touch(one));
  EXPECT_EQ(listed(two), listed(one));
  EXPECT_NE(listed(one), first);
  EXPECT_GT(first.size(), least_contacts);
  EXPECT_EQ(two.bodies().x, one.bodies().x);
  EXPECT_EQ(two.bodies().v, one.bodies().v);
  EXPECT_EQ(two.bodies().momentum, one.bodies().momentum);
}

TEST(BodyDem, ThreadsDoNotChangeABit) {
  compare_threads<Capsule>(2500, 400, 100);
  compare_threads<SuperellipsoidBody>(1100, 60, 30);
}

}  // namespace
