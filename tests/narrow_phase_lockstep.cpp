// SPDX-License-Identifier: BSD-3-Clause
// Lists of the contacts that a predicate confirms, on a device: kernels' bodies on a machine of fibers.
#include "hgrid/hgrid.hpp"
#include "support/lockstep_exec.hpp"
#include "support/narrow_cases.hpp"
#include "support/random_suite.hpp"

namespace {

TEST(NarrowPhaseLockstep, OfRandomSystems) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 60);
  for (std::uint64_t seed = first; seed < first + systems; ++seed) {
    const support::Case c = support::make_case(seed);
    ASSERT_EQ(support::check_narrow(support::LockstepExec(seed), c), "") << "seed " << seed << "\n" << support::to_text(c);
  }
}

}  // namespace
