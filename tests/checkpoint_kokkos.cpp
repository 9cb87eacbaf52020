// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints on the host execution spaces of Kokkos, and between them and hgrid's own executors.
#include <gtest/gtest.h>

#include "kokkos_session.hpp"
#include "support/interrupted_loop.hpp"

namespace {

using support::AsItIs;
using support::ChangingSystem;

TEST(CheckpointKokkos, ALoopGoesOnAsIfNotInterrupted) {
  for (int kind = 0; kind < ChangingSystem::kinds; ++kind) {
    const auto exec = hgrid::make_exec(Kokkos::DefaultHostExecutionSpace());
    EXPECT_EQ(support::difference_of_loop(exec, static_cast<ChangingSystem::Kind>(kind), AsItIs()), "");
  }
#ifdef KOKKOS_ENABLE_SERIAL
  const auto exec = hgrid::make_exec(Kokkos::Serial());
  EXPECT_EQ(support::difference_of_moved_loop(exec, hgrid::SerialExec{}, ChangingSystem::groups, AsItIs(), AsItIs()), "");
  EXPECT_EQ(support::difference_of_moved_loop(hgrid::SerialExec{}, exec, ChangingSystem::far, AsItIs(), AsItIs()), "");
#endif
}

}  // namespace
