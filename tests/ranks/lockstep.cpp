// SPDX-License-Identifier: BSD-3-Clause
// Ranks whose particles lie on a device, with a device of fibers (tests/support/lockstep_machine.hpp).
#include "ranks/on_device.hpp"
#include "support/lockstep_exec.hpp"

namespace {

using support::LockstepExec;

TEST(RanksOnADevice, HaveTheContactsOfOne) {
  support::expect_systems_on_devices(20, [](std::uint64_t seed) { return LockstepExec(seed); });
}

TEST(RanksOnADevice, ErrorsOfOneAreThrownByAll) { support::expect_errors_of_devices(LockstepExec(3)); }

// Positions that did not go to other ranks stay on the device.
TEST(RanksOnADevice, OnlyWhatMessagesHaveCrossesToTheHost) {
  const LockstepExec exec(1);
  const oracle::System system = support::polydisperse(2000, 3, true);
  const auto share = support::share_of<double, 3>(system, 2);
  support::DeviceShare<LockstepExec, double, 3> there(exec, share);
  hgrid::DistributedGrid<LockstepExec, 3> grid(exec, support::box_of<3>(system), MPI_COMM_WORLD);
  grid.rebalance(there.x, there.r);
  grid.migrate(there.x, there.r, there.id);
  grid.build(there.x, there.r, there.id, {.skin = 0.01});

  std::int64_t own = grid.ghosts(), all = 0, sent = exec.copied_bytes();
  MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  hgrid::DeviceVector<LockstepExec, double> forces(exec, static_cast<std::size_t>(3 * grid.held()));
  grid.update(hgrid::Field{there.x, 3});
  grid.add_back(hgrid::Field{forces, 3});
  sent = exec.copied_bytes() - sent;
  std::int64_t copied = 0;
  MPI_Allreduce(&sent, &copied, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(copied, 4 * 24 * all) << "a ghost's position and force cross on two ranks each";
  EXPECT_EQ(all > 0, support::all_ranks() > 1);
}

TEST(RanksOnADevice, VectorsGrowAndMove) {
  const LockstepExec exec(1);
  hgrid::DeviceVector vector(exec, std::vector<float>{1, 2, 3});
  vector.resize(1000);
  vector.resize(2);
  EXPECT_EQ(vector.on_host(), (std::vector<float>{1, 2}));
  auto taken = std::move(vector);
  EXPECT_EQ(vector.size(), 0u);
  EXPECT_EQ(taken.on_host(), (std::vector<float>{1, 2}));
  taken.assign(3, 7);
  EXPECT_EQ(taken.on_host(), (std::vector<float>{7, 7, 7}));
}

TEST(RanksOnADevice, StepsTakeNoMemoryThere) {
  const LockstepExec exec(1);
  const oracle::System system = support::polydisperse(500, 3, true);
  support::DeviceShare<LockstepExec, double, 3> there(exec, support::share_of<double, 3>(system, 2));
  hgrid::DistributedGrid<LockstepExec, 3> grid(exec, support::box_of<3>(system), MPI_COMM_WORLD);
  grid.rebalance(there.x, there.r);
  grid.migrate(there.x, there.r, there.id);
  hgrid::DeviceVector<LockstepExec, double> x(exec, there.x.on_host());
  auto pairs = grid.make_pairs();
  int taken = 0;
  for (int step = 0; step < 8; ++step) {
    if (step == 3) taken = exec.allocations();
    grid.build(there.x, there.r, there.id, {.skin = 0.01});
    grid.pairs(pairs);
    grid.update(hgrid::Field{x, 3});
    grid.add_back(hgrid::Field{x, 3});
  }
  EXPECT_TRUE(support::everywhere(exec.allocations() == taken)) << exec.allocations() - taken;
}

}  // namespace
