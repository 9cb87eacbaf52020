// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of a CUDA device, and between it and a host.
#include <gtest/gtest.h>

#include "support/cuda_case.hpp"
#include "support/interrupted_loop.hpp"

namespace {

using support::ChangingSystem;

TEST(CudaCheckpoint, ALoopGoesOnAsIfNotInterrupted) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory memory;
  const hgrid::CudaExec exec(nullptr, &memory);
  const auto place = [&](const auto& view) { return support::placed(exec, view); };
  for (const auto kind : {ChangingSystem::periodic, ChangingSystem::groups, ChangingSystem::worlds, ChangingSystem::types}) {
    EXPECT_EQ(support::difference_of_loop(exec, kind, place), "");
  }
}

TEST(CudaCheckpoint, BetweenAHostAndADevice) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory memory;
  const hgrid::CudaExec device(nullptr, &memory);
  const hgrid::SerialExec host;
  const auto place = [&](const auto& view) { return support::placed(device, view); };
  EXPECT_EQ(support::difference_of_moved_loop(host, device, ChangingSystem::groups, support::AsItIs(), place), "");
  EXPECT_EQ(support::difference_of_moved_loop(device, host, ChangingSystem::types, place, support::AsItIs()), "");
}

}  // namespace
