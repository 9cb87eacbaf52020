// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles.
#pragma once

#include "hgrid/queries.hpp"
#include "support/fail.hpp"
#include "support/nearest_cases.hpp"
#include "support/packings.hpp"

/// Checks a random system.
template <int D, class Exec>
void expect_nearest(const Exec& exec, const support::Case& c) {
  std::string difference = support::check_nearest<double, D>(exec, c);
  if (!support::is_refused(c.system)) difference += support::check_nearest_of_grid<double, D>(exec, c);
  if (!difference.empty()) support::fail("nearest in system " + std::to_string(c.seed) + ": " + difference);
}

/// Draws particles and points on a lattice. Each point has several particles that are equally near; a search for one gives the
/// first of two.
template <class Exec>
void expect_one_nearest(const Exec& exec) {
  constexpr hgrid::index_t side = 10, n = side * side * side;
  std::vector<double> x(3 * n);
  std::vector<hgrid::Vec<double, 3>> points;
  for (hgrid::index_t i = 0; i < n; ++i) {
    const hgrid::index_t id = (i * 701) % n;  // 701 and n have no common divisor
    const hgrid::index_t at[] = {i % side, i / side % side, i / side / side};
    for (int k = 0; k < 3; ++k) x[3 * id + k] = at[k];
    points.push_back({at[0] + 0.5, 1.0 * at[1], 1.0 * at[2]});
  }
  hgrid::Grid<Exec, 3> grid(exec);
  grid.build(x, std::vector<double>(n, 0.4));
  hgrid::Nearest one(grid);
  hgrid::Nearest two(grid);
  const auto expect = [&](const auto& first, const auto& both, const char* who) {
    for (hgrid::index_t q = 0; q < n; ++q) {
      if (first.ids[q] != both.ids[2 * q]) support::fail(std::string("the one nearest of ") + who + " is not the first of two");
    }
  };
  expect(one.of_particles({.k = 1}), two.of_particles({.k = 2}), "particles");
  expect(one.of_points(points, {.k = 1}), two.of_points(points, {.k = 2}), "points");
}

/// Half of the particles are at one place, so the nearest are the first by id; also after they have moved.
template <class Exec>
void expect_first_of_heap(const Exec& exec) {
  constexpr hgrid::index_t n = 2000, k = 5;
  support::Random random(3);
  std::vector<double> x(3 * n);
  for (hgrid::index_t i = 0; i < n; ++i) {
    const hgrid::index_t id = (i * 701) % n;  // 701 and n have no common divisor
    for (int a = 0; a < 3; ++a) x[3 * id + a] = i % 2 == 0 ? 0.5 : random.real();
  }
  hgrid::Grid<Exec, 3> grid(exec);
  grid.build(x, std::vector<double>(n, 0.01));
  hgrid::Nearest nearest(grid);
  nearest.of_particles({.k = k});  // so many that the tree is built
  for (const double way : {0.0, 3.0}) {
    const std::vector<hgrid::Vec<double, 3>> points{
        {0.1, 0.2, 0.3}, {0.5 + way, 0.5 + way, 0.5 + way}, {0.5 + way, 0.5 + way, 0.5 + way + 1e-9}};
    if (way > 0) {
      for (double& coordinate : x) coordinate += way;
      grid.build(x, std::vector<double>(n, 0.01));
    }
    const auto found = nearest.of_points(points, {.k = k});
    for (std::size_t q = 1; q < points.size(); ++q) {
      for (hgrid::index_t e = 0; e < k; ++e) {
        if (found.ids[q * k + e] != 2 * e) support::fail("the nearest of a heap are not the first by id");
        if (found.distances[q * k + e] > 1e-8) support::fail("the nearest of a heap are not in it");
      }
    }
  }
}

/// So many that cells are searched, on several levels.
template <class Exec>
void expect_nearest(const Exec& exec) {
  if constexpr (Exec::on_host) expect_first_of_heap(exec);
  for (const bool periodic : {false, true}) {
    support::Case c;
    c.system = support::polydisperse(1500, 10, periodic, 9);
    for (c.seed = 0; c.seed < 3; ++c.seed) expect_nearest<3>(exec, c);
  }
}
