// SPDX-License-Identifier: BSD-3-Clause
// Contacts with walls, which keep their numbers while particles change theirs, and with the particles of other grids.
#pragma once

#include <algorithm>

#include "expect_mesh.hpp"
#include "expect_two_sets.hpp"
#include "hgrid/loop/history.hpp"
#include "support/asked.hpp"
#include "support/fail.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

template <class Exec>
void expect_walls(const Exec& exec) {
  expect_mesh(exec);
  expect_two_sets(exec);
  oracle::System s = support::polydisperse(60, 2, true, 3);
  std::vector<hgrid::Region<3>> walls;
  for (int q = 0; q < 8; ++q) {
    const oracle::Particle& p = s.particles[static_cast<std::size_t>(7 * q)];
    walls.push_back(hgrid::Region<3>::sphere({p.x[0], p.x[1], p.x[2]}, 1.5));
  }
  auto grid = support::built(exec, s);
  const auto before = support::asked(grid, hgrid::Regions{walls.data(), 8});
  std::reverse(s.particles.begin(), s.particles.end());
  std::vector<hgrid::index_t> old_id;
  std::vector<hgrid::Image> periods;
  for (hgrid::index_t i = 0; i < 60; ++i) {
    old_id.push_back(59 - i), periods.push_back({{i % 3 - 1, 0, i % 2}});
    oracle::Particle& p = s.particles[static_cast<std::size_t>(i)];
    for (int k = 0; k < 3; ++k) p.x[k] -= periods.back()[k] * (s.hi[k] - s.lo[k]);
  }
  grid.build(support::UserArrays<double, 3>(s).view());
  const auto now = support::asked(grid, hgrid::Regions{walls.data(), 8});
  hgrid::History history(exec);
  history.remap(before, now, {old_id.data(), periods.data()});
  if (now.size() < 20) support::fail("walls without contacts");
  for (hgrid::index_t q = 0; q < 8; ++q) {
    for (hgrid::offset_t k = now.offsets()[q]; k < now.offsets()[q + 1]; ++k) {
      const hgrid::offset_t from = history.from()[k];
      const bool found = from >= before.offsets()[q] && from < before.offsets()[q + 1];
      if (!found || before.neighbours()[from] != 59 - now.neighbours()[k]) support::fail("history of walls");
    }
  }
}
