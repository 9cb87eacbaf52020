// SPDX-License-Identifier: BSD-3-Clause
// Lack of memory on one rank is an error on all. Also: steps take no memory and no blocking collective.
#include "support/counting_new.hpp"

#include "ranks/rank_errors.hpp"

namespace {

using support::blocking, support::RankErrors;

TEST_F(RankErrors, OfMemoryInTheLocalGridAreThrownByAll) {
  auto& allocations = support::Allocations::get();
  auto more = share;  // for which there is no room yet
  for (int copies = 0; copies < 3; ++copies) {
    for (std::size_t i = 0; i < share.id.size(); ++i) {
      more.add({.x = {share.x[3 * i], share.x[3 * i + 1], share.x[3 * i + 2]}, .radius = 0},
               1'000'000 + 10'000 * copies + share.id[i]);
    }
  }
  if (errs) allocations.only_buffers = true, allocations.fail_at = allocations.count.load();
  const Thrown error = thrown([&] { grid.build(more.x, more.r, more.id, {.skin = 0.01}); });
  allocations.fail_at = -1, allocations.only_buffers = false;
  EXPECT_TRUE(support::everywhere(error.code == static_cast<int>(ErrorCode::out_of_memory))) << error.code;
  // On one rank, where no ghosts have come, the grid is as it was.
  EXPECT_EQ(thrown([&] { grid.for_each_contact([](auto...) {}); }).code,
            last == 0 ? -1 : static_cast<int>(ErrorCode::not_built));
  build();
  expect_as_before();
}

// Each buffer in turn finds no memory on one rank, including the buffers for particles and ghosts that come.
TEST_F(RankErrors, OfMemoryForMessagesAreThrownByAll) {
  auto& allocations = support::Allocations::get();
  int failures = 0;
  std::int64_t k = 0;  // allocations before the one that fails
  for (int fails = 1; fails != 0;) {
    Grid fresh(hgrid::SerialExec{}, support::box_of<3>(system), MPI_COMM_WORLD);
    auto there = support::share_of<double, 3>(system, 2);
    fresh.rebalance(there.x, there.r);
    const auto both = [&] {
      fresh.migrate(there.x, there.r, there.id);
      fresh.build(there.x, there.r, there.id, {.skin = 0.01});
    };
    const std::int64_t refused = allocations.refused, first = allocations.count;
    if (errs) allocations.only_buffers = true, allocations.fail_at = first + k;
    const Thrown error = thrown(both);
    allocations.fail_at = -1, allocations.only_buffers = false;
    fails = allocations.refused > refused ? 1 : 0;
    if (fails != 0) k = allocations.last - first + 1;
    MPI_Allreduce(MPI_IN_PLACE, &fails, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_TRUE(support::everywhere(error.code == (fails != 0 ? static_cast<int>(ErrorCode::out_of_memory) : -1)))
        << k << ": " << error.code;
    both();
    EXPECT_TRUE(support::everywhere(support::contacts_of_ranks(fresh) == before)) << k;
    failures += fails;
  }
  EXPECT_GT(failures, 5);
}

// Each buffer in turn finds no memory on one rank.
TEST_F(RankErrors, OfMemoryForListsOfAnotherSetAreThrownByAll) {
  Grid others(hgrid::SerialExec{}, grid.box(), MPI_COMM_WORLD);
  others.take_cuts(grid);
  others.build(share.x, share.r, share.id);
  hgrid::GlobalNeighbours expected;
  hgrid::DistributedQueries(grid).find(others, expected);
  auto& allocations = support::Allocations::get();
  int failures = 0;
  std::int64_t k = 0;  // allocations before the one that fails
  for (int fails = 1; fails != 0;) {
    hgrid::DistributedQueries queries(grid);
    hgrid::GlobalNeighbours found;
    const std::int64_t refused = allocations.refused, first = allocations.count;
    if (errs) allocations.only_buffers = true, allocations.fail_at = first + k;
    const Thrown error = thrown([&] { queries.find(others, found); });
    allocations.fail_at = -1, allocations.only_buffers = false;
    fails = allocations.refused > refused ? 1 : 0;
    if (fails != 0) k = allocations.last - first + 1;
    MPI_Allreduce(MPI_IN_PLACE, &fails, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_TRUE(support::everywhere(error.code == (fails != 0 ? static_cast<int>(ErrorCode::out_of_memory) : -1)))
        << k << ": " << error.code;
    EXPECT_TRUE(support::everywhere(fails != 0 ? found.offsets.empty() : found.ids == expected.ids));
    failures += fails;
  }
  EXPECT_GT(failures, 0);
}

TEST_F(RankErrors, StepsTakeNoMemoryAndDoNotWaitForAll) {
  std::vector<double> x = share.x, f(static_cast<std::size_t>(3 * grid.held()));
  auto pairs = grid.make_pairs();
  const auto step = [&] {
    build();
    grid.find(pairs);
    grid.update(hgrid::Field{x, 3});
    grid.add_back(hgrid::Field{f, 3});
  };
  for (int k = 0; k < 3; ++k) step();
  const int waits = blocking;
  const std::int64_t taken = support::Allocations::get().count;
  for (int k = 0; k < 20; ++k) step();
  const std::int64_t more = support::Allocations::get().count - taken;
  EXPECT_EQ(blocking, waits);
  EXPECT_TRUE(support::everywhere(more == 0)) << more;
}

TEST_F(RankErrors, AListThatStandsTakesNoMemoryAndCallsNothingThatWaitsForAll) {
  hgrid::DistributedVerletList list(grid, {.skin = 0.01});
  hgrid::DistributedPairArray<double> values;
  const auto step = [&] { return list.update(share.x, share.r, share.id, values); };
  EXPECT_TRUE(step());
  EXPECT_FALSE(step());
  const int waits = blocking;
  const std::int64_t taken = support::Allocations::get().count;
  int builds = 0;
  for (int k = 0; k < 20; ++k) builds += step();
  const std::int64_t more = support::Allocations::get().count - taken;
  EXPECT_EQ(builds, 0);
  EXPECT_EQ(blocking, waits);
  EXPECT_TRUE(support::everywhere(more == 0)) << more;
}

}  // namespace
