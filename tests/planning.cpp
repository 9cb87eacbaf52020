// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/plan.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "host/planning/level_optimiser.hpp"
#include "host/planning/radius_histogram.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::LevelSpec;

void expect_invalid(const std::vector<LevelSpec>& levels, std::int64_t index) {
  try {
    hgrid::detail::check_levels(levels, 3);
    ADD_FAILURE() << "accepted";
  } catch (const hgrid::Error& e) {
    EXPECT_EQ(e.code(), hgrid::ErrorCode::invalid_levels);
    EXPECT_EQ(e.detail().index, index);
  }
  if (levels.empty()) return;  // for a grid that means: plan them
  const auto make = [&] { hgrid::Grid<hgrid::SerialExec, 3>(hgrid::SerialExec{}, hgrid::Box3::open(), {.levels = levels}); };
  EXPECT_THROW(make(), hgrid::Error);
}

TEST(CheckLevels, RefusesWhatIsNoLadderOfLevels) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_invalid({}, 0);
  expect_invalid({{2, {4, 4, 4}}, {1, {4, 4, 4}}}, 1);
  expect_invalid({{1, {4, 4, 4}}, {1, {4, 4, 4}}}, 1);
  expect_invalid({{-1, {4, 4, 4}}}, 0);
  expect_invalid({{nan, {4, 4, 4}}}, 0);
  expect_invalid({{HUGE_VAL, {4, 4, 4}}}, 0);
  for (double size : {0.0, -1.0, nan, HUGE_VAL, 1e-16, 1e16}) {
    expect_invalid({{1, {4, 4, 4}}, {2, {4, size, 4}}}, 1);
  }
  std::vector<LevelSpec> many;
  for (int h = 0; h < 65; ++h) many.push_back({1.0 + h, {4, 4, 4}});
  expect_invalid(many, 65);
  many.pop_back();
  EXPECT_NO_THROW(hgrid::detail::check_levels(many, 3));
  EXPECT_NO_THROW(hgrid::detail::check_levels({{1, {4, 4, 0}}}, 2)) << "the third axis does not exist";
}

// Returns a planner's input as the build would sample it.
hgrid::detail::PlanInput<3> sampled(const std::vector<double>& radii) {
  support::Random random(7);
  hgrid::detail::PlanInput<3> input;
  input.particles = static_cast<hgrid::offset_t>(radii.size());
  for (int k = 0; k < 3; ++k) input.lo[k] = 0, input.hi[k] = 1;
  for (double r : radii) {
    for (int k = 0; k < 3; ++k) input.sample.push_back(random.real());
    input.sample.push_back(r);
    input.radius_max = std::fmax(input.radius_max, r);
  }
  return input;
}

void expect_usable(const hgrid::Plan<3>& plan, double radius_max) {
  ASSERT_GE(plan.levels.count, 1);
  ASSERT_LE(plan.levels.count, hgrid::max_levels);
  hgrid::cell_key_t cells = 0;
  for (int h = 0; h < plan.levels.count; ++h) {
    const hgrid::Level<3>& level = plan.levels.level[h];
    EXPECT_TRUE(h == 0 || level.radius_bound > plan.levels.level[h - 1].radius_bound);
    EXPECT_EQ(level.first_cell, cells);
    hgrid::cell_key_t product = 1;
    for (int k = 0; k < 3; ++k) {
      EXPECT_GT(level.cell_size[k], 0);
      EXPECT_TRUE(std::isfinite(level.cell_size[k]) && std::isfinite(level.inverse[k]));
      EXPECT_GE(level.cells[k], 1);
      product *= static_cast<hgrid::cell_key_t>(level.cells[k]);
    }
    cells += product;
  }
  EXPECT_EQ(plan.levels.cells, cells);
  EXPECT_GE(plan.levels.level[plan.levels.count - 1].radius_bound, radius_max);
}

TEST(Plan, TerminatesAndAscendsForAnySizes) {
  support::Random random(8);
  std::vector<std::vector<double>> cases = {{}, {0}, {1}, {0, 0, 0}, {1e-15}, {1e15}, {1e-15, 1e15}, {0, 1}, {1, 1 + 1e-15}};
  for (double ratio : {1.5, 1e3, 1e6, 1e9, 1e30}) {
    std::vector<double> radii;
    for (int i = 0; i < 65536; ++i) radii.push_back(1e-15 * random.log_real(1, ratio));
    cases.push_back(radii);
  }
  for (const std::vector<double>& radii : cases) {
    const double largest = radii.empty() ? 0 : std::ranges::max(radii);
    EXPECT_LE(hgrid::detail::radius_histogram(radii, 1, largest).size(), 8u * 100)
        << "an octave has eight, and work goes as their square";
    for (hgrid::Direction direction : {hgrid::Direction::top_down, hgrid::Direction::bottom_up}) {
      const hgrid::detail::PlanInput<3> input = sampled(radii);
      const auto plan = hgrid::detail::make_plan(input, hgrid::Box3::open(), {.direction = direction});
      expect_usable(plan, input.radius_max);
    }
  }
}

// Levels whose ends were found between octaves and then moved cost hardly more than the best between any bins.
TEST(Plan, FindsTheEndsOfLevels) {
  double all = 0, most = 0;
  constexpr int systems = 100;
  for (int seed = 1; seed <= systems; ++seed) {
    support::Random random(static_cast<std::uint64_t>(seed));
    const double ratio = random.log_real(1.1, 1e4);
    const std::vector<double> species{1, random.log_real(1, ratio), random.log_real(1, ratio), ratio};
    std::vector<double> radii;
    double volume = 0;
    for (std::size_t i = 0; i < 2000; ++i) {
      const double of_power_law = std::fmin(ratio, std::cbrt(1 / random.real(1e-6, 1)));
      radii.push_back(seed % 3 == 0 ? random.log_real(1, ratio) : seed % 3 == 1 ? species[i % 4] : of_power_law);
      volume += radii.back() * radii.back() * radii.back();
    }
    const auto bins = hgrid::detail::radius_histogram(radii, 1, std::ranges::max(radii));
    const double side = std::cbrt(volume * random.log_real(4, 160));
    const hgrid::detail::SearchSpace space{{bins, side * side * side, 3}, {side, side, side}, 3};
    const hgrid::detail::CostModel model(bins, space, 0, {.share_of_cells = 0.95}, {});
    std::vector<int> any(bins.size() + 1);
    std::iota(any.begin(), any.end(), 0);
    hgrid::detail::BinLevels found = optimise_levels(model, space.density.class_borders());
    refine(model, found);
    const double more = found.cost / optimise_levels(model, any).cost;
    all += more, most = std::fmax(most, more);
  }
  EXPECT_LE(all / systems, 1.003);
  EXPECT_LE(most, 1.03);
}

// One far outlier must not stretch the extents, nor the work.
TEST(Plan, AnOutlierCostsNothing) {
  oracle::System s = support::polydisperse(20000, 1, false);
  auto without = support::built(hgrid::SerialExec{}, s);
  s.particles[77].x[0] = 1e12;
  auto with = support::built(hgrid::SerialExec{}, s);
  EXPECT_LE(with.work().candidates + with.work().rows, 2 * (without.work().candidates + without.work().rows));
}

// Levels are planned again when sizes or extents have drifted, also when each step was small.
TEST(Plan, FollowsASlowDrift) {
  oracle::System s = support::polydisperse(5000, 1, false);
  auto grid = support::built(hgrid::SerialExec{}, s);
  for (int step = 0; step < 60; ++step) {
    for (oracle::Particle& p : s.particles) {
      p.radius *= 1.04;
      for (double& x : p.x) x *= 1.04;
    }
    grid.build(support::UserArrays<double, 3>(s).view());
  }
  auto fresh = support::built(hgrid::SerialExec{}, s);
  EXPECT_LE(grid.work().candidates, 2 * fresh.work().candidates) << "the levels of the first step were kept";
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), support::pairs_of(fresh, hgrid::Order::sorted));
}

// Draws valid input whose radii, with extra distance and skin, exceed the planner's numbers or round away.
TEST(Plan, TakesWhatTheContractTakes) {
  const double xyz[] = {0, 0, 0, 0, 0, 0}, huge[] = {1e15, 1e15}, radii[] = {6e14, 6e14}, extra[] = {6e14, 6e14};
  hgrid::Grid grid{hgrid::SerialExec{}, hgrid::Box3::open()};
  grid.build(hgrid::particles<3>(xyz, huge, 2), {.skin = 1});
  EXPECT_EQ(grid.count(), 1);
  auto extended = hgrid::particles<3>(xyz, radii, 2);
  extended.extra = extra;
  grid.build(extended);
  EXPECT_EQ(grid.count(), 1);

  oracle::System s = support::polydisperse(1000, 1, false);
  for (std::size_t i = 0; i < s.particles.size(); ++i) s.particles[i].radius = i % 2 == 0 ? 0.01 : 0.02;
  s.skin = 1e15;
  EXPECT_EQ(support::built(hgrid::SerialExec{}, s).count(), 1000 * 999 / 2);
}

// Particles in use may alternate with unused ones; a sample at regular places would see none of them.
TEST(Plan, SeesEverySecondParticle) {
  oracle::System s = support::polydisperse(131071, 1, false);
  for (std::size_t i = 0; i < s.particles.size(); i += 2) s.particles[i].active = false;
  auto grid = support::built(hgrid::SerialExec{}, s);
  EXPECT_LE(grid.work().candidates, 60 * static_cast<hgrid::offset_t>(s.particles.size()));
}

// A few particles far away, too many for one cell.
TEST(Plan, GridsAFarCluster) {
  oracle::System s = support::polydisperse(200000, 1, false);
  for (std::size_t i = 0; i < 1600; ++i) s.particles[i * 125].x[0] += 1e6;
  auto grid = support::built(hgrid::SerialExec{}, s);
  EXPECT_LE(grid.work().candidates, 60 * static_cast<hgrid::offset_t>(s.particles.size()));
}

// Planning is for the first step; a layer of no thickness that moves keeps its plan while it stays near.
TEST(Plan, IsKeptForAFlatLayer) {
  oracle::System s = support::polydisperse(2000, 1, false);
  for (oracle::Particle& p : s.particles) p.x[2] = 0;
  auto grid = support::built(hgrid::SerialExec{}, s);
  const double origin = grid.plan().levels.level[0].origin[2];
  for (oracle::Particle& p : s.particles) p.x[2] = 1e-3;
  grid.build(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(grid.plan().levels.level[0].origin[2], origin);
}

// Few particles share a cell, whatever their sizes and wherever they go. Levels that are given stay.
TEST(Plan, IsOneCellForFewParticles) {
  oracle::System s = support::polydisperse(33, 50, false);
  const auto cells = [](const oracle::System& of, const hgrid::GridOptions& options = {}) {
    return support::built(hgrid::SerialExec{}, of, options).plan().levels.cells;
  };
  EXPECT_GT(cells(s), 1u);
  s.particles.pop_back();
  EXPECT_EQ(cells(s), 1u);
  EXPECT_GT(cells(s, {.levels = {{50, {2, 2, 2}}}}), 1u);

  auto grid = support::built(hgrid::SerialExec{}, s);
  const std::uint64_t plan = grid.plan_generation();
  for (const double factor : {0.1, 1e3, 1e3}) {
    for (oracle::Particle& p : s.particles) {
      p.radius *= 1.2 * factor;
      for (double& x : p.x) x = factor * x + 1;
    }
    grid.build(support::UserArrays<double, 3>(s).view());
    EXPECT_EQ(grid.plan_generation(), plan);
    EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(s));
  }
  s.particles.resize(3);
  grid.build(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(s));
  grid.build(support::UserArrays<double, 3>(support::polydisperse(500, 1, false)).view());
  EXPECT_GT(grid.plan().levels.cells, 1u) << "many follow few";
}

// Radii with extra distance may be far below the smallest radius; they share one bin: of 2,000 octaves a plan would take
// long.
TEST(Planning, TinyExtraDistances) {
  const double radii[] = {5e-324, 1e-300, 1e-15, 1};
  const auto bins = hgrid::detail::radius_histogram(radii, 1, 1);
  ASSERT_EQ(bins.size(), 3u);
  EXPECT_EQ(bins[0].radius_max, 1e-300);
  EXPECT_EQ(bins[0].moment[0], 2);
  EXPECT_EQ(bins[1].radius_max, 1e-15);
  EXPECT_EQ(bins[2].radius_max, 1);
}

}  // namespace
