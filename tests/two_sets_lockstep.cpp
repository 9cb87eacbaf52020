// SPDX-License-Identifier: BSD-3-Clause
// Contacts between two grids, and measured lists of queries, on a device executor, on the host.
#include <gtest/gtest.h>

#include "support/lockstep_exec.hpp"
#include "support/loop_cases.hpp"
#include "support/measured_query_cases.hpp"
#include "support/random_suite.hpp"
#include "support/two_sets_cases.hpp"

namespace {

TEST(TwoSetsLockstep, OfRandomSystems) {
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 100);
  for (std::uint64_t seed = 1; seed <= systems; ++seed) {
    const support::LockstepExec exec(seed);
    const support::Case c = support::make_case(seed);
    const auto run = [&]<class Real, int D>() { return support::check_two_sets<Real, D>(exec, c); };
    ASSERT_EQ(support::in_types_of(c, run), "") << "seed " << seed << "\n" << support::to_text(c);
  }
}

TEST(MeasuredQueriesLockstep, OfRandomSystems) {
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 100);
  for (std::uint64_t seed = 1; seed <= systems; ++seed) {
    const support::LockstepExec exec(seed);
    const support::Case c = support::make_case(seed);
    const auto run = [&]<class Real, int D>() { return support::check_measured_queries<Real, D>(exec, c); };
    ASSERT_EQ(support::in_types_of(c, run), "") << "seed " << seed << "\n" << support::to_text(c);
  }
}

}  // namespace
