// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/core/levels.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using support::Contacts;

TEST(LevelOfInsertion, TheFinestWhoseBoundIsNotBelow) {
  hgrid::Level<3> level[3]{};
  for (int h = 0; h < 3; ++h) level[h].radius_bound = h + 1;
  EXPECT_EQ(hgrid::detail::level_of_radius(level, 3, 0.0), 0);
  EXPECT_EQ(hgrid::detail::level_of_radius(level, 3, 1.0), 0);
  EXPECT_EQ(hgrid::detail::level_of_radius(level, 3, std::nextafter(1.0, 2.0)), 1);
  EXPECT_EQ(hgrid::detail::level_of_radius(level, 3, std::nextafter(1.0, 0.0)), 0);
  EXPECT_EQ(hgrid::detail::level_of_radius(level, 3, 3.0), 2);
  EXPECT_EQ(hgrid::detail::level_of_radius(level, 3, 1e15), 2) << "the top level takes all others";
}

// Radii a few ulp around the bounds of user-given levels, some above the top, levels that stay empty, and as
// many levels as there may be.
TEST(LevelOfInsertion, AnyLevelsGiveTheSameSet) {
  oracle::System s = support::polydisperse(300, 8, true);
  support::Random random(6);
  for (oracle::Particle& p : s.particles) {
    p.radius = support::ulps_away(static_cast<double>(1 << random.integer(0, 3)), random.integer(-1, 1));
  }
  const Contacts expected = oracle::contacts(s);
  for (int count : {1, 2, 3, 7, 32, 33, 64}) {
    for (double smallest : {1e-3, 1.0, 100.0}) {
      hgrid::GridOptions options;
      for (int h = 0; h < count; ++h) options.levels.push_back({smallest * std::exp2(0.5 * h), {3, 4, 5}});
      auto grid = support::built(hgrid::SerialExec{}, s, options);
      EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), expected) << count << " levels from " << smallest;
      EXPECT_EQ(grid.levels().size(), static_cast<std::size_t>(count));
    }
  }
}

// Two levels whose cell counts exceed 2^53, the first with an odd product. A particle in the first level's last cell must not
// count as one of the next level.
TEST(LevelKeys, AreExactAboveTheDoublesIntegers) {
  oracle::System s;
  for (int i = 0; i < 40; ++i) {
    const double at = i < 20 ? 0 : 1;
    s.particles.push_back({.x = {at + (i % 20) * 1e-9, at, at}, .radius = i % 2 ? 1e-8 : 1e-4});
  }
  const Contacts expected = oracle::contacts(s);
  for (double size : {1e-6, 1.1e-6, 1.3e-6, 1.7e-6, 2.3e-6}) {
    hgrid::GridOptions options;
    options.levels = {{1e-7, {size, size, size}}, {1e-3, {size, size, size}}};
    options.table = hgrid::TableKind::compacted;
    auto grid = support::built(hgrid::SerialExec{}, s, options);
    EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), expected) << size;
    EXPECT_EQ(grid.levels()[0].particles, 20);
    EXPECT_EQ(grid.levels()[1].particles, 20);
  }
}

// Cells of a grid whose particles are all inactive are empty, whatever the memory held before.
TEST(Levels, OfNothingAreEmpty) {
  for (const hgrid::KeyOrder keys : {hgrid::KeyOrder::row_major, hgrid::KeyOrder::morton}) {
    hgrid::GridOptions options{.keys = keys, .table = hgrid::TableKind::dense, .sort = hgrid::SortKind::radix};
    options.levels = {{0.1, {0.2, 0.2}}, {0.5, {1, 1}}};
    std::vector<double> x, r;
    support::Random random(7);
    for (int i = 0; i < 200; ++i) {
      x.push_back(4 * random.real()), x.push_back(4 * random.real()), r.push_back(i % 2 == 0 ? 0.1 : 0.4);
    }
    auto particles = hgrid::particles<2>(x.data(), r.data(), 200);
    std::optional<hgrid::Grid<hgrid::SerialExec, 2>> grid;
    const auto build = [&] { grid.emplace(hgrid::SerialExec{}, hgrid::Box2::open(), options).build(particles); };
    build();
    const std::vector<std::uint8_t> inactive(200, 0);
    particles.active = inactive.data();
    grid.reset(), build();
    const hgrid::GridView<2> g = grid->view();
    ASSERT_EQ(g.level_count, 2);
    for (int h = 0; h <= g.level_count; ++h) EXPECT_EQ(g.level_begin[h], 0);
    for (hgrid::cell_key_t key = 0; key < g.table.cells; ++key) {
      ASSERT_EQ(g.table.begin[key], g.in_rows() ? 0 : g.table.end[key]) << "cell " << key;
    }
  }
}

}  // namespace
