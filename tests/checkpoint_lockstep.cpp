// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of a device executor on the host, and between it and a host.
#include <gtest/gtest.h>

#include "support/forgeries.hpp"
#include "support/lockstep_exec.hpp"

namespace {

using support::ChangingSystem;

TEST(CheckpointLockstep, ALoopGoesOnAsIfNotInterrupted) {
  for (const auto kind : {ChangingSystem::periodic, ChangingSystem::far, ChangingSystem::worlds}) {
    EXPECT_EQ(support::difference_of_loop(support::LockstepExec(1), kind, support::AsItIs()), "");
  }
}

TEST(CheckpointLockstep, BetweenAHostAndADevice) {
  for (const auto kind : {ChangingSystem::groups, ChangingSystem::types}) {
    const support::LockstepExec device(2);
    const hgrid::SerialExec host;
    EXPECT_EQ(support::difference_of_moved_loop(host, device, kind, support::AsItIs(), support::AsItIs()), "");
    EXPECT_EQ(support::difference_of_moved_loop(device, host, kind, support::AsItIs(), support::AsItIs()), "");
  }
}

TEST(CheckpointLockstep, ForgeriesAreRefusedOrCanBeUsed) {
  for (int kind = 0; kind < 5; ++kind) {
    support::expect_safe(std::string(support::names_of_forged[kind]) + " on a device", 40, [&](fuzz::Bytes& d) {
      return support::forged_loop<support::LockstepExec, 3>(support::LockstepExec(1), kind, d);
    });
  }
}

}  // namespace
