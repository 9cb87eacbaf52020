// SPDX-License-Identifier: BSD-3-Clause
// Contacts between two grids, and measured lists of queries, on a device executor, on the host; few particles, as on hosts.
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

// Few particles, of which one is just below a face, lie where a host puts them.
TEST(FewOnADevice, LieWhereTheyLieOnAHost) {
  const hgrid::Box3 box = hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1});
  const double x[] = {-7e-18, 0.5, 0.5, 0.25, 0.25, 0.75}, r[] = {0.1, 0.1};
  hgrid::Grid<support::LockstepExec, 3> there(support::LockstepExec(1), box);
  hgrid::Grid<hgrid::SerialExec, 3> here({}, box);
  there.build(hgrid::particles<3>(x, r, 2)), here.build(hgrid::particles<3>(x, r, 2));
  const auto a = there.view(), b = here.view();
  ASSERT_EQ(a.slots(), b.slots());
  for (hgrid::index_t p = 0; p < b.slots(); ++p) {
    EXPECT_EQ(a.id[p], b.id[p]);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(a.x[k][p], b.x[k][p]) << p << ", " << k;
  }
}

}  // namespace
