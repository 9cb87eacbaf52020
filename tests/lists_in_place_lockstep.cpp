// SPDX-License-Identifier: BSD-3-Clause
// Full lists that the search of a device writes itself, by lists of the oracle.
#include <gtest/gtest.h>

#include "support/lockstep_exec.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ListKind;
using support::LockstepExec;

/// Builds a grid of one level, where lists are found in place.
hgrid::Grid<LockstepExec, 3> built(const LockstepExec& exec, const oracle::System& s) {
  auto grid = support::built(
      exec, s, {.levels = {{1, {2, 2, 2}}}, .keys = hgrid::KeyOrder::row_major, .table = hgrid::TableKind::dense});
  EXPECT_TRUE(LockstepExec::Search<3>::lists_in_place(grid.view()));
  return grid;
}

/// Returns equal spheres. In a periodic box every fifth is some periods outside.
oracle::System spheres(bool periodic) {
  oracle::System s = support::polydisperse(300, 1, periodic);
  for (std::size_t i = 0; periodic && i < s.particles.size(); i += 5) {
    const std::size_t k = i % 3;
    s.particles[i].x[k] += (i % 2 == 0 ? 3 : -2) * (s.hi[k] - s.lo[k]);
  }
  return s;
}

TEST(ListsInPlace, ArePackedWithThePeriodsOfParticlesOutside) {
  const oracle::System s = spheres(true);
  const support::Contacts expected = oracle::from_both_sides(oracle::contacts(s));
  auto grid = built(LockstepExec(1), s);
  auto list = grid.make_packed_list(ListKind::full);
  grid.find(list);
  EXPECT_NE(list.periods(), nullptr);
  EXPECT_EQ(support::as_listed(grid.exec(), list), expected);
  auto other = grid.make_packed_list(ListKind::full);
  for (int turn = 0; turn < 2; ++turn) {  // without room, then with it
    grid.enqueue(other);
    grid.wait(other);
    EXPECT_NE(other.periods(), nullptr) << turn;
    EXPECT_EQ(support::as_listed(grid.exec(), other), expected) << turn;
  }
}

TEST(ListsInPlace, HaveAllNeighboursOrNone) {
  for (const bool periodic : {false, true}) {
    const oracle::System s = spheres(periodic);
    const support::Contacts expected = oracle::from_both_sides(oracle::contacts(s));
    const auto n = static_cast<hgrid::offset_t>(expected.size());
    oracle::System few = s;
    few.particles.resize(200);
    const LockstepExec exec(2);
    auto grid = built(exec, s), before = built(exec, few);
    auto list = grid.make_list(ListKind::full);
    grid.find(list);  // so that only the other list lacks room
    auto too_short = before.make_list(ListKind::full);
    before.find(too_short);
    ASSERT_GT(too_short.capacity(), 0);
    ASSERT_LT(too_short.capacity(), n);
    grid.enqueue(too_short);
    const hgrid::offset_t found = exec.read_back(too_short.found());
    EXPECT_EQ(found, n);
    EXPECT_EQ(support::copied(exec, too_short.offsets(), 301), std::vector<hgrid::offset_t>(301, 0));
    grid.wait(too_short);
    EXPECT_EQ(support::as_listed(exec, too_short), expected);
  }
}

// A grid of several levels makes lists from pairs.
TEST(ListsInPlace, AreOfOneLevel) {
  const oracle::System s = support::polydisperse(300, 3, true);
  auto grid = support::built(LockstepExec(3), s, {.levels = {{1.5, {3, 3, 3}}, {3, {6, 6, 6}}}});
  EXPECT_FALSE(LockstepExec::Search<3>::lists_in_place(grid.view()));
  EXPECT_EQ(support::rows_of(grid, ListKind::full), oracle::from_both_sides(oracle::contacts(s)));
}

}  // namespace
