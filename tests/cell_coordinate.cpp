// SPDX-License-Identifier: BSD-3-Clause
// The lemma that the search rests on: cells never decrease with the coordinate, for any rounding.
#include <gtest/gtest.h>

#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/reach.hpp"
#include "support/random.hpp"

namespace {

hgrid::Level<2> random_level(support::Random& random) {
  hgrid::Level<2> level{};
  for (int k = 0; k < 2; ++k) {
    level.origin[k] = random.sign() * random.log_real(1e-6, 1e9);
    level.cell_size[k] = random.log_real(1e-9, 1e3);
    level.inverse[k] = 1 / level.cell_size[k];
    level.cells[k] = random.integer(1, 1 << 20);
  }
  return level;
}

TEST(CellCoordinate, AscendsOverNeighbouringNumbers) {
  support::Random random(2);
  for (int n = 0; n < 2000; ++n) {
    const hgrid::Level<2> level = random_level(random);
    const double border = level.origin[0] + random.integer(-2, level.cells[0] + 2) * level.cell_size[0];
    hgrid::index_t before = 0;
    for (int ulp = -40; ulp <= 40; ++ulp) {
      const hgrid::index_t cell = hgrid::detail::cell_coordinate(level, 0, support::ulps_away(border, ulp));
      ASSERT_GE(cell, 0);
      ASSERT_LT(cell, level.cells[0]);
      ASSERT_TRUE(ulp == -40 || cell >= before);
      before = cell;
    }
  }
}

TEST(CellCoordinate, ClampsWhatLiesOutside) {
  hgrid::Level<2> level{};
  level.inverse = {{1, 1}};
  level.cells = {{5, 1}};
  EXPECT_EQ(hgrid::detail::cell_coordinate(level, 0, -1e15), 0);
  EXPECT_EQ(hgrid::detail::cell_coordinate(level, 0, 4.999), 4);
  EXPECT_EQ(hgrid::detail::cell_coordinate(level, 0, 1e15), 4);
  EXPECT_EQ(hgrid::detail::cell_coordinate(level, 1, 1e15), 0);
  EXPECT_EQ(hgrid::detail::cell_coordinate(level, 0, -0.0), hgrid::detail::cell_coordinate(level, 0, 0.0));
}

// The first number of a cell; the cell's border is where the two sides of a search may disagree.
double first_of_cell(const hgrid::Level<2>& level, hgrid::index_t cell) {
  const double border = level.origin[0] + cell * level.cell_size[0];
  double before = border - 0.5 * level.cell_size[0], first = border + 0.5 * level.cell_size[0];
  while (support::ulps_away(before, 1) < first) {
    const double middle = before + 0.5 * (first - before);
    (hgrid::detail::cell_coordinate(level, 0, middle) < cell ? before : first) = middle;
  }
  return first;
}

// Puts candidates on the first number of a cell (mirrored: the last), at the distance of touching to within a few ulp. Wherever
// the rounded predicate is true, the range must hold the candidate's cell. Around zero, where coordinates are finer than
// distances, and across a periodic face the predicate accepts candidates beyond x + distance.
void expect_range_holds_whatever_touches(bool periodic, int samples) {
  support::Random random(3);
  int beyond = 0, touching = 0;
  for (int n = 0; n < samples; ++n) {
    const double distance = random.real(0.5, 2), period = periodic ? random.log_real(2, 1000) : 0;
    hgrid::Level<2> level{};
    level.cell_size[0] = random.real(0.05, 2);
    level.inverse[0] = 1 / level.cell_size[0];
    level.origin[0] = periodic ? 0 : -random.real(0, 2) - (n % 3 == 0 ? random.log_real(1, 1e6) : 0);
    level.cells[0] = static_cast<hgrid::index_t>((3 - level.origin[0]) / level.cell_size[0]) + 2;
    level.cells[1] = 1;
    const int near_zero = static_cast<int>((random.real(0, 1) - level.origin[0]) / level.cell_size[0]);
    const double y = first_of_cell(level, near_zero + 1);
    const double shift = periodic ? period : 0;  // the searcher lies at the other end of the box
    for (int ulp = -3; ulp <= 3; ++ulp) {
      const double x = support::ulps_away((y - distance) + shift, ulp);
      const double d = (x - y) - shift;
      if (d * d > distance * distance) continue;
      ++touching;
      const double centre = x - shift, reach = hgrid::detail::search_reach(distance, x, 2 * period);
      beyond += centre + distance < y;
      ASSERT_GE(hgrid::detail::cell_coordinate(level, 0, centre + reach), hgrid::detail::cell_coordinate(level, 0, y));
    }
  }
  EXPECT_GT(touching, samples);
  EXPECT_GT(beyond, samples / 200) << "the margins of the range were not needed, so they were not tested";
}

TEST(CellRange, HoldsWhateverTouches) { expect_range_holds_whatever_touches(false, 500000); }
TEST(CellRange, HoldsWhateverTouchesAcrossAFace) { expect_range_holds_whatever_touches(true, 500000); }

TEST(CellRange, CountsRowsWithoutOverflow) {
  const hgrid::detail::CellRange<3> range{{{0, 0, 0}}, {{0, (1 << 21) - 2, (1 << 21) - 2}}};
  EXPECT_EQ(range.rows(), ((1LL << 21) - 1) * ((1LL << 21) - 1));
}

}  // namespace
