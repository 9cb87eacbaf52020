// SPDX-License-Identifier: BSD-3-Clause
// Rows clipped to the sphere lose no partner, also where cells begin at coordinates that round: levels whose origin is far
// away, partners at the edges of cells, contacts that just touch.
#include <gtest/gtest.h>

#include "hgrid/core/query.hpp"
#include "support/random.hpp"

namespace {

using hgrid::index_t;

void set_range(const hgrid::Level<3>& level, hgrid::detail::Query<3>& query) {
  for (int k = 0; k < 3; ++k) {
    query.range.first[k] = hgrid::detail::cell_coordinate(level, k, query.centre[k] - query.reach);
    query.range.last[k] = hgrid::detail::cell_coordinate(level, k, query.centre[k] + query.reach);
  }
}

hgrid::Level<3> far_level(support::Random& random) {
  hgrid::Level<3> level{};
  for (int k = 0; k < 3; ++k) {
    level.cell_size[k] = random.real(0.5, 2);
    level.inverse[k] = 1 / level.cell_size[k];
    level.origin[k] = -random.log_real(1, 1e6) + random.real();
    level.cells[k] = 1 << 21;
  }
  return level;
}

/// Returns the first or last coordinate of x's cell according to the cell function, which is not the rounded origin + cell *
/// size.
double at_edge(const hgrid::Level<3>& level, int k, double x, support::Random& random) {
  const index_t cell = hgrid::detail::cell_coordinate(level, k, x);
  double inside = x, outside = random.chance(0.5) ? x - 2 * level.cell_size[k] : x + 2 * level.cell_size[k];
  for (double middle; middle = 0.5 * (inside + outside), middle != inside && middle != outside;) {
    (hgrid::detail::cell_coordinate(level, k, middle) == cell ? inside : outside) = middle;
  }
  return inside;
}

bool touches(const double* p, const double* q, double distance) {
  double squared = 0;
  for (int k = 0; k < 3; ++k) squared += (p[k] - q[k]) * (p[k] - q[k]);
  return squared <= distance * distance;
}

TEST(Clip, LosesNoPartner) {
  support::Random random(12);
  int touching = 0;
  for (int draw = 0; draw < 200000; ++draw) {
    const hgrid::Level<3> level = far_level(random);
    double q[3], p[3];
    for (int k = 0; k < 3; ++k) q[k] = at_edge(level, k, random.real(-3, 3), random);
    // Moves p as far from q as touching allows, nearly in a plane of y and z, so that the sphere barely meets the row.
    const double distance = random.real(0.5, 4), angle = random.real(0, 6.283185307179586), off = random.chance(0.5) ? 0 : 1e-7;
    p[0] = q[0] + off * distance, p[1] = q[1] + distance * std::cos(angle), p[2] = q[2] + distance * std::sin(angle);
    for (int steps = 0; steps < 60 && !touches(p, q, distance); ++steps) {
      for (int k = 1; k < 3; ++k) p[k] = support::ulps_away(p[k], p[k] > q[k] ? -1 : 1);
    }
    if (!touches(p, q, distance)) continue;
    ++touching;
    hgrid::detail::Query<3> query{};
    hgrid::Vec<index_t, 3> row;
    for (int k = 0; k < 3; ++k) {
      query.centre[k] = p[k];
      query.reach = std::max(query.reach, hgrid::detail::search_reach(distance, p[k], 0));
      row[k] = hgrid::detail::cell_coordinate(level, k, q[k]);
    }
    set_range(level, query);
    const hgrid::detail::CellSpan span = hgrid::detail::clip_to_sphere(level, query, row);
    ASSERT_LE(span.first, row[0]) << draw;
    ASSERT_GE(span.last, row[0]) << draw;
  }
  EXPECT_GT(touching, 150000);
}

// Clipping saves more than its square root costs: rows at the box's corners are dropped, the others shortened.
TEST(Clip, DropsCorners) {
  hgrid::Level<3> level{};
  for (int k = 0; k < 3; ++k) level.cell_size[k] = level.inverse[k] = 1, level.cells[k] = 100;
  hgrid::detail::Query<3> query{};
  for (int k = 0; k < 3; ++k) query.centre[k] = 50.5;
  query.reach = 20;
  set_range(level, query);
  const hgrid::detail::CellSpan corner = hgrid::detail::clip_to_sphere(level, query, {{0, 65, 65}});
  EXPECT_GT(corner.first, corner.last);
  const hgrid::detail::CellSpan middle = hgrid::detail::clip_to_sphere(level, query, {{0, 50, 50}});
  EXPECT_EQ(middle.first, 30);
  EXPECT_EQ(middle.last, 70);
  const hgrid::detail::CellSpan high = hgrid::detail::clip_to_sphere(level, query, {{0, 66, 50}});
  EXPECT_EQ(high.first, 37);  // 50.5 - sqrt(400 - 15.5^2) = 37.9; sqrt(159.75) = 12.6
  EXPECT_EQ(high.last, 63);
}

}  // namespace
