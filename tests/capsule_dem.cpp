// SPDX-License-Identifier: BSD-3-Clause
// Capsules that fall into a box (examples/dem/capsules.hpp): their contacts against all pairs, their energy, and the same bits
// whatever the threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "../examples/dem/capsules.hpp"

namespace {

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
      if (simulation.touches()(static_cast<hgrid::index_t>(i), static_cast<hgrid::index_t>(j), {})) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

/// How far one is in a wall at most, in radii.
template <class Simulation>
double deepest(const Simulation& simulation) {
  const dem::Bodies& b = simulation.bodies();
  double most = 0;
  for (std::size_t i = 0; i < b.x.size(); ++i) {
    for (int w = 0; w < simulation.world().planes; ++w) {
      for (const double end : {-1.0, 1.0}) {
        most = std::max(most, simulation.world().plane[w].overlap(dem::sum(b.x[i], end, b.half[i]), b.radius[i]) / b.radius[i]);
      }
    }
  }
  return most;
}

/// The longest spring of friction of two.
template <class Simulation>
double longest(const Simulation& simulation) {
  double most = 0;
  for (hgrid::offset_t k = 0; k < simulation.list().size(); ++k) {
    most = std::max(most, dot(simulation.springs().data()[k], simulation.springs().data()[k]));
  }
  return std::sqrt(most);
}

TEST(CapsuleDem, SettlesWithinItsBox) {
  const dem::Heap heap(48, 2, 1);
  dem::CapsuleSimulation simulation(hgrid::SerialExec{}, heap.world, heap.bodies);
  const dem::Energy before = simulation.energy();
  double total = before.total();
  for (int step = 1; step <= 80000; ++step) {
    simulation.step();
    ASSERT_LT(deepest(simulation), 0.1) << step;
    if (step % 500 != 0) continue;
    ASSERT_EQ(listed(simulation), all_that_touch(simulation)) << step;
    const double now = simulation.energy().total();
    ASSERT_LT(now, total + 1e-6 * before.total()) << step;  // rounding and steps of a finite length
    total = now;
  }
  const dem::Energy after = simulation.energy();
  EXPECT_GT(after.contacts, 100);
  EXPECT_GT(longest(simulation), 2e-4);  // 6e-4; if none were kept 8e-5
  EXPECT_LT(after.total(), 0.25 * before.total());
  EXPECT_LT(after.kinetic + after.rotation, 1e-3 * before.total());  // others of these heaps: 6e-5 at most
}

/// Of all together: momentum, and angular momentum about the origin.
template <class Simulation>
std::pair<Vector, Vector> momenta(const Simulation& simulation) {
  const dem::Bodies& b = simulation.bodies();
  Vector linear{}, angular{};
  for (std::size_t i = 0; i < b.x.size(); ++i) {
    const double mass = dem::Inertia(b.radius[i], std::sqrt(dot(b.half[i], b.half[i]))).mass;
    linear = dem::sum(linear, mass, b.v[i]);
    angular = dem::sum(dem::sum(angular, 1, b.momentum[i]), mass, dem::turned(b.x[i], b.v[i]));
  }
  return {linear, angular};
}

TEST(CapsuleDem, CollisionsKeepMomentaAndEnergy) {
  std::mt19937_64 random(3);
  const auto vector = [&](double size) {
    std::uniform_real_distribution<double> part(-size, size);
    return Vector{part(random), part(random), part(random)};
  };
  int collisions = 0;
  double turned_to = 0;
  for (int pair = 0; pair < 20; ++pair) {
    dem::World<3> world;
    world.material.stiffness = 1e5, world.dt = 5e-5;
    const Vector far = dem::sum({0, 0, 6}, 1, vector(1));
    const dem::Bodies bodies{{{}, far},
                             {vector(1), dem::sum({0, 0, -10}, 1, vector(1))},
                             {vector(2), vector(2)},
                             {vector(20), vector(20)},
                             {0.8, 1}};
    dem::CapsuleSimulation simulation(hgrid::SerialExec{}, world, bodies);
    if (simulation.list().size() > 0) continue;  // they touch at once
    const double energy = simulation.energy().total(), rotation = simulation.energy().rotation;
    const auto [linear, angular] = momenta(simulation);
    bool touched = false;
    for (int step = 0; step < 24000; ++step) simulation.step(), touched |= simulation.list().size() > 0;
    EXPECT_NEAR(simulation.energy().total(), energy, 1e-4 * energy) << pair;
    const auto [linear_now, angular_now] = momenta(simulation);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(linear_now[k], linear[k], 1e-9) << pair;
      EXPECT_NEAR(angular_now[k], angular[k], 1e-9) << pair;
    }
    collisions += touched, turned_to += std::abs(simulation.energy().rotation - rotation);
  }
  EXPECT_GT(collisions, 15);
  EXPECT_GT(turned_to, 500);
}

// Friction turns it until it rolls, which leaves it 1 / (1 + I / (m r^2)) of its velocity.
TEST(CapsuleDem, WhatSlidesBeginsToRoll) {
  const double r = 0.8, half = 2, velocity = 0.5;
  const dem::Inertia inertia(r, half);
  const dem::World<3> world = dem::Heap(1, 1, 1).world;  // 8 long
  dem::CapsuleSimulation simulation(hgrid::SerialExec{}, world, {{{2, 4, r}}, {{velocity, 0, 0}}, {{0, half, 0}}, {{}}, {r}});
  for (int step = 0; step < 20000; ++step) simulation.step();
  const double rolling = velocity / (1 + inertia.along / (inertia.mass * r * r));
  EXPECT_NEAR(simulation.bodies().v[0][0], rolling, 1e-3 * velocity);
  EXPECT_NEAR(simulation.bodies().momentum[0][1], inertia.along * rolling / r, 1e-3 * inertia.along * velocity / r);
}

// More than the 1,024 of which two threads take a part each.
TEST(CapsuleDem, ThreadsDoNotChangeABit) {
  dem::Heap heap(2500, 5, 2);
  for (Vector& x : heap.bodies.x) x = {0.6 * x[0], 0.6 * x[1], x[2]};  // some touch at once
  dem::CapsuleSimulation one(hgrid::OpenMPExec(1), heap.world, heap.bodies);
  dem::CapsuleSimulation two(hgrid::OpenMPExec(2), heap.world, heap.bodies);
  const Pairs first = listed(one);
  for (int step = 0; step < 400; ++step) one.step(), two.step();
  EXPECT_EQ(listed(one), all_that_touch(one));
  EXPECT_EQ(listed(two), listed(one));
  EXPECT_NE(listed(one), first);
  EXPECT_GT(first.size(), 100u);
  EXPECT_EQ(two.bodies().x, one.bodies().x);
  EXPECT_EQ(two.bodies().half, one.bodies().half);
}

}  // namespace
