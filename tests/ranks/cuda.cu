// SPDX-License-Identifier: BSD-3-Clause
// Ranks whose particles lie on CUDA devices, with an MPI that takes their memory, and with one that does not.
#include "hgrid/cuda.hpp"
#include "ranks/device_errors.hpp"
#include "ranks/device_loop.hpp"
#include "ranks/device_mpi.hpp"
#include "support/cuda_case.hpp"

namespace {

/// Each rank takes the device of its number on the node.
class RanksOnCuda : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    HGRID_NEEDS_DEVICE();
    mpi_ = {.takes_device_memory = GetParam(), .device = hgrid::use_cuda_device(hgrid::rank_on_node(MPI_COMM_WORLD))};
  }
  void TearDown() override {
    EXPECT_TRUE(support::everywhere(mpi_.misplaced == 0)) << mpi_.misplaced << " messages";
    const bool are_sent = support::all_ranks() > 1 && !IsSkipped();
    EXPECT_EQ(support::everywhere(mpi_.device_messages == 0), !are_sent || !GetParam());
  }

  support::DeviceMpi& mpi_ = support::device_mpi();
};

TEST_P(RanksOnCuda, HaveTheContactsOfOne) {
  support::PoisonedMemory poisoned;
  support::expect_systems_on_devices(
      200, [&](std::uint64_t seed) { return hgrid::CudaExec(nullptr, seed % 2 == 0 ? &poisoned : nullptr); });
}

TEST_P(RanksOnCuda, ErrorsOfOneAreThrownByAll) { support::expect_errors_of_devices(hgrid::CudaExec()); }

TEST_P(RanksOnCuda, SpringsOfATimeLoopAreThoseOfOneRank) {
  support::PoisonedMemory poisoned;
  const auto steps = static_cast<int>(support::from_environment("HGRID_DEVICE_STEPS", 200));
  support::expect_springs_on_devices<3>(hgrid::CudaExec(nullptr, &poisoned), true, 1, steps);
  support::expect_springs_on_devices<2>(hgrid::CudaExec(), false, 2, steps);
  support::expect_springs_on_devices<3>(hgrid::CudaExec(), true, 41, steps, false, true, {.rate = 0.1});
}

INSTANTIATE_TEST_SUITE_P(WithMessages, RanksOnCuda, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "OfDevices" : "ByWayOfHosts"; });

// Each rank has a device of its own, as far as there are enough, and work stays there.
TEST(RanksOnCudaDevices, AreThoseOfTheirNumbers) {
  HGRID_NEEDS_DEVICE();
  const auto devices = static_cast<int>(hgrid_found.devices.size());
  const int rank = hgrid::rank_on_node(MPI_COMM_WORLD);
  EXPECT_EQ(rank, support::this_rank());  // on one node
  EXPECT_EQ(hgrid::use_cuda_device(rank), rank % devices);
  EXPECT_EQ(hgrid::CudaExec().device(), rank % devices);
}

// MPI is believed.
TEST(RanksOnCudaDevices, DeviceMemoryIsNotGivenToAnMpiThatTakesNone) {
  HGRID_NEEDS_DEVICE();
  support::device_mpi() = {.takes_device_memory = false};
  EXPECT_EQ(hgrid::mpi_takes_device_memory(), false);
  const auto made = [](hgrid::DeviceMessages messages) {
    hgrid::DistributedGrid<hgrid::CudaExec, 3> grid(hgrid::CudaExec(), hgrid::Box3::open(), MPI_COMM_WORLD, {}, messages);
  };
  made(hgrid::DeviceMessages::ask), made(hgrid::DeviceMessages::off);
  support::expect_error(hgrid::ErrorCode::unsupported, [&] { made(hgrid::DeviceMessages::on); });
  support::device_mpi().takes_device_memory = true;
  made(hgrid::DeviceMessages::on);
}

}  // namespace
