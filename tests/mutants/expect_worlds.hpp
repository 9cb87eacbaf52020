// SPDX-License-Identifier: BSD-3-Clause
// Systems (worlds), beside the right pairs: lists that are trusted no longer than they hold, worlds that no build accepts, and
// levels for the particles that one world sees.
#pragma once

#include <algorithm>
#include <mutex>
#include <tuple>
#include <vector>

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

/// Expects the partners in many small worlds, with images, to be the partners in each world alone. Two boxes take turns. The
/// second vector of both is the same; in the narrow box it is longer than the shortest one by a period of the first.
template <class Exec>
void expect_alike_shifts(const Exec& exec) {
  const std::vector<hgrid::Box2> two{hgrid::tilted(hgrid::Box2::periodic({0, 0}, {16, 10}), {-4}),
                                     hgrid::tilted(hgrid::Box2::periodic({0, 0}, {5, 10}), {-4})};
  constexpr hgrid::index_t worlds = 40, each = 4;
  support::Random random(5);
  std::vector<hgrid::Box2> boxes;
  std::vector<double> x;
  std::vector<hgrid::index_t> world;
  for (hgrid::index_t w = 0; w < worlds; ++w) {
    boxes.push_back(two[w % 2]);
    for (const double y : {0.2, 0.2, 9.8, 9.8}) x.push_back(random.real(0, 5)), x.push_back(y), world.push_back(w);
  }
  const std::vector<double> r(world.size(), 0.6);
  const std::vector<hgrid::index_t> group(world.size(), -1);
  const auto view = [&](hgrid::index_t first, hgrid::index_t count) {
    auto particles = hgrid::particles<2>(x.data() + 2 * first, r.data() + first, count);
    particles.group = group.data();
    return particles;
  };
  const auto partners = [](hgrid::Grid<Exec, 2>& grid, hgrid::index_t first) {
    std::vector<hgrid::Contact> found;
    std::mutex one;
    grid.for_each_partner([&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image& image) {
      const std::lock_guard<std::mutex> lock(one);
      found.push_back({i + first, j + first, image});
    });
    return found;
  };
  hgrid::Grid<Exec, 2> all(exec);
  all.set_boxes(boxes);
  auto particles = view(0, worlds * each);
  particles.worlds = {world.data(), worlds};
  all.build(particles);
  std::vector<hgrid::Contact> found = partners(all, 0), expected;
  for (hgrid::index_t w = 0; w < worlds; ++w) {
    hgrid::Grid<Exec, 2> alone(exec, boxes[w]);
    alone.build(view(w * each, each));
    for (const hgrid::Contact& contact : partners(alone, w * each)) expected.push_back(contact);
  }
  const auto key = [](const hgrid::Contact& c) { return std::tuple(c.i, c.j, c.image[0], c.image[1]); };
  const auto before = [&](const hgrid::Contact& a, const hgrid::Contact& b) { return key(a) < key(b); };
  std::sort(found.begin(), found.end(), before), std::sort(expected.begin(), expected.end(), before);
  if (expected.size() < 80 || found != expected) support::fail("images of worlds whose boxes have a vector in common");
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
