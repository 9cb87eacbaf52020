// SPDX-License-Identifier: BSD-3-Clause
// Particles that are inserted into a built grid one by one.
#pragma once

#include "hgrid/queries.hpp"
#include "support/fail.hpp"
#include "support/insertion_cases.hpp"
#include "support/packings.hpp"

/// Inserts into a grid of a part of a random system.
template <int D, class Exec>
void expect_insertions(const Exec& exec, const support::Case& c) {
  const std::string difference = support::check_insertions<double, D>(exec, c, c.system.particles.size() / 3);
  if (!difference.empty()) support::fail("insertions into system " + std::to_string(c.seed) + ": " + difference);
}

/// Inserts enough particles that cells are searched, chains of the table have several cells, and the table grows; then inserts
/// into another build.
template <class Exec>
void expect_insertions(const Exec& exec) {
  support::Case c;
  c.system = support::polydisperse(1500, 3, true, 8);
  const std::string difference = support::check_insertions<double, 3>(exec, c, 200);
  if (!difference.empty()) support::fail("insertions: " + difference);

  hgrid::Grid<Exec, 3> grid(exec);
  const double x[] = {0, 0, 0}, r[] = {1};
  grid.build(hgrid::particles<3>(x, r, 1));
  hgrid::Insertions insertions(grid);
  if (!insertions.insert_if_free({5, 0, 0}, 1) || !insertions.touches({6, 0, 0}, 1)) support::fail("one insertion");
  grid.build(hgrid::particles<3>(x, r, 1));
  if (insertions.count() != 0 || insertions.touches({6, 0, 0}, 1)) support::fail("insertions into the grid of before");
}
