// SPDX-License-Identifier: BSD-3-Clause
// The margins of the device's search in place: where a sign decides, the predicate would have decided so, and the rows that it
// looks through hold all that is in reach.
#include <gtest/gtest.h>

#include "support/in_place_cases.hpp"

namespace {

using support::Kinds;

TEST(LevelInPlace, SignsDecideAsThePredicateDoes) {
  Kinds kinds;
  EXPECT_EQ(support::wrong_sign<2>(1, 1000000, kinds), "");
  EXPECT_EQ(support::wrong_sign<3>(2, 1000000, kinds), "");
  EXPECT_GT(kinds.one, 200000);  // for pairs that were put where the decision is hard
  EXPECT_GT(kinds.other, 200000);
}

TEST(RowsInPlace, HoldAllThatIsInReach) {
  Kinds kinds;
  EXPECT_EQ(support::lost_cell<2>(3, 100000, kinds), "");
  EXPECT_EQ(support::lost_cell<3>(4, 100000, kinds), "");
  EXPECT_GT(kinds.one, 40000);
  EXPECT_GT(kinds.other, 50);
}

}  // namespace
