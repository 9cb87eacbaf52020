// SPDX-License-Identifier: BSD-3-Clause
// Validity, history and regions on the random systems, on host executors; time_loop_lockstep.cpp has a device's.
#include "support/executors.hpp"
#include "support/loop_cases.hpp"
#include "support/packings.hpp"
#include "support/region_cases.hpp"
#include "support/results.hpp"

namespace {

template <class Exec>
class TimeLoop : public ::testing::Test {};
TYPED_TEST_SUITE(TimeLoop, support::Executors);

TYPED_TEST(TimeLoop, ListsHoldAsLongAsTheySay) {
  int valid = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const support::Later later = support::make_later(seed);
    const auto run = [&]<class Real, int D>() {
      return support::check_validity<Real, D>(support::make_executor<TypeParam>(2), later, valid);
    };
    ASSERT_EQ(support::in_types_of(later.c, run), "") << "seed " << seed << "\n" << support::to_text(later.c.choice);
  }
  EXPECT_GT(valid, 350);
  EXPECT_LT(valid, 1150);
}

TYPED_TEST(TimeLoop, HistoryFindsThePairsOfBefore) {
  const auto exec = support::make_executor<TypeParam>(2);
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const support::Case c = support::make_case(seed);
    const bool flat = c.choice[support::dimension] == 0;
    for (const bool shuffle : {false, true}) {
      ASSERT_EQ(flat ? support::check_history<2>(exec, c, shuffle) : support::check_history<3>(exec, c, shuffle), "") << seed;
    }
    ASSERT_EQ(flat ? support::check_merge<2>(exec, c) : support::check_merge<3>(exec, c), "") << seed;
  }
}

TYPED_TEST(TimeLoop, RegionsHoldWhatAllPairsFind) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const support::Case c = support::of_spheres(support::make_case(seed));
    const auto run = [&]<class Real, int D>() {
      const auto exec = support::make_executor<TypeParam>(2);
      return support::check_regions<Real, D>(exec, c) + support::check_regions<Real, D>(exec, c, true);
    };
    ASSERT_EQ(support::in_types_of(c, run), "") << "seed " << seed << "\n" << support::to_text(c.choice);
  }
}

TYPED_TEST(TimeLoop, BoundsOfOpenAxesMeanNothing) {
  oracle::System s = support::polydisperse(300, 3, false);
  const support::UserArrays<double, 3> arrays(s);
  hgrid::Box3 box = hgrid::Box3::open();
  box.lo[0] = NAN, box.hi[1] = 7;
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), box);
  grid.build(arrays.view());
  EXPECT_TRUE(grid.valid(arrays.view()));
  grid.set_box(hgrid::Box3::open());
  EXPECT_TRUE(grid.valid(arrays.view()));
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(s));
}

}  // namespace
