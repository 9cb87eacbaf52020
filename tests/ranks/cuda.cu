// SPDX-License-Identifier: BSD-3-Clause
// Ranks whose particles lie on CUDA devices.
#include "hgrid/cuda.hpp"
#include "ranks/device_loop.hpp"
#include "ranks/on_device.hpp"
#include "support/cuda_case.hpp"

namespace {

TEST(RanksOnCuda, HaveTheContactsOfOne) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory poisoned;
  support::expect_systems_on_devices(
      200, [&](std::uint64_t seed) { return hgrid::CudaExec(nullptr, seed % 2 == 0 ? &poisoned : nullptr); });
}

TEST(RanksOnCuda, ErrorsOfOneAreThrownByAll) {
  HGRID_NEEDS_DEVICE();
  support::expect_errors_of_devices(hgrid::CudaExec());
}

TEST(RanksOnCuda, SpringsOfATimeLoopAreThoseOfOneRank) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory poisoned;
  const auto steps = static_cast<int>(support::from_environment("HGRID_DEVICE_STEPS", 200));
  support::expect_springs_on_devices<3>(hgrid::CudaExec(nullptr, &poisoned), true, 1, steps);
  support::expect_springs_on_devices<2>(hgrid::CudaExec(), false, 2, steps);
}

}  // namespace
