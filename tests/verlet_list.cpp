// SPDX-License-Identifier: BSD-3-Clause
// Lists that live through a time loop: particles that fly, grow, come and go, against all pairs at each step.
#include <thread>

#include "hgrid/loop.hpp"
#include "support/executors.hpp"
#include "support/followers.hpp"
#include "support/gas.hpp"

namespace {

using hgrid::ErrorCode;
using support::Contacts;
using support::expect_error;
using support::Gas;
using support::holds_all;

template <class Exec>
class VerletList : public ::testing::Test {};
TYPED_TEST_SUITE(VerletList, support::Executors);

TYPED_TEST(VerletList, MissesNoContactBetweenBuilds) {
  for (const bool chosen : {false, true}) {
    Gas gas(150);
    hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s));
    hgrid::VerletList list(grid, {.skin = 0.5, .choose_skin = chosen});
    int builds = 0;
    for (int step = 0; step < 400; ++step, gas.step(0.02)) {
      builds += list.update(support::UserArrays<double, 3>(gas.s).view());
      ASSERT_TRUE(holds_all(list.neighbours(), gas.s)) << "step " << step;
    }
    const hgrid::VerletCounters& c = list.counters();
    EXPECT_EQ(c.builds, builds);
    EXPECT_EQ(c.steps, 400);
    EXPECT_EQ(c.checks, 399);
    EXPECT_EQ(c.dangerous, 0);
    EXPECT_GT(builds, 5);
    EXPECT_LT(builds, 300);
  }
}

TYPED_TEST(VerletList, CountsBuildsThatCameLate) {
  Gas gas(150);
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.5, .check_every = 40});
  int missed = 0;
  for (int step = 0; step < 400; ++step, gas.step(0.05)) {
    list.update(support::UserArrays<double, 3>(gas.s).view());
    missed += !holds_all(list.neighbours(), gas.s);
  }
  EXPECT_EQ(list.counters().checks, 9);
  EXPECT_EQ(list.counters().dangerous, 9);
  EXPECT_GT(missed, 0) << "the test could not have seen a dangerous build";
}

TYPED_TEST(VerletList, SaysWhoIsStaleWhenItMayNotRebuild) {
  Gas gas(50);
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.5, .rebuild = false});
  const auto update = [&] { return list.update(support::UserArrays<double, 3>(gas.s).view()); };
  EXPECT_TRUE(update());
  EXPECT_FALSE(update());
  gas.s.particles[7].x[1] += 0.3;
  gas.s.particles[31].radius += 0.26;
  gas.s.particles[3].x[1] += 0.2;
  const auto detail = expect_error(ErrorCode::stale, update);
  EXPECT_EQ(detail.index, 7);
  EXPECT_EQ(detail.count, 2);
  EXPECT_NEAR(detail.value, 0.3, 1e-9);
  expect_error(ErrorCode::stale, [&] { grid.require_valid(support::UserArrays<double, 3>(gas.s).view()); });
  gas.s.particles.pop_back();
  EXPECT_EQ(expect_error(ErrorCode::stale, update).index, -1);
}

TYPED_TEST(VerletList, EachParticleHasItsOwnMargin) {
  Gas gas(120);
  for (std::size_t i = 0; i < gas.v.size(); ++i) gas.v[i] *= i < 30 ? 10 : 1;  // ten fast ones
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s));
  hgrid::VerletList list(grid);
  for (int step = 0; step < 200; ++step, gas.step(0.02)) {
    oracle::System widened = gas.s;  // eps_v |v| dt + eps_e size + eps_c, the cell space of PFC
    for (std::size_t i = 0; i < widened.particles.size(); ++i) {
      const double* v = &gas.v[3 * i];
      widened.particles[i].extra =
          6 * 0.02 * std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 0.002 * gas.s.particles[i].radius + 1e-3;
    }
    list.update(support::UserArrays<double, 3>(gas.s).view(), support::UserArrays<double, 3>(widened).view());
    ASSERT_TRUE(holds_all(list.neighbours(), gas.s)) << "step " << step;
  }
  EXPECT_GT(list.counters().builds, 25);
  EXPECT_LT(list.counters().builds, 45);
}

template <class Grid>
double largest_bound(const Grid& grid) {
  return grid.plan().levels.level[grid.plan().levels.count - 1].radius_bound;
}

// Number up and down by 30 %, radii that grow by a half, and levels that follow.
TYPED_TEST(VerletList, FollowsNumbersAndSizes) {
  Gas gas(200);
  const hgrid::SearchCosts dear_candidates{.setup = 1, .candidate = 240};  // else other levels gain too little to be taken
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s), {.costs = dear_candidates});
  hgrid::VerletList list(grid, {.skin = 0.4});
  const std::vector<oracle::Particle> all = gas.s.particles;
  double planned_for = 0;
  for (int step = 0; step < 120; ++step, gas.step(0.02)) {
    gas.s.particles.resize(static_cast<std::size_t>(170 + 30 * std::sin(0.2 * step)), all.back());
    for (oracle::Particle& p : gas.s.particles) p.radius *= 1.004;
    gas.s.particles[static_cast<std::size_t>(step) % 140].active = step % 3 == 0;
    list.update(support::UserArrays<double, 3>(gas.s).view());
    ASSERT_TRUE(holds_all(list.neighbours(), gas.s)) << "step " << step;
    if (step == 0) planned_for = largest_bound(grid);
  }
  EXPECT_GT(largest_bound(grid), 1.2 * planned_for) << "levels were not planned again";
}

TYPED_TEST(VerletList, ABoxThatShrinksIsNoticed) {
  Gas gas(150);
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 1});
  for (int step = 0; step < 100; ++step) {
    for (int k = 0; k < 3; ++k) gas.s.hi[k] = gas.s.lo[k] + (gas.s.hi[k] - gas.s.lo[k]) * 0.999;
    grid.set_box(support::box_of<3>(gas.s));
    list.update(support::UserArrays<double, 3>(gas.s).view());
    ASSERT_TRUE(holds_all(list.neighbours(), gas.s)) << "step " << step;
  }
  EXPECT_GT(list.counters().builds, 2);
  EXPECT_LT(list.counters().builds, 90);
}

TYPED_TEST(VerletList, HistoryFollowsItsPairs) {
  Gas gas(150);
  const auto exec = support::make_executor<TypeParam>(2);
  hgrid::Grid<TypeParam, 3> grid(exec, support::box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.5});
  hgrid::History history(exec);
  hgrid::PairArray<TypeParam, std::array<double, 5>> values(exec);
  std::map<oracle::Contact, std::array<double, 5>> expected;
  support::Random random(3);
  for (int step = 0; step < 300; ++step, gas.step(0.05)) {
    if (!list.update(support::UserArrays<double, 3>(gas.s).view())) continue;
    history.remap(list.before(), list.neighbours());
    values.follow(history);
    std::map<oracle::Contact, std::array<double, 5>> now;
    std::size_t k = 0;
    for (const oracle::Contact& c : support::as_listed(list.neighbours())) {
      const auto at = expected.find(c);
      const std::array<double, 5> value = at == expected.end() ? std::array<double, 5>{} : at->second;
      ASSERT_EQ(values.data()[k], value) << "step " << step;
      values.data()[k++] = now[c] = {random.real(), 1, 2, 3, static_cast<double>(step)};
    }
    expected = std::move(now);
  }
}

TYPED_TEST(VerletList, ValuesFollowTheirPairs) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    ASSERT_EQ(support::check_followers(support::make_executor<TypeParam>(2), seed), "") << seed;
  }
}

// Moves a follower from containers, without followers in between, to another list, and by hand.
TYPED_TEST(VerletList, AFollowerIsOfOneList) {
  Gas gas(150);
  const auto exec = support::make_executor<TypeParam>(2);
  hgrid::Grid<TypeParam, 3> grid(exec, support::box_of<3>(gas.s)), another(exec, support::box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.5}), other(another, {.skin = 0.3});
  hgrid::PairArray<TypeParam, double> values(exec, 1.0), late(exec), by_hand(exec);
  std::vector<double> x, r;
  for (const oracle::Particle& p : gas.s.particles) x.insert(x.end(), p.x, p.x + 3), r.push_back(p.radius);
  EXPECT_TRUE(list.update(x, r, values));
  EXPECT_EQ(values.size(), list.neighbours().size());
  EXPECT_FALSE(list.update(x, r, values, late)) << "an array that is new makes no new list";
  EXPECT_EQ(late.size(), values.size());
  const auto stale = [&](auto& of_list) {
    const auto refused = expect_error(ErrorCode::stale, [&] { of_list.update(x, r, by_hand, values); });
    EXPECT_EQ(refused.argument, "followers");
    EXPECT_EQ(by_hand.size(), 0) << "one that is refused holds up the others";
  };
  stale(other);
  const hgrid::offset_t builds = list.counters().builds, steps = list.counters().steps;
  stale(other), list.build(hgrid::particles<3>(x.data(), r.data(), 150)), stale(list);
  EXPECT_EQ(list.counters().builds, builds + 1);
  EXPECT_EQ(list.counters().steps, steps);

  hgrid::History history(exec);
  other.build(hgrid::particles<3>(x.data(), r.data(), 150));
  history.remap(other.before(), other.neighbours()), by_hand.follow(history);
  other.update(x, r, by_hand);
  EXPECT_EQ(by_hand.size(), other.neighbours().size());
  history.remap(list.before(), list.neighbours());
  expect_error(ErrorCode::size_mismatch, [&] { by_hand.follow(history); });
  hgrid::PairArray<TypeParam, double> wrong(exec);
  history.remap(other.before(), other.neighbours()), wrong.follow(history);
  EXPECT_EQ(expect_error(ErrorCode::size_mismatch, [&] { list.update(x, r, wrong); }).argument, "followers");
}

TYPED_TEST(VerletList, AnArrayThatMissedAListIsRefused) {
  Gas gas(150);
  const auto exec = support::make_executor<TypeParam>(2);
  hgrid::Grid<TypeParam, 3> grid(exec, support::box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.5});
  hgrid::History history(exec);
  hgrid::PairArray<TypeParam, double> always(exec), late(exec);
  for (int turn = 0; turn < 2; ++turn) {
    list.build(support::UserArrays<double, 3>(gas.s).view());
    history.remap(list.before(), list.neighbours());
    always.follow(history);
  }
  ASSERT_GT(always.size(), 0);
  try {
    late.follow(history);
    FAIL() << "it has no values for the list before";
  } catch (const hgrid::Error& e) {
    EXPECT_EQ(e.code(), hgrid::ErrorCode::size_mismatch);
    EXPECT_EQ(e.detail().needed, always.size());
  }
  EXPECT_EQ(late.size(), 0);
}

TYPED_TEST(VerletList, ParticlesMayBeReordered) {
  oracle::System s = support::polydisperse(500, 8, true);
  for (std::size_t i = 0; i < 500; i += 7) s.particles[i].active = false;
  const auto exec = support::make_executor<TypeParam>(2);
  auto grid = support::built(exec, s);
  auto before = grid.make_list(), after = grid.make_list();
  grid.find(before);
  hgrid::Reordering<TypeParam> reordering(exec);
  reordering.take(grid);
  ASSERT_EQ(reordering.size(), 500);
  std::vector<oracle::Particle> sorted(500);
  reordering.apply(s.particles.data(), sorted.data());
  for (hgrid::index_t i = 0; i < 500; ++i) ASSERT_EQ(reordering.old_id()[reordering.new_id()[i]], i);
  for (hgrid::index_t p = 0; p < grid.view().slots(); ++p) ASSERT_EQ(reordering.old_id()[p], grid.order()[p]);
  std::swap(s.particles, sorted);
  grid.build(support::UserArrays<double, 3>(s).view());
  grid.find(after);
  hgrid::History history(exec);
  history.remap(before, after, {reordering.old_id()});
  ASSERT_EQ(after.size(), before.size());
  std::vector<bool> met(static_cast<std::size_t>(before.size()));
  for (hgrid::offset_t k = 0; k < after.size(); ++k) {
    ASSERT_GE(history.from()[k], 0);
    met[static_cast<std::size_t>(history.from()[k])] = true;
  }
  EXPECT_EQ(std::count(met.begin(), met.end(), true), before.size());
}

TYPED_TEST(VerletList, GridsInTwoThreadsDoNotKnowOfEachOther) {
  const auto run = [](std::uint64_t seed) {
    Gas gas(120, true, seed);
    hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s));
    hgrid::VerletList list(grid, {.skin = 0.3});
    Contacts all;
    for (int step = 0; step < 150; ++step, gas.step(0.02)) {
      if (!list.update(support::UserArrays<double, 3>(gas.s).view())) continue;
      const Contacts listed = support::as_listed(list.neighbours());
      all.insert(all.end(), listed.begin(), listed.end());
    }
    return all;
  };
  const Contacts alone[2] = {run(1), run(2)};
  Contacts together[2];
  std::thread first([&] { together[0] = run(1); }), second([&] { together[1] = run(2); });
  first.join(), second.join();
  EXPECT_EQ(together[0], alone[0]);
  EXPECT_EQ(together[1], alone[1]);
}

// Code for devices that captures its loop runs on hosts as it is.
TYPED_TEST(VerletList, EnqueuesUpdatesByUpdating) {
  Gas gas(100);
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.5});
  EXPECT_TRUE(list.wait(support::UserArrays<double, 3>(gas.s).view()));
  for (int step = 0; step < 60; ++step, gas.step(0.02)) {
    list.enqueue_update(support::UserArrays<double, 3>(gas.s).view());
    ASSERT_TRUE(list.guard().holds());
    ASSERT_TRUE(holds_all(list.neighbours(), gas.s)) << "step " << step;
  }
  EXPECT_EQ(list.counters().steps, 60);
  EXPECT_GT(list.counters().builds, 2);
}

}  // namespace
