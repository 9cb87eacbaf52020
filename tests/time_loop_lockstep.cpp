// SPDX-License-Identifier: BSD-3-Clause
// Validity, history and regions on a device executor, on the host.
#include <gtest/gtest.h>

#include "support/followers.hpp"
#include "support/lockstep_exec.hpp"
#include "support/loop_cases.hpp"
#include "support/region_cases.hpp"
#include "support/wrapped_cases.hpp"

namespace {

TEST(TimeLoopLockstep, EqualsTheHost) {
  int valid = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const support::LockstepExec exec(seed);
    const support::Later later = support::make_later(seed);
    const support::Case& c = later.c;
    const auto run = [&]<class Real, int D>() {
      return support::check_validity<Real, D>(exec, later, valid) +
             support::check_regions<Real, D>(exec, support::of_spheres(c)) + support::check_history<D>(exec, c, seed % 2 == 0) +
             support::check_merge<D>(exec, c);
    };
    ASSERT_EQ(support::in_types_of(c, run), "") << "seed " << seed << "\n" << support::to_text(c.choice);
  }
  EXPECT_GT(valid, 5);
}

TEST(TimeLoopLockstep, ValuesFollowTheirPairs) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) ASSERT_EQ(support::check_followers(support::LockstepExec(seed), seed), "");
}

TEST(TimeLoopLockstep, WrappedPositions) {
  support::WrappedCounts counts;
  ASSERT_EQ(support::check_all_wrapped(support::LockstepExec(3), 3, 40, counts), "");
  EXPECT_GT(counts.contacts, 50000);
  EXPECT_EQ(counts.differ, 0);
}

}  // namespace
