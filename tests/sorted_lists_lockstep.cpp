// SPDX-License-Identifier: BSD-3-Clause
// The sort of lists by the warps and blocks of a device: lists of all lengths.
#include <gtest/gtest.h>

#include "support/drawn_lists.hpp"
#include "support/lockstep_exec.hpp"

namespace {

using support::DrawnLists;
using support::LockstepExec;
using support::sorts;

TEST(SortedListsLockstep, OfEveryLength) {
  const std::vector<int> lengths = support::lengths_up_to(300);
  for (const auto order : {DrawnLists::Order::any, DrawnLists::Order::sorted, DrawnLists::Order::reversed}) {
    EXPECT_TRUE(sorts(LockstepExec(1), DrawnLists(lengths, 1, order)));
  }
  EXPECT_TRUE(sorts(LockstepExec(2), DrawnLists(lengths, 1, DrawnLists::Order::any), false));
}

TEST(SortedListsLockstep, OfNeighboursUnderSeveralImages) {
  for (const int times : {2, 5, 40, 300}) {
    EXPECT_TRUE(sorts(LockstepExec(3), DrawnLists(support::lengths_up_to(300), times, DrawnLists::Order::any))) << times;
    EXPECT_TRUE(sorts(LockstepExec(4), DrawnLists({3, 1000, 0, 2500}, times, DrawnLists::Order::any))) << times;
  }
}

TEST(SortedListsLockstep, OfPackedEntries) {
  for (const int times : {1, 5}) {
    EXPECT_TRUE(support::sorts_packed(LockstepExec(3), DrawnLists(support::lengths_up_to(300), times, DrawnLists::Order::any)));
    EXPECT_TRUE(support::sorts_packed(LockstepExec(4), DrawnLists({3, 1000, 0, 2500}, times, DrawnLists::Order::any)));
  }
}

// Lengths lie around the capacity of a warp and of a block.
TEST(SortedListsLockstep, LongOnes) {
  for (const auto order : {DrawnLists::Order::any, DrawnLists::Order::sorted, DrawnLists::Order::reversed}) {
    EXPECT_TRUE(sorts(LockstepExec(5), DrawnLists({1000, 5000, 3, 20000}, 1, order)));
  }
  EXPECT_TRUE(sorts(LockstepExec(6), DrawnLists({255, 256, 257, 1791, 1792, 1793, 4096}, 3, DrawnLists::Order::any)));
}

TEST(SortedListsLockstep, FewListsOfManyEntriesAndNone) {
  for (const auto& lengths : {std::vector<int>{}, {0}, {1}, {0, 0, 0}, {200}, {0, 0, 90, 0}, std::vector<int>(70, 100)}) {
    EXPECT_TRUE(sorts(LockstepExec(7), DrawnLists(lengths, 2, DrawnLists::Order::any)));
  }
}

}  // namespace
