// SPDX-License-Identifier: BSD-3-Clause
// Ranks whose particles lie on CUDA devices.
#include "hgrid/cuda.hpp"
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

}  // namespace
