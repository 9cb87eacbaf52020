// SPDX-License-Identifier: BSD-3-Clause
// A crowd in few cells, which boxes over slots are for, and the same particles after the crowd has gone.
#pragma once

#include <vector>

#include "hgrid/hgrid.hpp"
#include "support/fail.hpp"
#include "support/random.hpp"

/// Builds 3,000 spheres, half of them within 1e-5, in cells that fit the others, and then, by the same grid, all of them far
/// apart. Expects as many contacts as a grid finds that plans its own levels.
template <class Exec>
void expect_crowd_that_disperses(const Exec& exec) {
  hgrid::Grid<Exec, 3> grid(exec, hgrid::Box3::open(), {.levels = {{0.025, {0.05, 0.05, 0.05}}}});
  for (const double width : {1e-5, 1.0}) {
    support::Random random(5);
    std::vector<double> x, r;
    for (int i = 0; i < 3000; ++i) {
      const double side = i % 2 == 0 ? 1 : width;
      for (int k = 0; k < 3; ++k) x.push_back(0.5 + random.real(-0.5, 0.5) * side);
      r.push_back(0.02 * side);
    }
    const auto particles = hgrid::particles<3>(x.data(), r.data(), 3000);
    grid.build(particles);
    if ((grid.view().boxes.heights > 0) != (width < 1)) support::fail("boxes over a crowd");
    hgrid::Grid<Exec, 3> planned(exec);
    planned.build(particles);
    if (grid.count() != planned.count()) support::fail("contacts of a crowd");
  }
}
