// SPDX-License-Identifier: BSD-3-Clause
// What goes wrong on one rank is heard on all, and nobody waits for ever. Also: steps take no memory and no blocking
// collective.
#include "support/counting_new.hpp"

#include <functional>
#include <limits>
#include <stdexcept>

#include "ranks/shared_system.hpp"
#include "support/packings.hpp"

namespace {

using hgrid::ErrorCode;
using Grid = hgrid::DistributedGrid<hgrid::SerialExec, 3>;

using support::blocking;

}  // namespace

// MPI's profiling interface: the program's functions come before the library's.
extern "C" {
int MPI_Allreduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++blocking;
  return PMPI_Allreduce(from, to, n, type, op, comm);
}
int MPI_Barrier(MPI_Comm comm) {
  ++blocking;
  return PMPI_Barrier(comm);
}
int MPI_Alltoall(const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype other, MPI_Comm comm) {
  ++blocking;
  return PMPI_Alltoall(from, n, type, to, m, other, comm);
}
int MPI_Allgather(const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype other, MPI_Comm comm) {
  ++blocking;
  return PMPI_Allgather(from, n, type, to, m, other, comm);
}
}

namespace {

/// A packing that is shared out, on a grid that is built, and the last rank, which errs.
class RankErrors : public ::testing::Test {
 protected:
  RankErrors() {
    grid.rebalance(share.x, share.r);
    grid.migrate(share.x, share.r, share.id);
    build();
    before = support::contacts_of_ranks(grid);
  }

  void build() { grid.build(share.x, share.r, share.id, {.skin = 0.01}); }

  /// The code that a call throws on this rank, and the index that it names.
  struct Thrown {
    int code = -1;
    std::int64_t index = -1;
    std::string argument;
  };
  static Thrown thrown(const std::function<void()>& call) {
    try {
      call();
      return {};
    } catch (const hgrid::Error& e) {
      return {static_cast<int>(e.code()), e.detail().index, e.detail().argument};
    }
  }

  /// The erring rank throws its own error, with the index, and the others one that names the rank.
  void expect_everywhere(ErrorCode code, std::int64_t index, const std::function<void()>& call) {
    const Thrown error = thrown(call);
    const bool right =
        error.code == static_cast<int>(code) && (errs ? error.index == index : error.index == last && error.argument == "rank");
    EXPECT_TRUE(support::everywhere(right)) << "rank " << support::this_rank() << ": " << error.code << ", " << error.index;
  }

  void expect_as_before() { EXPECT_TRUE(support::everywhere(support::contacts_of_ranks(grid) == before)); }

  const int last = support::all_ranks() - 1;
  const bool errs = support::this_rank() == last;
  const oracle::System system = support::polydisperse(2000, 3, true);
  support::Share<double, 3> share = support::share_of<double, 3>(system, 2);
  Grid grid{hgrid::SerialExec{}, support::box_of<3>(system), MPI_COMM_WORLD};
  support::Contacts before;
};

TEST_F(RankErrors, OfParticlesLeaveAllGridsAsTheyWere) {
  auto wrong = share;
  if (errs) wrong.x[3 * 7 + 1] = std::numeric_limits<double>::quiet_NaN();
  expect_everywhere(ErrorCode::nonfinite, 7, [&] { grid.build(wrong.x, wrong.r, wrong.id); });
  expect_as_before();
  expect_everywhere(ErrorCode::nonfinite, 7, [&] { grid.rebalance(wrong.x, wrong.r); });
  expect_as_before();
  auto moved = wrong;
  expect_everywhere(ErrorCode::nonfinite, 7, [&] { grid.migrate(moved.x, moved.r, moved.id); });
  EXPECT_TRUE(support::everywhere(moved.id == share.id));
  wrong = share;
  if (errs) wrong.id[5] = -3;
  expect_everywhere(ErrorCode::range_error, 5, [&] { grid.build(wrong.x, wrong.r, wrong.id); });
  wrong = share;
  if (errs) wrong.id.pop_back();
  expect_everywhere(ErrorCode::size_mismatch, -1, [&] { grid.build(wrong.x, wrong.r, wrong.id); });
  expect_as_before();
  build();
  expect_as_before();
}

TEST_F(RankErrors, OfFieldsMoveNothing) {
  std::vector<int> colour(share.id.size() + (errs ? 1 : 0), 1);
  auto moved = share;
  expect_everywhere(ErrorCode::size_mismatch, -1, [&] { grid.migrate(moved.x, moved.r, moved.id, colour); });
  EXPECT_TRUE(support::everywhere(moved.id == share.id && moved.x == share.x));
  expect_as_before();
}

TEST_F(RankErrors, ArgumentsThatDifferAreFound) {
  if (last == 0) return;
  const auto expect = [&](const std::function<void()>& call) {
    EXPECT_TRUE(support::everywhere(thrown(call).code == static_cast<int>(ErrorCode::invalid_argument)));
  };
  expect([&] { grid.build(share.x, share.r, share.id, {.skin = errs ? 0.02 : 0.01}); });
  expect_as_before();
  expect([&] {
    if (errs) {
      grid.rebalance(share.x, share.r);
    } else {
      grid.build(share.x, share.r, share.id);
    }
  });
  expect_as_before();
}

TEST_F(RankErrors, OfAStepReachAllByTheNextCall) {
  for (const bool forward : {true, false}) {
    std::vector<double> field(static_cast<std::size_t>(3 * grid.held()));
    if (errs) field.pop_back();
    const auto step = [&] { forward ? grid.update(hgrid::Field{field, 3}) : grid.add_back(hgrid::Field{field, 3}); };
    int code = thrown(step).code;
    if (code < 0) code = thrown([&] { grid.check(); }).code;
    EXPECT_TRUE(support::everywhere(code == static_cast<int>(ErrorCode::size_mismatch))) << code;
    build();
    expect_as_before();
  }
}

TEST_F(RankErrors, WidthsThatDifferAreFound) {
  if (last == 0) return;
  for (const std::size_t width : {std::size_t{1}, std::size_t{2000}}) {  // in messages that are sent at once, and that wait
    std::vector<double> field(static_cast<std::size_t>(grid.owned()) * (errs ? 2 * width : width));
    int code = thrown([&] { grid.update(hgrid::Field{field, errs ? 2 * width : width}); }).code;
    if (code < 0) code = thrown([&] { grid.check(); }).code;
    EXPECT_TRUE(support::everywhere(code == static_cast<int>(ErrorCode::invalid_argument))) << code;
    build();
  }
}

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

TEST_F(RankErrors, AnExceptionOfOneRankEndsTheGridOnAll) {
  for (int call = 0; call < 6; ++call) {
    std::string what;
    try {
      Grid shared(hgrid::SerialExec{}, support::box_of<3>(system), MPI_COMM_WORLD);
      shared.rebalance(share.x, share.r);
      shared.build(share.x, share.r, share.id);
      std::vector<double> field(static_cast<std::size_t>(300 * shared.held()));
      shared.update(hgrid::Field{field, 300});
      if (errs) throw std::runtime_error("of the user's own");
      if (call == 0) shared.build(share.x, share.r, share.id);
      if (call == 1) shared.update(hgrid::Field{field, 300});
      if (call == 2) shared.add_back(hgrid::Field{field, 300});
      if (call == 3) shared.rebalance(share.x, share.r);
      if (call == 4) {
        auto moved = share;
        shared.migrate(moved.x, moved.r, moved.id);
      }
      if (call < 5) shared.check();
    } catch (const std::exception& e) {
      what = e.what();
    }
    const char* expected = errs ? "of the user's own" : call == 5 ? "" : "stopped: rank";
    EXPECT_TRUE(support::everywhere(what.starts_with(expected) && what.empty() == (*expected == 0))) << call << ": " << what;
  }
  expect_as_before();  // other grids go on
}

TEST_F(RankErrors, GridsEndWhereAllRanksThrow) {
  const Thrown error = thrown([&] {
    Grid shared(hgrid::SerialExec{}, support::box_of<3>(system), MPI_COMM_WORLD);
    auto wrong = share;
    if (errs) wrong.r[0] = -1;
    shared.rebalance(wrong.x, wrong.r);
  });
  EXPECT_EQ(error.code, static_cast<int>(ErrorCode::negative_radius));
  expect_as_before();
}

TEST_F(RankErrors, SpaceIsCutFirst) {
  if (last == 0) return;
  Grid uncut(hgrid::SerialExec{}, support::box_of<3>(system), MPI_COMM_WORLD);
  const auto not_built = static_cast<int>(ErrorCode::not_built);
  EXPECT_EQ(thrown([&] { uncut.build(share.x, share.r, share.id); }).code, not_built);
  EXPECT_EQ(thrown([&] { uncut.update(share.id); }).code, not_built);
  EXPECT_TRUE(uncut.boxes().empty());
}

TEST_F(RankErrors, WhatRanksCannotDoIsRefused) {
  const auto unsupported = static_cast<int>(ErrorCode::unsupported);
  const auto tilted = hgrid::tilted(support::box_of<3>(system), {0.1, 0, 0});
  EXPECT_EQ(thrown([&] { Grid(hgrid::SerialExec{}, tilted, MPI_COMM_WORLD); }).code, unsupported);
  EXPECT_EQ(thrown([&] { Grid(hgrid::SerialExec{}, grid.box(), MPI_COMM_WORLD, {.rule = hgrid::Rule::max}); }).code,
            unsupported);
  EXPECT_EQ(thrown([&] { Grid(hgrid::SerialExec{}, grid.box(), MPI_COMM_NULL); }).code,
            static_cast<int>(ErrorCode::invalid_argument));
}

TEST_F(RankErrors, MessagesAreCut) {
  const std::size_t usual = std::exchange(hgrid::detail::most_message_bytes, 100);
  grid.rebalance(share.x, share.r);
  grid.migrate(share.x, share.r, share.id);
  build();
  expect_as_before();
  std::vector<double> x = share.x;
  grid.update(hgrid::Field{x, 3});
  bool same = true;
  for (std::size_t k = 0; k < x.size(); ++k) same = same && x[k] == grid.positions()[k];
  EXPECT_TRUE(support::everywhere(same));
  hgrid::detail::most_message_bytes = usual;
}

TEST_F(RankErrors, StepsTakeNoMemoryAndDoNotWaitForAll) {
  std::vector<double> x = share.x, f(static_cast<std::size_t>(3 * grid.held()));
  auto pairs = grid.make_pairs();
  const auto step = [&] {
    build();
    grid.pairs(pairs);
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
