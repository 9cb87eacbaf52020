// SPDX-License-Identifier: BSD-3-Clause
// Lists of particles that a client wraps and copies beyond the faces.
#pragma once

#include <algorithm>
#include <utility>

#include "hgrid/loop/copies.hpp"
#include "support/fail.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

template <class Exec>
void expect_copies(const Exec& exec) {
  constexpr hgrid::index_t n = 60;
  oracle::System wrapped = support::polydisperse(n, 2, true, 3), s = wrapped;
  std::vector<hgrid::Image> periods, image;
  std::vector<hgrid::index_t> owner;
  for (hgrid::index_t i = 0; i < n; ++i) {
    periods.push_back({{i % 3 - 1, 0, i % 2}});
    for (int k = 0; k < 3; ++k) s.particles[static_cast<std::size_t>(i)].x[k] += periods.back()[k] * (s.hi[k] - s.lo[k]);
  }
  hgrid::Copies copies(hgrid::MissingCopy::skip);
  copies.take(n, std::vector<hgrid::index_t>{4}, std::vector<hgrid::Image>{{{0, 7, 0}}});  // copies of the step before
  for (int c = 0; c < 27; ++c) {
    const hgrid::Image m{{c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1}};
    for (hgrid::index_t i = 0; i < n && m != hgrid::Image{}; ++i) {
      owner.push_back(i), image.push_back(m);
      wrapped.particles.push_back(wrapped.particles[static_cast<std::size_t>(i)]);
      for (int k = 0; k < 3; ++k) wrapped.particles.back().x[k] += m[k] * (s.hi[k] - s.lo[k]);
    }
  }
  copies.take(n, owner, image, periods);
  const auto touch = [&](hgrid::index_t i, hgrid::index_t j) {
    const oracle::Particle &a = wrapped.particles[static_cast<std::size_t>(i)],
                           &b = wrapped.particles[static_cast<std::size_t>(j)];
    double squared = 0;
    for (int k = 0; k < 3; ++k) squared += (a.x[k] - b.x[k]) * (a.x[k] - b.x[k]);
    return squared <= (a.radius + b.radius) * (a.radius + b.radius);
  };
  std::vector<std::pair<hgrid::index_t, hgrid::index_t>> found, expected;
  for (hgrid::index_t i = 0; i < n; ++i) {
    for (auto j = i + 1; j < static_cast<hgrid::index_t>(wrapped.particles.size()); ++j) {
      if (touch(i, j)) expected.emplace_back(i, j);
    }
  }
  hgrid::Grid<Exec, 3> grid(exec, support::box_of<3>(s));
  grid.build(support::UserArrays<double, 3>(s).view(), {.skin = 0.1});
  auto list = grid.make_list();
  grid.find(list);
  copies.for_each_pair(list, [&](hgrid::index_t i, hgrid::index_t j) {
    if (touch(i, j)) found.emplace_back(i, j);
  });
  std::sort(found.begin(), found.end());
  if (found != expected || expected.back().second < n) support::fail("pairs of particles and copies");
  if (copies.find(0, 4, {{1, 7, 0}}) != hgrid::Copies::missing) support::fail("a copy of the step before");
}
