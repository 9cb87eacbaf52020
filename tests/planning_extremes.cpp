// SPDX-License-Identifier: BSD-3-Clause
// Planning from odd input (group I of the catalogue of bad input) and for other costs; any plan gives the pairs of one level.
#include <gtest/gtest.h>

#include <limits>

#include "host/planning/plan.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::SearchCosts;

auto grid_of(const oracle::System& s, const hgrid::GridOptions& options = {}) {
  return support::built(hgrid::SerialExec{}, s, options);
}

/// Expects a ladder of levels for all radii that finds the contacts of a grid with one level.
void expect_as_one_level(const oracle::System& s, const hgrid::GridOptions& options = {}) {
  auto grid = grid_of(s, options);
  const hgrid::Levels<3>& levels = grid.plan().levels;
  double largest = 0;
  for (const oracle::Particle& p : s.particles) largest = std::fmax(largest, p.radius);
  ASSERT_GE(levels.count, 1);
  ASSERT_LE(levels.count, hgrid::max_levels);
  for (int h = 0; h < levels.count; ++h) {
    EXPECT_TRUE(h == 0 || levels.level[h].radius_bound > levels.level[h - 1].radius_bound) << h;
    for (int k = 0; k < 3; ++k) {
      EXPECT_GT(levels.level[h].cell_size[k], 0);
      EXPECT_TRUE(std::isfinite(levels.level[h].cell_size[k]));
    }
  }
  EXPECT_GE(levels.level[levels.count - 1].radius_bound, largest);
  const double side = largest > 0 ? 4 * largest : 0.1;
  auto one = grid_of(s, {.levels = {{std::fmax(largest, 1e-15), {side, side, side}}}});
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), support::pairs_of(one, hgrid::Order::sorted));
}

oracle::System sized(int n, auto radius_of) {
  oracle::System s = support::polydisperse(std::max(n, 1), 1, false);
  s.particles.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) s.particles[static_cast<std::size_t>(i)].radius = radius_of(i);
  return s;
}

TEST(BadInputI96, NoneOneOneSizeTwoSizesPoints) {
  expect_as_one_level(sized(0, [](int) { return 1.0; }));
  expect_as_one_level(sized(1, [](int) { return 1.0; }));
  expect_as_one_level(sized(500, [](int) { return 1.0; }));
  expect_as_one_level(sized(500, [](int i) { return i % 50 == 0 ? 8.0 : 1.0; }));
  oracle::System points = sized(500, [](int) { return 0.0; });
  for (std::size_t i = 1; i < 500; i += 2) {
    for (int k = 0; k < 3; ++k) points.particles[i].x[k] = points.particles[i - 1].x[k];
  }
  expect_as_one_level(points);
}

TEST(BadInputI97, CostsThatAreNoNumbersGiveLevelsOfEqualCounts) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const oracle::System s = support::polydisperse(4000, 40, false);
  for (const SearchCosts& costs : {SearchCosts{nan, 3, 0.6, 3}, SearchCosts{30, HUGE_VAL, 0.6, 3, HUGE_VAL, 100},
                                   SearchCosts{30, 3, nan, 3}, SearchCosts{30, 3, 0.6, nan, nan, 100}}) {
    expect_as_one_level(s, {.costs = costs});
    const auto grid = grid_of(s, {.costs = costs});
    EXPECT_FALSE(grid.plan().weighed);
    const int levels = grid.plan().levels.count;
    ASSERT_GE(levels, 2);
    std::vector<int> held(hgrid::max_levels);
    for (const oracle::Particle& p : s.particles) {
      ++held[static_cast<std::size_t>(hgrid::detail::level_of_radius(grid.plan().levels.level, levels, p.radius))];
    }
    for (int h = 0; h < levels; ++h) EXPECT_NEAR(held[static_cast<std::size_t>(h)], 4000 / levels, 1000) << h;
  }
  EXPECT_TRUE(grid_of(s).plan().weighed);
}

TEST(BadInputI97, FlatCosts) {
  const oracle::System s = support::polydisperse(4000, 40, false);
  for (const SearchCosts& costs :
       {SearchCosts{0, 0, 0, 0, 0, 0}, SearchCosts{1, 0, 0, 0, 0, 0}, SearchCosts{0, 0, 0, 1, 0, 0}}) {
    expect_as_one_level(s, {.costs = costs});
  }
}

TEST(BadInputI98, AnyRatio) {
  for (double ratio : {1e6, 1e9}) {
    support::Random random(3);
    const auto smooth = [&](int) { return random.log_real(1, ratio); };
    const auto gaps = [&](int i) { return std::pow(ratio, (i % 7) / 6.0); };
    const auto spike = [&](int i) { return i == 0 ? ratio : 1.0; };
    const oracle::System systems[] = {sized(300, smooth), sized(300, gaps), sized(300, spike)};
    for (const oracle::System& s : systems) expect_as_one_level(s);
  }
}

TEST(Costs, ShapeTheLevels) {
  const oracle::System s = support::polydisperse(20000, 20, false);
  const auto levels = [&](SearchCosts costs) {
    const auto grid = grid_of(s, {.costs = costs});
    return grid.plan().levels;
  };
  const hgrid::Levels<3> usual = levels({}), tests = levels({30, 3, 60, 3}), rows = levels({30, 300, 0.6, 3});
  EXPECT_GE(tests.count, usual.count);
  EXPECT_LT(tests.level[0].cell_size[1], usual.level[0].cell_size[1]) << "dear candidates: small cells";
  EXPECT_GT(tests.count, rows.count) << "dear rows: few levels";
  EXPECT_LT(levels({3000, 3, 0.6, 3}).count, usual.count) << "dear levels: few of them";
}

bool same_levels(const hgrid::Plan<3>& a, const hgrid::Plan<3>& b) {
  if (a.levels.count != b.levels.count) return false;
  for (int h = 0; h < a.levels.count; ++h) {
    if (a.levels.level[h].radius_bound != b.levels.level[h].radius_bound) return false;
  }
  return true;
}

// A larger maximum is reason to look, but one particle is no reason to change the levels of all others.
TEST(Drift, LevelsThatAreStillGoodAreKept) {
  oracle::System s = support::polydisperse(20000, 10, false);
  auto grid = grid_of(s);
  const hgrid::Plan<3> first = grid.plan();
  for (oracle::Particle& p : s.particles) p.radius *= 1.12;
  grid.build(support::UserArrays<double, 3>(s).view());
  auto fresh = grid_of(s);
  EXPECT_FALSE(same_levels(fresh.plan(), first));
  EXPECT_TRUE(same_levels(grid.plan(), first)) << "12 % larger radii gain little from other levels";
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), support::pairs_of(fresh, hgrid::Order::sorted));
}

// Neither number, nor largest radius, nor extents change; nearly all radii do.
TEST(Drift, OtherSizesBelowTheSameLargestAreSeen) {
  oracle::System s = sized(20000, [](int i) { return i % 100 == 0 ? 0.6 : 0.5; });
  s.particles[7].radius = 8;
  auto grid = grid_of(s);
  const hgrid::Plan<3> first = grid.plan();
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    double& radius = s.particles[i].radius;
    radius = i % 2 == 0 ? 0.05 : 3 * radius;
  }
  s.particles[7].radius = 8;
  for (int build = 0; build < 3; ++build) grid.build(support::UserArrays<double, 3>(s).view());
  EXPECT_FALSE(same_levels(grid.plan(), first));
  EXPECT_TRUE(same_levels(grid.plan(), grid_of(s).plan()));
}

}  // namespace
