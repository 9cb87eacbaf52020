// SPDX-License-Identifier: BSD-3-Clause
// The build that a list in a time loop keeps: its memory, lack of memory, and its record of the order of the particles.
// TimeLoop.ListsHoldAsLongAsTheySay tests that its check equals the grid's.
#include "support/counting_new.hpp"

#include "hgrid/loop.hpp"
#include "support/executors.hpp"
#include "support/followers.hpp"

namespace {

using support::Allocations;
using support::Gas;

oracle::System with_groups(oracle::System s) {
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    s.particles[i].group = i % 5 == 0 ? static_cast<int>(i / 10) : -1;
    s.particles[i].active = i % 7 != 0;
  }
  return s;
}

template <class Exec>
class RememberedBuild : public ::testing::Test {};
TYPED_TEST_SUITE(RememberedBuild, support::Executors);

TYPED_TEST(RememberedBuild, ChecksTakeNoMemory) {
  Gas gas(1500);
  gas.s = with_groups(gas.s);
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.5});
  list.update(support::UserArrays<double, 3>(gas.s).view());
  int checks = 0;
  for (int step = 0; step < 6; ++step, gas.step(0.01)) {
    const support::UserArrays<double, 3> arrays(gas.s);
    const std::int64_t before = Allocations::get().count;
    checks += !list.update(arrays.view());
    if (step > 0) {
      EXPECT_EQ(Allocations::get().count, before) << "step " << step;
    }
  }
  EXPECT_EQ(checks, 6);
}

TYPED_TEST(RememberedBuild, BytesPerParticle) {
  constexpr int n = 4000;
  const auto bytes = [&](const oracle::System& s, bool wrapped = false) {
    hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(s));
    hgrid::VerletList list(grid, {.skin = 0.1, .wrapped = wrapped});
    list.build(support::UserArrays<double, 3>(s).view());
    return static_cast<double>(list.bytes() - list.neighbours().bytes() - list.before().bytes()) / n;
  };
  const oracle::System open = support::polydisperse(n, 3, false), periodic = support::polydisperse(n, 3, true);
  // Each 256 particles of a host are also kept rounded.
  const double rounded = TypeParam::on_host ? n / 256 * static_cast<double>(sizeof(hgrid::detail::RoundedParticles<3>)) / n : 0;
  EXPECT_LT(rounded, 8.2);
  EXPECT_DOUBLE_EQ(bytes(open), 32 + rounded);
  EXPECT_DOUBLE_EQ(bytes(with_groups(open)), 36 + rounded);
  EXPECT_DOUBLE_EQ(bytes(with_groups(periodic)), 48 + rounded);
  EXPECT_DOUBLE_EQ(bytes(with_groups(periodic), true), 72 + rounded);
  oracle::System typed = open;
  typed.types = 1, typed.cutoffs = {0.1};
  for (oracle::Particle& p : typed.particles) p.radius = 0.5;
  EXPECT_DOUBLE_EQ(bytes(typed), 36 + rounded);
}

/// Returns values that tell the pairs apart. A pair that is not in `before`, unless that is empty, has the value `fresh`.
std::vector<double> numbered(const support::Contacts& pairs, double fresh, const support::Contacts& before = {}) {
  std::vector<double> values;
  for (const oracle::Contact& pair : pairs) {
    const bool known = before.empty() || std::find(before.begin(), before.end(), pair) != before.end();
    values.push_back(known ? static_cast<double>(1000 * pair.i + pair.j) : fresh);
  }
  return values;
}

// Fails every allocation of a larger build once. List and values stay as they were, and the next update builds.
TYPED_TEST(RememberedBuild, AnUpdateWithoutMemoryLeavesTheList) {
  const oracle::System before = support::polydisperse(60, 2, true, 3);
  oracle::System after = with_groups(support::polydisperse(1500, 9, true, 4)), old = before;
  after.skin = 0.1;
  for (int k = 0; k < 3; ++k) old.lo[k] = after.lo[k], old.hi[k] = after.hi[k];
  const support::UserArrays<double, 3> few(old), many(after);
  const support::Contacts contacts = oracle::contacts(after);
  std::int64_t k = 0;
  for (bool failed = true; failed; ++k) {
    ASSERT_LT(k, 1000);
    hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(after));
    hgrid::VerletList list(grid, {.skin = after.skin});
    hgrid::PairArray<TypeParam, double> first(grid.exec(), -1), second(grid.exec(), -2);
    list.update(few.view(), first, second);
    list.update(few.view(), first, second);
    const support::Contacts listed = support::as_listed(list.neighbours());
    const std::vector<double> had = numbered(listed, 0);
    std::copy(had.begin(), had.end(), first.data()), std::copy(had.begin(), had.end(), second.data());
    failed = false;
    Allocations::get().fail_at = Allocations::get().count + k;
    try {
      list.update(many.view(), first, second);
    } catch (const hgrid::Error& e) {
      failed = true;
      ASSERT_EQ(e.code(), hgrid::ErrorCode::out_of_memory) << "allocation " << k << ": " << e.what();
    }
    Allocations::get().fail_at = -1;
    if (failed) {
      ASSERT_EQ(support::as_listed(list.neighbours()), listed) << "allocation " << k;
      ASSERT_EQ(support::values_of(grid.exec(), first), had) << "allocation " << k;
      ASSERT_EQ(support::values_of(grid.exec(), second), had) << "allocation " << k;
      ASSERT_TRUE(list.update(many.view(), first, second)) << "allocation " << k;
    }
    ASSERT_EQ(support::as_listed(list.neighbours()), contacts) << "allocation " << k;
    ASSERT_EQ(support::values_of(grid.exec(), first), numbered(contacts, -1, listed)) << "allocation " << k;
    ASSERT_EQ(support::values_of(grid.exec(), second), numbered(contacts, -2, listed)) << "allocation " << k;
    ASSERT_FALSE(list.update(many.view(), first, second)) << "allocation " << k;
    oracle::System gone = after;
    gone.particles[1].x[2] += 0.2;
    ASSERT_TRUE(list.update(support::UserArrays<double, 3>(gone).view())) << "allocation " << k;
  }
  EXPECT_GT(k, 10) << "the test saw no allocations";
}

TYPED_TEST(RememberedBuild, SaysWhetherSortingWouldPay) {
  oracle::System s = support::polydisperse(30000, 2, false);
  const auto exec = support::make_executor<TypeParam>(2);
  const hgrid::SearchCosts dear_candidates{.setup = 1, .candidate = 60};  // small cells: ids ascend within each
  hgrid::Grid<TypeParam, 3> grid(exec, support::box_of<3>(s), {.costs = dear_candidates});
  hgrid::VerletList list(grid, {.skin = 0.1});
  EXPECT_EQ(list.counters().disorder, 0);
  list.build(support::UserArrays<double, 3>(s).view());
  const double random = list.counters().disorder;
  EXPECT_LT(random, std::pow(1 - 4096.0 / 30000, 2)) << "of random ids; those of one cell ascend";
  EXPECT_GT(random, 0.9 * std::pow(1 - 4096.0 / 30000, 2));
  hgrid::Reordering<TypeParam> order(exec);
  order.take(grid);
  std::vector<oracle::Particle> sorted(s.particles.size());
  order.apply(s.particles.data(), sorted.data());
  s.particles = sorted;
  list.build(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(list.counters().disorder, 0);
  std::reverse(s.particles.begin(), s.particles.end());
  list.build(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(list.counters().disorder, 0) << "the other way round is as good";
  for (std::size_t i = 0; i < sorted.size(); ++i) s.particles[i * 7001 % sorted.size()] = sorted[i];
  list.build(support::UserArrays<double, 3>(s).view());
  EXPECT_GT(list.counters().disorder, 0.95) << "nearly each step leads far";
  s.particles.resize(1);
  list.build(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(list.counters().disorder, 0);
}

}  // namespace
