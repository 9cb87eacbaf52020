// SPDX-License-Identifier: BSD-3-Clause
// Systems (worlds), beside the right pairs: lists that are trusted no longer than they hold, worlds that no build accepts, and
// levels for the particles that one world sees.
#pragma once

#include "support/fail.hpp"
#include "support/packings.hpp"

/// n equal packings over each other, each in a box of its own.
inline oracle::System packings_over_each_other(int n, int particles) {
  oracle::System s = support::polydisperse(particles, 1.5, true);
  const std::vector<oracle::Particle> one = s.particles;
  s.worlds = n, s.particles.clear();
  s.boxes.assign(static_cast<std::size_t>(n), s);
  for (int w = 0; w < n; ++w) {
    for (oracle::Particle p : one) p.world = w, s.particles.push_back(p);
  }
  return s;
}

template <class Exec>
void expect_worlds(const Exec& exec) {
  oracle::System s = packings_over_each_other(3, 60);
  s.skin = 0.2;
  hgrid::Grid<Exec, 3> grid(exec);
  grid.set_boxes(support::boxes_of<3>(s));
  const auto build = [&](const oracle::System& now) { grid.build(support::UserArrays<double, 3>(now).view(), {.skin = 0.2}); };
  const auto valid = [&](const oracle::System& now) { return grid.valid(support::UserArrays<double, 3>(now).view()); };
  build(s);
  oracle::System other = s;
  other.particles[7].world = 2;
  if (!valid(s) || valid(other)) support::fail("a particle of another world");
  auto boxes = support::boxes_of<3>(s);
  boxes[1] = hgrid::sheared(boxes[1], 0.3 * boxes[1].length(1));
  grid.set_boxes(boxes);
  if (valid(s)) support::fail("a box of a world that has sheared");
  other.particles[7].world = -1;
  try {
    build(other);
    grid.check();
    support::fail("a world that there is not is accepted");
  } catch (const hgrid::Error& e) {
    if (e.code() != hgrid::ErrorCode::range_error || e.detail().index != 7) support::fail(e.what());
  }
}

/// Expects that particles of a hundred dilute systems (worlds) that lie over each other are as far apart as in one.
template <class Exec>
void expect_sparse_worlds(const Exec& exec) {
  const auto planned = [&](int n) {
    oracle::System s = packings_over_each_other(n, 200);
    for (oracle::Particle& p : s.particles) p.radius *= 0.1;
    hgrid::Grid<Exec, 3> grid(exec);
    grid.set_boxes(support::boxes_of<3>(s));
    grid.build(support::UserArrays<double, 3>(s).view());
    const hgrid::Level<3>& level = grid.plan().levels.level[0];
    return level.cell_size[1] / (2 * level.radius_bound);
  };
  if (std::fabs(planned(100) / planned(1) - 1) > 0.3) support::fail("levels for particles of different worlds");
}
