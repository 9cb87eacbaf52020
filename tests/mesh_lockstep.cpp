// SPDX-License-Identifier: BSD-3-Clause
// Contacts with meshes and their history on a device executor, on the host.
#include <gtest/gtest.h>

#include "support/lockstep_exec.hpp"
#include "support/mesh_history.hpp"
#include "support/mesh_periods.hpp"
#include "support/random_suite.hpp"

namespace {

TEST(MeshLockstep, ContactsAndValuesAsOnAHost) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t meshes = support::from_environment("HGRID_SYSTEMS", 60);
  std::array<int, 4> seen{};
  int carried = 0, across = 0;
  for (std::uint64_t seed = first; seed < first + meshes; ++seed) {
    ASSERT_EQ(support::check_mesh(support::LockstepExec(seed), seed, seen), "") << "seed " << seed;
    if (seed % 10 != 0) continue;
    ASSERT_EQ(support::check_periodic_mesh(support::LockstepExec(seed), seed, across), "") << "seed " << seed;
    ASSERT_EQ(support::check_mesh_history(support::LockstepExec(seed), seed, carried), "") << "seed " << seed;
  }
  EXPECT_GT(carried, 50);
  EXPECT_GT(across, 10);
}

}  // namespace
