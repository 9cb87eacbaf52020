// SPDX-License-Identifier: BSD-3-Clause
// The planner's input from the radii, when it plans again, and that its plans save work.
#pragma once

#include <cmath>

#include "hgrid/inputs/inspect.hpp"
#include "hgrid/inputs/sample.hpp"
#include "hgrid/plan/plan_keeper.hpp"
#include "host/sort/input_batches.hpp"
#include "support/fail.hpp"
#include "support/far_systems.hpp"
#include "support/pieces_exec.hpp"
#include "support/random.hpp"
#include "support/results.hpp"
#include "support/user_arrays.hpp"

template <int pieces>
void expect_counts_of_host(const oracle::System& s, const std::vector<hgrid::offset_t>& expected) {
  const support::UserArrays<double, 3> arrays(s);
  const hgrid::Box3 open = hgrid::Box3::open();
  const hgrid::detail::InspectOnHost<double, 3> inspect{arrays.view(), {&open, 0}, 0};
  std::vector<hgrid::offset_t> counts(hgrid::detail::radius_classes, 1);
  hgrid::detail::inspect_all(support::PiecesExec<pieces>(), inspect, hgrid::Watch{}, counts.data());
  if (counts != expected) support::fail("radii miscounted");
}

// Radii lie in their classes, and all that take part are counted, each once, however many parts count.
template <class Exec>
void expect_radius_classes() {
  support::Random random(13);
  oracle::System s;
  s.skip_nonfinite = true;
  std::vector<hgrid::offset_t> expected(hgrid::detail::radius_classes);
  for (int i = 0; i < 3000; ++i) {
    const double r = i % 18 == 0 ? -0.0 : i % 9 == 0 ? 0 : random.log_real(1e-15, 1e15);
    const int c = hgrid::detail::radius_class(r + 0.0);  // as scaled radii are
    if (r == 0 ? c != 0 : !(hgrid::detail::radius_class_begin(c) <= r && r < hgrid::detail::radius_class_begin(c + 1)))
      support::fail("a radius outside its class");
    s.particles.push_back({.radius = i % 7 == 0 ? std::nan("") : r, .active = i % 5 != 0});
    if (i % 7 != 0 && i % 5 != 0) ++expected[static_cast<std::size_t>(c)];
  }
  const support::UserArrays<double, 3> arrays(s);
  std::vector<hgrid::offset_t> counts(hgrid::detail::radius_classes);
  const hgrid::detail::CountRadius<Exec, double, 3> count{arrays.view(), counts.data()};
  for (hgrid::offset_t i = 0; i < arrays.view().count; ++i) count(i);
  if (counts != expected) support::fail("radii miscounted one by one");
  expect_counts_of_host<1>(s, expected), expect_counts_of_host<4>(s, expected);
  // Particles that all take part go by batches.
  std::erase_if(s.particles, [](const oracle::Particle& p) { return !p.active || !(p.radius >= 0); });
  expect_counts_of_host<1>(s, expected), expect_counts_of_host<4>(s, expected);
}

// Expects that levels are planned again where numbers or the largest radius leave the planned range, not where they return to
// it.
inline void expect_judged() {
  hgrid::detail::JudgedInputs judged;
  if (judged.covers(1000, 1)) support::fail("inputs that were never judged");
  judged.add(1000, 1), judged.add(2000, 2);
  for (const double radius : {1.0, 1.5, 2.0}) {
    for (const hgrid::offset_t n : {1000, 1500, 2000}) {
      if (!judged.covers(n, radius)) support::fail("judged inputs are forgotten");
    }
  }
  for (const hgrid::offset_t n : {700, 2700}) {
    if (judged.covers(n, 1.5)) support::fail("numbers that were not judged");
  }
  for (const double radius : {0.8, 2.3}) {
    if (judged.covers(1500, radius)) support::fail("radii that were not judged");
  }
}

inline double steps_of(const hgrid::WorkCount& work) {
  return static_cast<double>(work.candidates + 7 * work.rows + 4 * work.boxes);
}

template <class Exec>
double work_of(const Exec& exec, const oracle::System& s, const hgrid::GridOptions& options = {}) {
  auto grid = support::built(exec, s, options);
  const auto& levels = grid.plan().levels;
  const double cap = std::max(64.0 * levels.count, 8.0 * static_cast<double>(s.particles.size()));
  if (grid.plan().table == hgrid::TableKind::dense && static_cast<double>(levels.cells) > cap) support::fail("too many cells");
  return steps_of(grid.work());
}

// Expects small work, which the planner promises beside the right answer.
template <class Exec>
void expect_little_work(const Exec& exec) {
  const oracle::System s = support::polydisperse(3000, 40, false);
  hgrid::GridOptions single;
  single.levels = {{40, {80, 80, 80}}};
  if (work_of(exec, s) > 0.25 * work_of(exec, s, single)) support::fail("the planned levels save no work");
  for (const bool dense : {false, true}) {
    hgrid::GridOptions options;
    if (dense) options.table = hgrid::TableKind::dense;
    oracle::System far = s;
    far.particles.push_back({.x = {1e12, -1e11, 3}, .radius = 1});
    far.particles.push_back({.x = {-1e12, 1e11, 3}, .radius = 1});
    const bool on_islands = !support::built(exec, far, options).plan().islands.empty();
    if (on_islands || work_of(exec, far, options) > 2 * work_of(exec, s, options))
      support::fail("two outliers double the work, or get islands");
  }
  hgrid::GridOptions fine;
  fine.levels = {{40, {0.1, 0.1, 0.1}}};
  const oracle::System few = support::polydisperse(100, 40, false);
  if (work_of(exec, few, fine) > 2 * 100 * 100) support::fail("fine cells cost more than all pairs");
  oracle::System points;
  support::Random random(5);
  for (int i = 0; i < 3000; ++i) points.particles.push_back({.x = {random.real(), random.real(), random.real()}});
  if (work_of(exec, points) > 50 * 3000) support::fail("points meet too many points");
  for (std::size_t i = 0; i < 1500; ++i) {
    for (double& x : points.particles[i].x) x = 0.5 + 1e-3 * x;
  }
  if (work_of(exec, points) > 20 * 3000) support::fail("points in a cluster meet too many points");
  for (std::size_t i = 0; i < 3000; ++i) points.particles[i].radius = i < 1500 ? 1e-5 : 0.02;
  if (work_of(exec, points) > 60 * 3000) support::fail("grains in a cluster meet too many grains");
  if (work_of(exec, support::cluster_in_a_gas(3000, false)) > 60 * 3000)
    support::fail("a cluster is planned as if it filled space");
}

// Clusters far apart, which move.
template <class Exec>
void expect_islands(const Exec& exec) {
  oracle::System s = support::far_clusters(3, 3, 1e12, support::Places::diagonal, 1500);
  auto grid = support::built(exec, s);
  for (int step = 0; step < 3; ++step) {
    const hgrid::WorkCount work = grid.work();
    if (work.candidates + work.rows > 40 * 1500 || support::pairs_of(grid, hgrid::Order::sorted) != oracle::contacts(s))
      support::fail("clusters far apart");
    for (std::size_t i = 1; i < s.particles.size(); i += 3)
      for (double& x : s.particles[i].x) x += 30;
    for (int turn = 0; turn < 2; ++turn) grid.build(support::UserArrays<double, 3>(s).view());
  }
}

// Particles in an eighth of each axis of a periodic box, which move through its faces: few at a time, then all.
template <class Exec>
void expect_partly_filled(const Exec& exec) {
  const oracle::System s = support::polydisperse(1200, 10, true);
  const double full = work_of(exec, s);
  auto grid = support::built(exec, support::in_wider_box(s, 8, 0.8));
  for (const double moved : {0.8, 0.875, 0.8757, 0.89, 0.93, 0.97, 1.0}) {
    const oracle::System now = support::in_wider_box(s, 8, moved);
    for (int turn = 0; turn < 2; ++turn) grid.build(support::UserArrays<double, 3>(now).view());
    if (steps_of(grid.work()) > 1.2 * full) support::fail("a part of a box costs more than all of it");
    if (support::pairs_of(grid, hgrid::Order::sorted) != oracle::contacts(now)) support::fail("in a part of a box");
  }
  // A quarter of each axis is too crowded for cells of the whole box, and not crowded enough for islands.
  const oracle::System many = support::polydisperse(6000, 10, true);
  const double of_many = work_of(exec, many);
  for (const double moved : {0.8, 0.93}) {
    if (work_of(exec, support::in_wider_box(many, 4, moved)) > 1.15 * of_many)
      support::fail("a quarter of a box costs more than all of it");
  }
}
