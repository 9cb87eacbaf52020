// SPDX-License-Identifier: BSD-3-Clause
// Errors on one rank reach all ranks, and no rank waits for ever.
#include <limits>
#include <stdexcept>

#include "ranks/rank_errors.hpp"

using support::blocking, support::RankErrors;

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

TEST_F(RankErrors, OfLabelsLeaveAllGridsAsTheyWere) {
  using Labels = hgrid::RankLabels<hgrid::SerialExec>;
  std::vector<hgrid::index_t> groups(share.id.size() + (errs ? 1 : 0)), types(share.id.size());
  const std::vector<double> cutoffs(4, 0.01);
  const std::vector<std::int64_t> partners(2 * share.id.size(), -1);
  const auto build_with = [&](const Labels& labels) {
    return [&, labels] { grid.build(share.x, share.r, share.id, {.skin = 0.01}, labels); };
  };
  expect_everywhere(ErrorCode::size_mismatch, -1, build_with({.groups = &groups}));
  expect_everywhere(ErrorCode::size_mismatch, -1, build_with({.partners = &partners, .partners_each = errs ? 1 : 2}));
  if (errs) types[9] = 2;
  expect_everywhere(ErrorCode::range_error, 9, build_with({.types = &types, .cutoffs = &cutoffs, .type_count = 2}));
  const auto invalid = static_cast<int>(ErrorCode::invalid_argument);
  EXPECT_TRUE(support::everywhere(thrown(build_with({.types = &types})).code == invalid));
  if (last > 0) {  // on one rank only
    EXPECT_TRUE(
        support::everywhere(thrown(build_with({.partners = errs ? &partners : nullptr, .partners_each = 2})).code == invalid));
  }
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
  Grid gathers(hgrid::SerialExec{}, grid.box(), MPI_COMM_WORLD, {.rule = hgrid::Rule::gather});
  gathers.take_cuts(grid);
  gathers.build(share.x, share.r, share.id);
  auto pairs = grid.make_pairs();
  EXPECT_EQ(thrown([&] { gathers.make_pairs(); }).code, unsupported);
  EXPECT_EQ(thrown([&] { gathers.find(pairs); }).code, unsupported);
  EXPECT_EQ(thrown([&] { hgrid::DistributedQueries(gathers).find(gathers); }).code, unsupported);
  EXPECT_EQ(thrown([&] { hgrid::DistributedVerletList(gathers, {.skin = 0.1}); }).code, unsupported);
  EXPECT_EQ(thrown([&] { Grid(hgrid::SerialExec{}, grid.box(), MPI_COMM_NULL); }).code,
            static_cast<int>(ErrorCode::invalid_argument));
}

TEST_F(RankErrors, OfBoxesLeaveAllGridsAsTheyWere) {
  const hgrid::Box3 box = grid.box();
  EXPECT_EQ(thrown([&] {
              grid.set_box(hgrid::Box3::periodic({1, 1, 1}, {0, 0, 0}));
            }).code,
            static_cast<int>(ErrorCode::invalid_box));
  expect_as_before();
  grid.set_box(hgrid::tilted(box, {errs ? 0.1 : 0, 0, 0}));
  if (last > 0) {
    EXPECT_TRUE(support::everywhere(thrown([&] { build(); }).code == static_cast<int>(ErrorCode::invalid_argument)));
    expect_as_before();
  }
  grid.set_box(hgrid::sheared(box, 0.1, 1, 0));
  std::vector<double> half(3 * share.id.size(), 0.01);
  const int unsupported = thrown([&] { grid.build(share.x, hgrid::Field{half, 3}, share.id); }).code;
  EXPECT_TRUE(support::everywhere(unsupported == static_cast<int>(ErrorCode::unsupported))) << unsupported;
  expect_as_before();
  grid.set_box(box);
  build();
  expect_as_before();
  grid.set_box(hgrid::Box3::periodic(box.lo, box.hi, {true, true, false}));
  const int code = last > 0 ? static_cast<int>(ErrorCode::not_built) : -1;
  EXPECT_TRUE(support::everywhere(thrown([&] { build(); }).code == code)) << "cuts are of a box that is periodic in z";
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

}  // namespace
