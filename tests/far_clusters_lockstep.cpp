// SPDX-License-Identifier: BSD-3-Clause
// Clusters far apart on the device path: the kernels' bodies find as many contacts and read as much as the host.
#include "hgrid/hgrid.hpp"
#include "support/far_systems.hpp"
#include "support/lockstep_exec.hpp"
#include "support/results.hpp"

#include <gtest/gtest.h>

namespace {

TEST(FarClustersLockstep, CostAsOnAHost) {
  const hgrid::SearchCosts dear_candidates{.candidate = 60};  // else clusters of 40 may lie in a cell each
  for (const auto keys : {hgrid::KeyOrder::row_major, hgrid::KeyOrder::morton}) {
    for (const double apart : {1e4, 1e8, 1e12}) {
      for (const int clusters : {2, 100}) {
        const oracle::System s = support::far_clusters(3, clusters, apart, support::Places::diagonal, 4000, 4);
        auto host = support::built(hgrid::SerialExec{}, s, {.keys = keys, .costs = dear_candidates});
        auto device = support::built(support::LockstepExec(7), s, {.keys = keys, .costs = dear_candidates});
        if (clusters == 2) {
          EXPECT_EQ(host.plan().islands.empty(), apart < 1e6) << "many are as cheap in a compacted table";
        }
        EXPECT_EQ(device.work().candidates, host.work().candidates) << apart;
        EXPECT_EQ(device.work().rows, host.work().rows) << apart;
        EXPECT_EQ(support::pairs_of(device, hgrid::Order::sorted), support::pairs_of(host, hgrid::Order::sorted)) << apart;
        EXPECT_EQ(support::rows_of(device, hgrid::ListKind::full), support::rows_of(host, hgrid::ListKind::full)) << apart;
      }
    }
  }
}

// A build that does not wait keeps its islands until a check tells that the particles have left them.
TEST(FarClustersLockstep, IslandsFollowACheck) {
  oracle::System s = support::far_clusters(3, 3, 1e12, support::Places::diagonal, 6000);
  auto grid = support::built(support::LockstepExec(3), s);
  const hgrid::offset_t before = grid.work().candidates;
  for (std::size_t i = 1; i < s.particles.size(); i += 3) {
    for (double& x : s.particles[i].x) x += 100;
  }
  grid.build(support::UserArrays<double, 3>(s).view());
  EXPECT_GT(grid.work().candidates, 10 * before);  // it checks
  grid.build(support::UserArrays<double, 3>(s).view());
  EXPECT_LT(grid.work().candidates, 2 * before);
}

}  // namespace
