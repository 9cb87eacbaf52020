// SPDX-License-Identifier: BSD-3-Clause
// A crowd in few cells, which boxes over slots are for, and the same particles after the crowd has gone.
#pragma once

#include <algorithm>
#include <vector>

#include "hgrid/hgrid.hpp"
#include "hgrid/queries.hpp"
#include "support/fail.hpp"
#include "support/random.hpp"

/// Expects regions and insertions at every seventh place to touch as many particles in both grids.
template <class Grid>
void expect_equal_probes(Grid& grid, Grid& planned, const std::vector<double>& x) {
  std::vector<hgrid::Region<3>> regions;
  for (std::size_t i = 0; i + 2 < x.size(); i += 21)
    regions.push_back(hgrid::Region<3>::sphere({x[i], x[i + 1], x[i + 2]}, 1e-6));
  for (std::size_t k = 0; k < regions.size(); k += 40) {  // more would be sorted into a grid of their own
    const hgrid::Regions asker{regions.data() + k,
                               std::min<std::ptrdiff_t>(40, std::ssize(regions) - static_cast<std::ptrdiff_t>(k))};
    if (grid.count(asker) != planned.count(asker)) support::fail("regions in a crowd");
  }
  const auto touched = [&](const Grid& g) {
    std::size_t count = 0;
    for (const hgrid::Region<3>& r : regions)
      hgrid::Insertions(g).for_each_touching(r.lo, 1e-6, [&](hgrid::index_t, const hgrid::Image&) { ++count; });
    return count;
  };
  if (touched(grid) != touched(planned)) support::fail("insertions into a crowd");
}

/// Builds 3,000 spheres, half of them within 1e-5 of a face of a periodic box, in cells that fit the others, and then, by the
/// same grid, all of them far apart. Expects the answers of a grid that plans its own levels, also with ghosts and with groups.
template <class Exec>
void expect_crowd_that_disperses(const Exec& exec) {
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1}, {true, true, true});
  hgrid::Grid<Exec, 3> grid(exec, box, {.levels = {{0.025, {0.05, 0.05, 0.05}}}}), planned(exec, box);
  auto found = grid.make_pairs(), expected = planned.make_pairs();
  for (const double width : {1e-5, 1.0}) {
    support::Random random(5);
    std::vector<double> x, r;
    std::vector<hgrid::index_t> group;
    for (int i = 0; i < 3000; ++i) {
      const double side = i % 2 == 0 ? 1 : width;
      x.push_back((i < 1500 ? random.real(-0.5, 0.1) : random.real(-0.1, 0.5)) * side);  // most ghosts lie together
      for (int k = 1; k < 3; ++k) x.push_back(0.51 + random.real(-0.5, 0.5) * side);
      r.push_back(random.real(0.01, 0.02) * (side < 1 ? 3 * side : 1));
      group.push_back(i % 7);
    }
    for (const int kind : {0, 1, 2}) {
      auto particles = hgrid::particles<3>(x.data(), r.data(), 3000);
      if (kind == 1) particles.owned = 1500;
      if (kind == 2) particles.group = group.data();
      grid.build(particles), planned.build(particles);
      if ((grid.view().boxes.heights > 0) != (width < 1)) support::fail("boxes over a crowd");
      grid.find(found, {.order = hgrid::Order::sorted}), planned.find(expected, {.order = hgrid::Order::sorted});
      if (found.size() != expected.size() || !std::equal(found.pairs(), found.pairs() + found.size(), expected.pairs()))
        support::fail("pairs of a crowd");
    }
    expect_equal_probes(grid, planned, x);
  }
}
