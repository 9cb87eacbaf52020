// SPDX-License-Identifier: BSD-3-Clause
// Particles that fill a part of a periodic box, as on a rank: their cost is counted, and empty space does not raise it.
#include <gtest/gtest.h>

#include <set>

#include "host/planning/layout.hpp"
#include "support/counted_cost.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace hgrid::inline v0_2::detail {
namespace {
#include "host/search/cell_of-inl.hpp"
}  // namespace
}  // namespace hgrid::inline v0_2::detail

namespace {

using support::built_in;
using support::cost_of;
using support::in_wider_box;

void expect_no_more_than_a_full_one(const hgrid::GridOptions& options) {
  for (const double ratio : {1.0, 20.0}) {
    const oracle::System s = support::polydisperse(20000, ratio, true);
    const double full = cost_of<3>(s, options);
    for (const double cuts : {2.0, 4.0, 10.0, 1e3, 1e9}) {
      for (const double moved : {0.0, 0.4, 1 - 0.3 / cuts}) {
        EXPECT_LT(cost_of<3>(in_wider_box(s, cuts, moved), options), 1.1 * full) << ratio << ' ' << cuts << ' ' << moved;
      }
    }
  }
}

TEST(PartlyFilledBoxes, CostNoMoreThanFullOnesInRows) { expect_no_more_than_a_full_one({}); }
TEST(PartlyFilledBoxes, CostNoMoreThanFullOnesUnderMortonKeys) {
  expect_no_more_than_a_full_one({.keys = hgrid::KeyOrder::morton});
}
TEST(PartlyFilledBoxes, CostNoMoreInCompactedTables) { expect_no_more_than_a_full_one({.table = hgrid::TableKind::compacted}); }

// A few that lie elsewhere do not count.
TEST(PartlyFilledBoxes, CostNoMoreWithOutliers) {
  const oracle::System s = support::polydisperse(20000, 5, true);
  for (const double moved : {0.0, 0.4, 0.97}) {
    oracle::System far = in_wider_box(s, 10, moved);
    support::Random random(3);
    for (int n = 0; n < 40; ++n) {
      for (int k = 0; k < 3; ++k) far.particles[n].x[k] = random.real(far.lo[k], far.hi[k]);
    }
    EXPECT_LT(cost_of<3>(far), 1.2 * cost_of<3>(s)) << moved;
  }
}

// Particles go through the faces of the box and on, sideways too, in steps that a build bears and in larger ones.
TEST(PartlyFilledBoxes, AreFollowed) {
  const oracle::System s = support::polydisperse(1500, 10, true);
  const double full = cost_of<3>(s);
  for (const double step : {0.003, 0.05}) {
    auto grid = built_in<3>(in_wider_box(s, 8, 0));
    int on_islands = 0, steps = 0;
    for (double moved = 0; moved < 1; moved += step, ++steps) {
      const oracle::System now = in_wider_box(s, 8, moved);
      for (int turn = 0; turn < 2; ++turn) grid.build(support::UserArrays<double, 3>(now).view());  // the one before told
      EXPECT_LT(cost_of(grid), 1.3 * full) << moved;
      on_islands += !grid.plan().islands.empty();
      if (steps % 5 != 0) continue;
      ASSERT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(now)) << moved;
    }
    EXPECT_GT(on_islands, 0);
    EXPECT_LT(on_islands, steps);
  }
}

// One particle at a face, now here and now there, moves the bounds by a period each time.
TEST(PartlyFilledBoxes, AreNotPlannedAnewAtEachCrossing) {
  const oracle::System s = in_wider_box(support::polydisperse(1500, 10, true), 4, 0);
  auto grid = built_in<3>(s);
  std::set<std::uint64_t> plans;
  for (int step = 0; step < 20; ++step) {
    oracle::System now = s;
    now.particles[0].x[0] = step % 2 == 0 ? now.lo[0] : std::nextafter(now.hi[0], now.lo[0]);
    grid.build(support::UserArrays<double, 3>(now).view());
    if (step > 1) plans.insert(grid.plan_generation());
  }
  EXPECT_EQ(plans.size(), 1u);
}

TEST(PartlyFilledBoxes, HaveNoGapWhereFewCellsWouldFillIt) {
  const oracle::System s = support::polydisperse(20000, 5, true);
  for (const double cuts : {1.0, 1.1}) {
    const auto grid = built_in<3>(in_wider_box(s, cuts, 0.5));
    EXPECT_TRUE(grid.plan().islands.empty());
    const hgrid::Level<3>& finest = grid.plan().levels.level[0];
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(finest.origin[k], s.lo[k]);
      EXPECT_NEAR(finest.cells[k] * finest.cell_size[k], cuts * (s.hi[k] - s.lo[k]), finest.cell_size[k]);
    }
  }
}

// The vector function equals the scalar one.
TEST(CellOnTwoIslands, IsCellCoordinate) {
  using hgrid::detail::CellOnTwoIslands;
  support::Random random(7);
  for (int n = 0; n < 20000; ++n) {
    const double size = random.log_real(1e-6, 1e3), far = random.log_real(1, 1e12);
    std::vector<hgrid::detail::Interval> inhabited = {{-far, -far + random.log_real(1e-9, far)}};
    if (random.chance(0.8)) inhabited.push_back({far + size, far + size + random.log_real(1e-9, far)});
    std::vector<hgrid::Island> islands = hgrid::detail::islands_of(inhabited, size, 2e9);
    if (islands.empty()) continue;
    hgrid::Level<2> level{};
    level.cells[0] = islands.back().cell, level.islands[0] = static_cast<hgrid::index_t>(islands.size()) - 1;
    level.origin[0] = islands[0].begin, level.inverse[0] = level.inverse[1] = 1 / size;
    level.origin[1] = random.real(-far, far), level.cells[1] = random.integer(1, 1000);
    level.first_island[0] = 1, islands.insert(islands.begin(), {0, 0});
    ASSERT_TRUE(CellOnTwoIslands<2>::suits(level));
    const CellOnTwoIslands<2> cell_of(level, islands.data());
    for (const hgrid::Island& island : islands) {
      for (int k = -3; k < 4 && island.begin < 1e15; ++k) {
        const double near = island.begin + k * size;
        for (const double x :
             {near, support::ulps_away(near, 1), support::ulps_away(near, -1), random.real(-3 * far, 3 * far)}) {
          for (int axis = 0; axis < 2; ++axis) {
            ASSERT_EQ(cell_of(level, axis, x), hgrid::detail::cell_coordinate(level, islands.data(), axis, x)) << x;
          }
        }
      }
    }
  }
}

}  // namespace
