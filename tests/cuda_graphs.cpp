// SPDX-License-Identifier: BSD-3-Clause
// CUDA graphs of builds and lists: later builds that change memory under them, and calls that cannot be captured.
#include <algorithm>

#include "hgrid/queries.hpp"
#include "support/captured_builds.hpp"

namespace {

using hgrid::ErrorCode;
using support::expect_error;
using support::host_pairs;
using support::random_system;
using support::scaled;
using support::System;
using support::view_of;

class CudaGraphs : public support::CapturedBuilds {
 protected:
  void capture_a_step_that_works() {
    ASSERT_NO_FATAL_FAILURE(capture_step());
    replay();
    grid->wait(*list);
    ASSERT_EQ(as_read(*list), expected);
  }
};

// Growth of the scratch memory that all copies of an executor share does not free memory that a captured graph uses.
TEST_F(CudaGraphs, OutliveScratchThatGrows) {
  const System large = random_system(scaled(100000), 10, true);
  ASSERT_NO_FATAL_FAILURE(capture_step());
  {
    const auto many = support::placed(*exec, view_of(large));
    hgrid::Grid<hgrid::CudaExec, 3> other(*exec, large.box);
    other.build(many.view());
    auto pairs = other.make_pairs();
    other.find(pairs, {.order = hgrid::Order::sorted});
    EXPECT_EQ(as_read(pairs), host_pairs(large));
  }
  replay();
  grid->wait(*list);
  EXPECT_EQ(as_read(*list), expected);
}

TEST_F(CudaGraphs, RefuseToGrow) {
  System more = random_system(scaled(8000), 10, true);
  more.box = small.box;
  const auto many = support::placed(*exec, view_of(more));
  ASSERT_NO_FATAL_FAILURE(capture([&] { expect_error(ErrorCode::reentrancy, [&] { grid->build(many.view()); }); }));
  grid->find(*list);
  EXPECT_EQ(as_read(*list), expected) << "the grid is as it was";
}

// A call that has to read back throws before anything is captured, and the capture continues.
TEST_F(CudaGraphs, RefuseToWait) {
  hgrid::Grid<hgrid::CudaExec, 3> fresh(*exec, small.box);
  capture([&] {
    expect_error(ErrorCode::reentrancy, [&] { fresh.build(there->view()); });
    expect_error(ErrorCode::reentrancy, [&] { grid->build(there->view(), {.check_now = true}); });
    hgrid::Box3 larger = small.box;
    larger.hi[0] += 1;
    for (const auto& box : {larger, hgrid::sheared(small.box, 0.1)}) {
      grid->set_box(box);
      expect_error(ErrorCode::reentrancy, [&] { grid->build(there->view()); });
    }
    grid->set_box(small.box);
    expect_error(ErrorCode::reentrancy, [&] { grid->check(); });
    expect_error(ErrorCode::reentrancy, [&] { grid->count(); });
    grid->build(there->view());
    grid->enqueue(*list);
  });
  ASSERT_FALSE(HasFatalFailure());
  replay();
  grid->wait(*list);
  EXPECT_EQ(as_read(*list), expected);
}

// A build with a new plan changes the levels under a graph: its replay builds nothing, and reports it.
TEST_F(CudaGraphs, NoticeAnotherPlan) {
  ASSERT_NO_FATAL_FAILURE(capture_a_step_that_works());
  System coarser = small;
  for (double& r : coarser.r) r = r < 2 ? 2 : r;
  const auto changed = support::placed(*exec, view_of(coarser));
  grid->plan_again();
  grid->build(changed.view());
  grid->find(*list, {.order = hgrid::Order::sorted});
  EXPECT_EQ(as_read(*list), host_pairs(coarser));
  replay();
  expect_error(ErrorCode::stale, [&] { grid->check(); });
  expect_error(ErrorCode::not_built, [&] { grid->count(); });
  grid->build(changed.view());
  grid->find(*list, {.order = hgrid::Order::sorted});
  EXPECT_EQ(as_read(*list), host_pairs(coarser)) << "the grid is as usable as before";
}

// A list that the host fills with more than it had room for has other memory. The older graph writes to the old memory, and the
// list ignores it.
TEST_F(CudaGraphs, OfAListThatHasGrownAreHarmless) {
  System closer = small;
  for (double& x : closer.x) x *= 0.7;
  auto half = grid->make_list(hgrid::ListKind::half);
  grid->find(half);
  ASSERT_NO_FATAL_FAILURE(capture([&] {
    grid->build(there->view());
    grid->enqueue(*list);
    grid->enqueue(half);
  }));
  replay();
  const auto other = support::placed(*exec, view_of(closer));
  const hgrid::offset_t before = list->capacity();
  grid->build(other.view());
  grid->find(*list), grid->find(half);
  ASSERT_GT(list->capacity(), before);
  const auto listed = [&] {
    std::vector<hgrid::Pair> pairs = as_read(*list);
    std::sort(pairs.begin(), pairs.end(),
              [](const auto& a, const auto& b) { return std::pair(a.i, a.j) < std::pair(b.i, b.j); });
    return pairs;
  };
  for (int k = 0; k < 2; ++k) replay();
  EXPECT_EQ(listed(), host_pairs(closer)) << "of the last list";
  grid->enqueue(*list), grid->enqueue(half);  // from the grid, which the graph has built
  replay();                                   // the numbers that it finds differ from the numbers in the lists
  grid->wait(*list), grid->wait(half);
  EXPECT_EQ(listed(), host_pairs(small));
  EXPECT_EQ(half.size(), list->size());
  exec->forget_graphs();
}

// Captures regions in a graph, and replays it for other regions in the same memory. Bad regions, and more entries than have
// room, are reported.
TEST_F(CudaGraphs, HoldRegions) {
  auto list = grid->make_list(hgrid::ListKind::full), other = grid->make_list(hgrid::ListKind::full);
  using Region = hgrid::Region<3>;
  const auto middle = [&](double size) {
    Region r{};
    for (int k = 0; k < 3; ++k) {
      r.lo[k] = 0.5 * (small.box.lo[k] + small.box.hi[k] - size);
      r.hi[k] = r.lo[k] + size;
    }
    return r;
  };
  std::vector<Region> regions{middle(2), middle(0), middle(5)};
  hgrid::CudaExec::Buffer<Region> there_too(*exec, 3);
  const auto put = [&](double a, double b, double c) {
    regions = {middle(a), middle(b), middle(c)};
    exec->copy_in(there_too.data(), regions.data(), 3);
  };
  const auto rows_of = [&](const auto& rows) {
    return std::pair(support::copied(*exec, rows.neighbours(), rows.size()), support::copied(*exec, rows.offsets(), 4));
  };
  const hgrid::Regions asker{there_too.data(), 3};
  put(2, 0, 5);
  grid->find(list, asker);
  capture([&] { grid->enqueue(list, asker); });
  ASSERT_FALSE(HasFatalFailure());
  for (const double size : {3.0, 1.0, 40.0}) {
    put(1, size, 2);
    replay();
    const bool has_room = exec->read_back(list.found()) <= list.capacity();
    EXPECT_EQ(has_room, size < 40);
    grid->wait(list, asker), grid->find(other, asker);
    EXPECT_EQ(rows_of(list), rows_of(other));
    EXPECT_GT(list.size(), 0);
  }
  put(1, NAN, 2);
  grid->enqueue(list, asker);
  EXPECT_EQ(exec->read_back(list.found()), -1);
  EXPECT_EQ(exec->read_back(list.offsets() + 3), 0);
  expect_error(ErrorCode::nonfinite, [&] { grid->wait(list, asker); });
}

// Captures all lists in one graph, and replays it for other particles in the same memory. Lists that lack room then are
// reported.
TEST_F(CudaGraphs, HoldListsOfAllKinds) {
  System closer = small;
  for (double& x : closer.x) x *= 0.995;
  auto half = grid->make_list(hgrid::ListKind::half), full = grid->make_list(hgrid::ListKind::full);
  auto in_order = grid->make_pairs();
  const hgrid::offset_t n = small.size(), width = 300;
  hgrid::CudaExec::Buffer<std::int32_t> ids(*exec, n * width), counts(*exec, n);
  hgrid::CudaExec::Buffer<hgrid::Image> images(*exec, n * width);
  hgrid::CudaExec::Buffer<hgrid::offset_t> longest(*exec, 1);
  const hgrid::NeighbourMatrix<std::int32_t> matrix{ids.data(), n, width, counts.data(), images.data()};
  const auto list_all = [&] { grid->find(half), grid->find(full), grid->find(in_order, {.order = hgrid::Order::sorted}); };
  list_all();
  grid->find(matrix);
  ASSERT_NO_FATAL_FAILURE(capture([&] {
    grid->build(there->view());
    grid->enqueue(half);
    grid->enqueue(full);
    grid->enqueue(in_order, {.order = hgrid::Order::sorted});
    grid->enqueue(matrix, longest.data());
  }));
  for (const System* now : std::initializer_list<const System*>{&small, &closer, &small}) {
    put(*now);
    replay();
    EXPECT_EQ(exec->read_back(half.found()) * 2, exec->read_back(full.found()));
    ASSERT_LE(exec->read_back(full.found()), full.capacity());
    const hgrid::offset_t most = exec->read_back(longest.data());
    grid->wait(half), grid->wait(full), grid->wait(in_order);
    const std::vector<hgrid::Pair> pairs = host_pairs(*now);
    EXPECT_EQ(as_read(in_order), pairs);
    EXPECT_EQ(half.size(), static_cast<hgrid::offset_t>(pairs.size()));
    EXPECT_EQ(support::as_listed(*exec, half), support::as_listed(*exec, in_order));
    EXPECT_EQ(full.size(), 2 * half.size());
    const auto count = support::copied(*exec, counts.data(), n);
    const auto offsets = support::copied(*exec, full.offsets(), n + 1);
    std::int32_t largest = 0;
    for (hgrid::offset_t i = 0; i < n; ++i) {
      ASSERT_EQ(count[i], offsets[i + 1] - offsets[i]) << i;
      largest = std::max(largest, count[i]);
    }
    EXPECT_EQ(most, largest);
  }
}

// A graph does not follow a box that was sheared since, though the levels are the same.
TEST_F(CudaGraphs, NoticeAnotherBox) {
  ASSERT_NO_FATAL_FAILURE(capture_a_step_that_works());
  System sheared = small;
  sheared.box = hgrid::sheared(small.box, 0.3);
  grid->set_box(sheared.box);
  grid->build(there->view());
  grid->find(*list, {.order = hgrid::Order::sorted});
  EXPECT_EQ(as_read(*list), host_pairs(sheared));
  replay();
  expect_error(ErrorCode::stale, [&] { grid->check(); });
}

}  // namespace
