// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles on a device executor, on the host.
#include "hgrid/queries.hpp"
#include "support/lockstep_exec.hpp"
#include "support/nearest_on_devices.hpp"
#include "support/random_suite.hpp"

namespace {

using support::LockstepExec;

TEST(NearestLockstep, OfRandomSystems) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 500);
  for (std::uint64_t seed = first; seed < first + systems; ++seed) {
    const support::Case c = support::of_spheres(support::make_case(seed));
    ASSERT_EQ(support::check_nearest(LockstepExec(seed), c), "") << "seed " << seed << "\n" << support::to_text(c);
  }
}

TEST(NearestLockstep, EqualsTheHost) {
  for (const bool periodic : {false, true}) {
    const oracle::System s = support::polydisperse(6000, 20, periodic, 3);
    support::expect_nearest_as_on_hosts(LockstepExec(1), s, support::turned_over(s));
  }
}

TEST(NearestLockstep, InVoidsAndFarOutside) { support::expect_nearest_in_voids(LockstepExec(1), 3000); }

// The host that reads a device's memory ends the program.
TEST(NearestLockstep, HostsReadNothingOfTheDevice) {
  const support::WalledMemory::Walls walls;
  support::expect_errors_of_nearest(LockstepExec(1));
  const oracle::System s = support::polydisperse(5000, 5, true, 4);
  const LockstepExec exec(2);
  support::GridThere device(exec, s);
  hgrid::Nearest nearest(device.grid);
  const auto found = support::of_points(exec, nearest, support::turned_over(s), {.k = 3, .images = true});
  EXPECT_EQ(found.ids.size(), 3 * s.particles.size());
}

}  // namespace
