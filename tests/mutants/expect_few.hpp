// SPDX-License-Identifier: BSD-3-Clause
// Few particles, which share one cell and are not sorted.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hgrid/hgrid.hpp"
#include "support/fail.hpp"
#include "support/random.hpp"

/// Returns the pairs of a list that the grid does not sort, by i and j.
template <class Grid>
std::vector<std::pair<hgrid::index_t, hgrid::index_t>> pairs_as_found(Grid& grid) {
  auto list = grid.make_pairs();
  grid.find(list, {.order = hgrid::Order::fixed});
  grid.find(list, {.order = hgrid::Order::fixed});  // the first has no room
  std::vector<std::pair<hgrid::index_t, hgrid::index_t>> found;
  for (hgrid::offset_t k = 0; k < list.size(); ++k) found.emplace_back(list.pairs()[k].i, list.pairs()[k].j);
  std::sort(found.begin(), found.end());
  return found;
}

/// Builds up to 32 spheres in a periodic box, the first just below a face. Expects the pairs, also with groups and ghosts,
/// of a grid with many cells, and positions in the box.
template <class Exec>
void expect_few(const Exec& exec) {
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1}, {true, true, true}), open = hgrid::Box3::open();
  support::Random random(8);
  for (int n = 1; n <= 32; ++n) {
    std::vector<double> x(1, -7e-18), r;
    std::vector<hgrid::index_t> group;
    while (x.size() < static_cast<std::size_t>(3 * n)) x.push_back(random.real(-0.2, 1.2));
    for (int i = 0; i < n; ++i) r.push_back(random.real(0.05, 0.15)), group.push_back(i % 3);
    for (const int kind : {0, 1, 2}) {
      auto particles = hgrid::particles<3>(x.data(), r.data(), n);
      if (kind == 1) particles.group = group.data();
      if (kind == 2) particles.owned = (n + 1) / 2;
      for (const hgrid::Box3& each : {box, open}) {
        hgrid::Grid<Exec, 3> few(exec, each), many(exec, each, {.levels = {{0.15, {0.31, 0.31, 0.31}}}});
        few.build(particles), many.build(particles);
        if (pairs_as_found(few) != pairs_as_found(many)) support::fail("pairs of few");
        const auto g = few.view();
        if (each == box && std::any_of(g.x[0], g.x[0] + g.slots(), [](double c) { return c < 0; }))
          support::fail("few outside");
      }
    }
  }
}
