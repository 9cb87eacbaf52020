// SPDX-License-Identifier: BSD-3-Clause
// Ranks whose particles lie on a device, with a device of fibers (tests/support/lockstep_machine.hpp).
#include "ranks/device_errors.hpp"
#include "ranks/device_loop.hpp"
#include "ranks/one_sided.hpp"
#include "ranks/restarts.hpp"
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
    grid.find(pairs);
    grid.update(hgrid::Field{x, 3});
    grid.add_back(hgrid::Field{x, 3});
  }
  EXPECT_TRUE(support::everywhere(exec.allocations() == taken)) << exec.allocations() - taken;
}

using Loop = support::DeviceLoop<LockstepExec, 3>;

TEST(TimeLoopOnADevice, SpringsAreThoseOfOneRank) {
  const auto steps = static_cast<int>(support::from_environment("HGRID_DEVICE_STEPS", 80));
  support::expect_springs_on_devices<3>(LockstepExec(1), true, 1, steps);
  support::expect_springs_on_devices<2>(LockstepExec(2), true, 2, steps);
  support::expect_springs_on_devices<3>(LockstepExec(4), false, 3, steps);
}
TEST(TimeLoopOnADevice, SpringsOfBoxesAreThoseOfOneRank) {
  support::expect_springs_on_devices<3>(LockstepExec(1), true, 11, 80, true);
  support::expect_springs_on_devices<2>(LockstepExec(2), false, 12, 80, true);
}

TEST(TimeLoopOnADevice, SpringsOfWrappedPositionsAreThoseOfOneRank) {
  support::expect_springs_on_devices<3>(LockstepExec(1), true, 21, 80, false, true);
  support::expect_springs_on_devices<2>(LockstepExec(2), true, 22, 80, true, true);
}

TEST(OneSidedOnADevice, HasTheNeighboursOfOne) {
  support::expect_one_sided_systems(LockstepExec(1), support::from_environment("HGRID_DEVICE_SYSTEMS", 40) / 4);
}

TEST(TimeLoopOnADevice, SpringsInShearAreThoseOfOneRank) {
  support::expect_springs_on_devices<3>(LockstepExec(1), true, 41, 80, false, true, {.rate = 0.1});
  support::expect_springs_on_devices<3>(LockstepExec(2), true, 44, 80, false, false, {.rate = 0.1, .along = 2, .across = 0});
}

TEST(TimeLoopOnADevice, GoesOnFromACheckpointOfADeviceOrAHost) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1),
                      count = support::from_environment("HGRID_DEVICE_SYSTEMS", 40) / 10;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const bool flat = seed % 4 == 0, wrapped = seed % 3 == 0;
    const support::Gas gas(60, true, seed);
    const support::RestartCase c{seed,
                                 seed % 5 == 0 ? support::boxes_of(gas) : gas,
                                 true,
                                 {.skin = 0.5, .wrapped = wrapped, .clock = support::LoopTime::seconds}};
    const auto restart = [&]<int D>(std::integral_constant<int, D>) {
      const auto there = [&] { return support::DeviceLoop<LockstepExec, D>(LockstepExec(1), c.gas, true, seed, c.options); };
      const auto here = [&] { return support::Drifting<D>(c.gas, true, seed, c.options); };
      seed % 2 == 0   ? support::expect_restart(c, there, there)
      : seed % 3 == 1 ? support::expect_restart(c, there, here)
                      : support::expect_restart(c, here, there);
    };
    flat ? restart(std::integral_constant<int, 2>()) : restart(std::integral_constant<int, 3>());
  }
}

TEST(TimeLoopOnADevice, AListThatStandsMovesGhostsOnly) {
  const LockstepExec exec(1);
  Loop loop(exec, 150, true, 4);
  EXPECT_FALSE(loop.update());
  std::int64_t own = loop.grid().ghosts(), all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  const int taken = exec.allocations(), waited = support::blocking;
  const std::int64_t before = exec.copied_bytes();
  int builds = 0;
  for (int step = 0; step < 5; ++step) builds += loop.update();
  EXPECT_EQ(builds, 0);
  EXPECT_EQ(support::blocking, waited);
  EXPECT_TRUE(support::everywhere(exec.allocations() == taken)) << exec.allocations() - taken;
  std::int64_t copied = 0, mine = exec.copied_bytes() - before;
  MPI_Allreduce(&mine, &copied, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(copied, 5 * 2 * 24 * all) << "a ghost's position crosses on two ranks";
}

/// Bytes that cross on all ranks while a list is built again with values of a type.
template <class T>
std::int64_t bytes_of_build(const oracle::System& system, std::int64_t& pairs) {
  const LockstepExec exec(1);
  support::DeviceShare<LockstepExec, double, 3> there(exec, support::share_of<double, 3>(system, 2));
  hgrid::DistributedGrid<LockstepExec, 3> grid(exec, support::box_of<3>(system), MPI_COMM_WORLD);
  hgrid::DistributedVerletList list(grid, {.skin = 0.01});
  hgrid::DistributedPairArray<T, LockstepExec> values(exec);
  list.rebalance(there.x, there.r, there.id, values);
  const std::int64_t before = exec.copied_bytes();
  list.build(there.x, there.r, there.id, values);
  std::int64_t sums[2] = {exec.copied_bytes() - before, list.size()};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  pairs = sums[1];
  return sums[0];
}

TEST(TimeLoopOnADevice, ValuesThatStayNeverLeaveTheDevice) {
  const oracle::System system = support::polydisperse(2000, 3, true);
  std::int64_t pairs = 0;
  const std::int64_t small = bytes_of_build<std::array<double, 1>>(system, pairs);
  const std::int64_t large = bytes_of_build<std::array<double, 101>>(system, pairs);
  const std::int64_t crossed = (large - small) / 800 - support::all_ranks();  // the value of new pairs crosses on each
  EXPECT_EQ(crossed > 0, support::all_ranks() > 1);
  EXPECT_LT(crossed, pairs) << "each counts on two ranks";
  if (support::this_rank() == 0) std::cout << crossed / 2 << " of " << pairs << " values went to another rank\n";
}

// A host that reads a device's memory ends the program here.
TEST(TimeLoopOnADevice, TheHostReadsNothingThere) {
  const support::WalledMemory::Walls walls;
  support::expect_springs_on_devices<3>(LockstepExec(5), true, 6, 45);
}
TEST(RanksOnADevice, TheHostReadsNothingThere) {
  const support::WalledMemory::Walls walls;
  support::expect_systems_on_devices(5, [](std::uint64_t seed) { return LockstepExec(seed); });
  support::expect_errors_of_devices(LockstepExec(3));
}

// The first step of a list takes no memory either.
TEST(TimeLoopOnADevice, TheBuildTakesTheMemoryOfItsSteps) {
  const LockstepExec exec(1);
  Loop loop(exec, 150, true, 4);
  const int taken = exec.allocations();
  EXPECT_FALSE(loop.update());
  EXPECT_TRUE(support::everywhere(exec.allocations() == taken)) << exec.allocations() - taken;
}

TEST(TimeLoopOnADevice, ErrorsOfOneRankLeaveListAndSpringsOnAll) {
  Loop loop(LockstepExec(3), 150, true, 5);
  for (int step = 0; step < 30; ++step, loop.move()) loop.update(), loop.stretch(), loop.gas().springs_of_one();
  const support::Springs before = loop.springs();
  const std::vector<double> x = loop.x().on_host();
  std::vector<double> wrong = x;
  const bool errs = support::this_rank() == support::all_ranks() - 1 && loop.id().size() > 0;
  if (errs) wrong[0] = std::numeric_limits<double>::quiet_NaN();
  loop.x().assign(wrong);
  support::expect_error(hgrid::ErrorCode::nonfinite, [&] {
    loop.list().update(loop.x(), loop.r(), loop.id(), hgrid::Field{loop.v(), 3}, loop.array());
  });
  loop.x().assign(x);
  EXPECT_TRUE(support::everywhere(loop.springs() == before));
  for (int step = 0; step < 20; ++step, loop.move()) {
    loop.update(), loop.stretch();
    const support::Springs expected = loop.gas().springs_of_one();
    ASSERT_TRUE(support::everywhere(loop.springs() == expected)) << step;
  }
}

TEST(TimeLoopOnADevice, SpringsFollowParticlesThatAreSortedAndRemoved) {
  const LockstepExec exec(3);
  Loop loop(exec, 150, true, 7);
  for (int step = 0; step < 30; ++step, loop.move()) loop.update(), loop.stretch();
  const std::vector<std::int64_t> id = loop.id().on_host();
  const std::int64_t removed = support::gathered(id).front();
  support::Springs expected = loop.springs();
  std::erase_if(expected, [&](const support::SpringOf& s) { return s.contact.i == removed || s.contact.j == removed; });
  ASSERT_GT(expected.size(), 20U);
  const std::vector<double> x = loop.x().on_host(), r = loop.r().on_host(), v = loop.v().on_host();
  std::vector<double> new_x, new_r, new_v;
  std::vector<std::int64_t> new_id;
  for (std::size_t i = id.size(); i-- > 0;) {
    if (id[i] == removed) continue;
    new_id.push_back(id[i]), new_r.push_back(r[i]);
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) new_x.push_back(x[k]), new_v.push_back(v[k]);
  }
  loop.x().assign(new_x), loop.r().assign(new_r), loop.v().assign(new_v), loop.id().assign(new_id);
  loop.list().build(loop.x(), loop.r(), loop.id(), hgrid::Field{loop.v(), 3}, loop.array());
  EXPECT_TRUE(support::everywhere(loop.springs() == expected));
}

// Values of three bytes, and some that have missed a build.
TEST(TimeLoopOnADevice, ValuesThatMissedABuildAreStale) {
  const LockstepExec exec(3);
  Loop loop(exec, 150, true, 8);
  using Bytes = std::array<char, 3>;
  hgrid::DistributedPairArray<Bytes, LockstepExec> late(exec, Bytes{7, 8, 9});
  const auto build = [&](auto&... arrays) {
    loop.list().build(loop.x(), loop.r(), loop.id(), hgrid::Field{loop.v(), 3}, arrays...);
  };
  const auto values = [&] { return support::copied(exec, late.data(), late.size()); };
  build(loop.array(), late);
  EXPECT_EQ(late.size(), loop.list().size());
  EXPECT_EQ(values(), std::vector<Bytes>(values().size(), Bytes{7, 8, 9}));
  std::vector<Bytes> own;
  for (std::size_t k = 0; k < values().size(); ++k) own.push_back({static_cast<char>(k % 100), 1, 2});
  exec.copy_in(late.data(), static_cast<const Bytes*>(own.data()), late.size());
  build(late);
  EXPECT_EQ(values(), own);  // nothing has moved, so contacts are where they were
  support::expect_error(hgrid::ErrorCode::stale, [&] { build(loop.array()); });
}

}  // namespace
