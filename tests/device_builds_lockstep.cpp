// SPDX-License-Identifier: BSD-3-Clause
// Contract C7 on a device: builds that do not wait, bad input, and particles that drift.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hgrid/grid.hpp"
#include "support/lockstep_exec.hpp"

namespace {

using hgrid::ErrorCode;

struct CloudOfSize {
  std::vector<double> x, r;
  explicit CloudOfSize(double size) {
    support::Random random(5);
    for (int i = 0; i < 1500; ++i) {
      for (int k = 0; k < 3; ++k) x.push_back(random.real(0, size));
      r.push_back(random.real(0.2, 0.5));
    }
  }
  hgrid::Particles<double, 3> view() const { return hgrid::particles<3>(x.data(), r.data(), 1500); }
};

template <class F>
ErrorCode code_of(F&& f) {
  try {
    f();
  } catch (const hgrid::Error& e) {
    return e.code();
  }
  return ErrorCode::io;  // none
}

class DeviceBuilds : public ::testing::Test {
 protected:
  DeviceBuilds() { bad.x[100] = NAN; }
  const CloudOfSize good{10};
  CloudOfSize bad{10};
  hgrid::Grid<support::LockstepExec, 3> grid{support::LockstepExec(1)};
};

TEST_F(DeviceBuilds, BadInputIsThrownByTheNextReadBack) {
  grid.build(good.view());
  const hgrid::offset_t contacts = grid.count();
  grid.build(bad.view());
  EXPECT_EQ(code_of([&] { grid.count(); }), ErrorCode::nonfinite);
  EXPECT_EQ(code_of([&] { grid.count(); }), ErrorCode::not_built);
  grid.build(good.view());
  EXPECT_EQ(grid.count(), contacts);
}

// Exclusions are inspected with the particles: their errors are reported as late, once, and by the build if it waits.
TEST_F(DeviceBuilds, BadExclusionsAreThrownByTheNextReadBack) {
  auto view = good.view();
  grid.build(view);
  const hgrid::offset_t contacts = grid.count();
  hgrid::Pair pairs[] = {{0, 1}, {7, 1500}, {7, 3}};
  view.exclusions = hgrid::Exclusions::in_pairs(pairs, 3);
  EXPECT_EQ(code_of([&] { grid.build(view, {.check_now = true}); }), ErrorCode::range_error);
  EXPECT_EQ(grid.count(), contacts) << "the grid was as before";
  grid.build(view);  // grows, so it waits for memory only
  EXPECT_EQ(code_of([&] { grid.count(); }), ErrorCode::range_error);
  EXPECT_EQ(code_of([&] { grid.count(); }), ErrorCode::not_built);
  pairs[1].j = 4;
  grid.build(view);
  EXPECT_EQ(code_of([&] { grid.check(); }), ErrorCode::invalid_argument);
  pairs[1].j = 3;
  grid.build(view);
  EXPECT_GT(grid.count(), 0);
  std::vector<hgrid::offset_t> begin(1501, 0);
  const hgrid::index_t ids[] = {3};
  begin[1500] = 1, begin[800] = -1;
  view.exclusions = hgrid::Exclusions::in_lists(begin.data(), ids, 1);
  grid.build(view);
  EXPECT_EQ(code_of([&] { grid.check(); }), ErrorCode::invalid_argument);
  begin[800] = 0;
  grid.build(view);
  EXPECT_GT(grid.count(), 0);
}

// A replayed graph runs the stage of a build with another plan than the grid's.
TEST_F(DeviceBuilds, AReplayUnderAnotherPlanIsBadInput) {
  const auto inspected = hgrid::detail::InputSummary<3>::identity();
  hgrid::detail::SeenInput<3> seen{inspected, inspected, 7, 1};
  double radius_max = 1;
  hgrid::index_t level_begin = 1;
  hgrid::detail::AcceptInput<3>{&inspected, nullptr, nullptr, nullptr, &seen, 7, 2, false, &radius_max, &level_begin}(0);
  EXPECT_EQ(seen.last.bad + seen.first_bad.bad, 0);
  EXPECT_EQ(seen.build, 2u);
  EXPECT_EQ(radius_max + level_begin, 0);  // the levels are empty
  hgrid::detail::AcceptInput<3>{&inspected, nullptr, nullptr, nullptr, &seen, 6, 3, false, &radius_max, &level_begin}(0);
  EXPECT_GT(seen.last.bad, 0);
  EXPECT_EQ(code_of([&] { hgrid::detail::throw_if_bad(seen.first_bad, hgrid::Box3::open(), 0); }), ErrorCode::stale);
}

TEST_F(DeviceBuilds, GenerationsTellBuildsAndPlansApart) {
  grid.build(good.view());
  const std::uint64_t first = grid.generation(), planned = grid.plan_generation();
  hgrid::Grid<support::LockstepExec, 3> other{support::LockstepExec(1)};
  other.build(good.view());
  EXPECT_NE(other.generation(), first);
  EXPECT_NE(other.plan_generation(), planned);
  grid.build(good.view());
  EXPECT_NE(grid.generation(), first);
  EXPECT_EQ(grid.plan_generation(), planned);
  grid.plan_again();
  grid.build(good.view());
  EXPECT_NE(grid.plan_generation(), planned);
}

// A graph that was captured before has other kernels.
TEST_F(DeviceBuilds, PlansAreOfParticlesThatTheHostKnows) {
  std::vector<hgrid::index_t> group(1500, 0);
  const std::vector<float> x(good.x.begin(), good.x.end()), r(good.r.begin(), good.r.end());
  auto fewer = good.view(), grouped = fewer, with_ghosts = fewer;
  fewer.count -= 100, grouped.group = group.data(), with_ghosts.owned = 1000;
  const auto another = [&](const auto& p, double skin) {
    grid.build(p, {.skin = skin});
    const std::uint64_t plan = grid.plan_generation();
    grid.build(p, {.skin = skin});
    EXPECT_EQ(grid.plan_generation(), plan);
    grid.build(good.view());
    return grid.plan_generation() != plan;
  };
  grid.build(good.view(), {.skin = 0.1});
  for (const auto& p : {fewer, grouped, with_ghosts}) grid.build(p);  // makes room
  EXPECT_FALSE(another(good.view(), 0));
  EXPECT_TRUE(another(good.view(), 0.01));
  for (const auto& p : {fewer, grouped, with_ghosts}) EXPECT_TRUE(another(p, 0));
  EXPECT_TRUE(another(hgrid::particles<3>(x.data(), r.data(), 1500), 0));
}

// The world of a bad particle may be gone when the error is reported; the boxes in a captured build are older than the grid's.
TEST_F(DeviceBuilds, BoxesOfWorldsThatAreGone) {
  std::vector<hgrid::index_t> world(1500);
  for (std::size_t i = 0; i < world.size(); ++i) world[i] = static_cast<hgrid::index_t>(i % 8);
  auto view = good.view();
  view.worlds = {world.data(), 8};
  const auto cube = hgrid::Box3::periodic({0, 0, 0}, {10, 10, 10});
  grid.set_boxes(std::vector<hgrid::Box3>(8, cube));
  grid.build(view);
  const auto plan = grid.plan_generation();
  grid.set_boxes(std::vector<hgrid::Box3>(8, hgrid::tilted(cube, {1, 0, 0})));
  grid.build(view);
  EXPECT_NE(grid.plan_generation(), plan);
  CloudOfSize wide{10};
  wide.r[7] = 40;
  auto bad_view = wide.view();
  bad_view.worlds = view.worlds;
  grid.build(bad_view);
  for (hgrid::index_t& w : world) w %= 2;
  view.worlds.count = 2;
  grid.set_boxes({cube, cube});
  grid.build(view);
  EXPECT_EQ(code_of([&] { grid.check(); }), ErrorCode::box_too_small);
}

TEST_F(DeviceBuilds, BadInputIsNotForgottenForTheGoodThatFollows) {
  grid.build(good.view());
  const hgrid::offset_t contacts = grid.count();
  grid.build(bad.view());
  grid.build(good.view());
  EXPECT_EQ(code_of([&] { grid.check(); }), ErrorCode::nonfinite);
  EXPECT_EQ(grid.count(), contacts) << "said once; the grid is that of the good build";
  grid.check();
}

TEST_F(DeviceBuilds, ARefusedBuildLeavesAnUncheckedOneAsItWas) {
  grid.build(good.view());
  const hgrid::offset_t contacts = grid.count();
  grid.build(good.view());  // not looked at yet
  EXPECT_EQ(code_of([&] { grid.build(bad.view(), {.check_now = true}); }), ErrorCode::nonfinite);
  EXPECT_EQ(grid.count(), contacts);
  grid.build(bad.view());
  EXPECT_EQ(code_of([&] { grid.build(bad.view(), {.check_now = true}); }), ErrorCode::nonfinite);
  EXPECT_EQ(code_of([&] { grid.count(); }), ErrorCode::nonfinite) << "the grid was still that of the bad build";
}

TEST_F(DeviceBuilds, DriftIsSeenByACheckAndPlannedForByTheNextBuild) {
  const CloudOfSize wide{200};
  grid.build(good.view());
  const double before = grid.plan().levels.level[0].cell_size[1] * grid.plan().levels.level[0].cells[1];
  grid.build(wide.view());  // does not wait, so it cannot throw
  EXPECT_EQ(before, grid.plan().levels.level[0].cell_size[1] * grid.plan().levels.level[0].cells[1]);
  grid.check();
  grid.build(wide.view());
  EXPECT_GT(grid.plan().levels.level[0].cell_size[1] * grid.plan().levels.level[0].cells[1], 10 * before);
}

// A build after the first, and a list by either way, can be captured: they neither wait nor allocate.
TEST(DeviceLoop, NeitherWaitsNorAllocates) {
  const CloudOfSize cloud(10);
  for (const auto mode : {hgrid::detail::ListMode::one_search, hgrid::detail::ListMode::count_scan_fill}) {
    for (const auto sort : {hgrid::SortKind::radix, hgrid::SortKind::counting}) {
      const support::LockstepExec exec(1, mode);
      hgrid::Grid<support::LockstepExec, 3> grid(exec, hgrid::Box3::open(), {.sort = sort});
      auto list = grid.make_pairs(), in_order = grid.make_pairs();
      auto half = grid.make_list(hgrid::ListKind::half), full = grid.make_list(hgrid::ListKind::full);
      std::vector<std::int32_t> ids(1500 * 100);
      const hgrid::NeighbourMatrix<std::int32_t> matrix{ids.data(), 1500, 100};
      hgrid::offset_t longest = 0;
      auto particles = cloud.view();
      const hgrid::Pair bonds[] = {{0, 1}, {4, 2}};
      particles.exclusions = hgrid::Exclusions::in_pairs(bonds, 2);
      grid.build(particles);
      grid.find(half);
      grid.find(full);
      grid.find(in_order, {.order = hgrid::Order::sorted});
      grid.find(list);
      EXPECT_GT(grid.find(matrix), 0);
      const int waits = exec.waits(), allocations = exec.allocations();
      EXPECT_GT(waits, 0);
      EXPECT_GT(allocations, 0);
      for (int step = 0; step < 3; ++step) {
        grid.build(particles);
        grid.enqueue(list);
        grid.enqueue(in_order, {.order = hgrid::Order::sorted});
        grid.enqueue(half);
        grid.enqueue(full);
        grid.enqueue(matrix, &longest);
      }
      EXPECT_EQ(exec.waits(), waits);
      EXPECT_EQ(exec.allocations(), allocations);
      EXPECT_GT(*list.found(), 0);
      EXPECT_LE(*list.found(), list.capacity());
      EXPECT_EQ(*in_order.found(), *list.found());
      EXPECT_EQ(*half.found(), *list.found());
      EXPECT_EQ(*full.found(), 2 * *list.found());
      EXPECT_LE(*full.found(), full.capacity());
      EXPECT_GT(longest, 0);
    }
  }
}

// Most are in two cells, which a block sorts: their bucket has no room in its scratch memory.
TEST(DeviceTables, CountingAndRadixGiveTheSameSlots) {
  using Sort = hgrid::detail::SortBuckets<double, 3>;
  constexpr int n = 4 * Sort::most_staged;
  support::Random random(4);
  std::vector<double> x, r(n, 0.5);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) x.push_back(i % 8 == 0 ? random.real(0, 30) : 7 + random.real(0, 0.1) + i % 2);
  }
  std::vector<hgrid::index_t> ids[2];
  for (const auto sort : {hgrid::SortKind::radix, hgrid::SortKind::counting}) {
    hgrid::Grid<support::LockstepExec, 3> grid(support::LockstepExec(1), hgrid::Box3::open(),
                                               {.table = hgrid::TableKind::dense, .sort = sort});
    grid.build(hgrid::particles<3>(x.data(), r.data(), n));
    const auto g = grid.view();
    ids[sort == hgrid::SortKind::counting].assign(g.id, g.id + g.slots());
    hgrid::index_t most = 0;
    for (hgrid::cell_key_t c = 0; c < grid.plan().levels.cells; ++c) {
      most = std::max(most, g.table.begin[c + 1] - g.table.begin[c]);
    }
    EXPECT_GT(most, std::max(Sort::most_staged, Sort::most_ranked));
    EXPECT_EQ(g.table.begin[grid.plan().levels.cells], n);
  }
  EXPECT_EQ(ids[0], ids[1]);
}

// Two clusters far apart leave thousands of cells empty between them, which many threads fill; a few particles lie in
// the middle of them.
TEST(DeviceTables, DenseStartsOfLongEmptyStretches) {
  for (const double gap : {0.0, 3.0, 40.0, 400.0}) {
    support::Random random(11);
    std::vector<double> x, r;
    for (int i = 0; i < 900; ++i) {
      for (int k = 0; k < 3; ++k) x.push_back(random.real(0, 8) + gap * (i % 2) * (k == 2) + (i % 90 == 0 ? gap / 2 : 0));
      r.push_back(i % 10 == 0 ? 1.5 : 0.5);
    }
    hgrid::Grid<support::LockstepExec, 3> grid(support::LockstepExec(1), hgrid::Box3::open(),
                                               {.table = hgrid::TableKind::dense, .sort = hgrid::SortKind::radix});
    grid.build(hgrid::particles<3>(x.data(), r.data(), 900));
    const auto g = grid.view();
    ASSERT_EQ(g.slots(), 900);
    std::vector<hgrid::cell_key_t> keys;
    for (hgrid::index_t slot = 0; slot < g.slots(); ++slot) keys.push_back(hgrid::detail::dense_cell(g, slot));
    const hgrid::cell_key_t cells = grid.plan().levels.cells;
    EXPECT_TRUE(gap < 400 || cells > 50 * hgrid::detail::cells_per_part) << cells;
    for (hgrid::cell_key_t c = 0; c <= cells; ++c) {
      ASSERT_EQ(g.table.begin[c], std::lower_bound(keys.begin(), keys.end(), c) - keys.begin()) << gap << ", cell " << c;
    }
  }
}

}  // namespace
