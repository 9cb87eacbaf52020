// SPDX-License-Identifier: BSD-3-Clause
// The sort that threads of a device do together, against the sort of one thread; and the sort of hosts for floats.
#pragma once

#include <algorithm>
#include <memory>

#include "hgrid/device/team_sort.hpp"
#include "support/drawn_lists.hpp"
#include "support/fail.hpp"
#include "support/packings.hpp"

struct LoneTeam {
  static constexpr int threads = 1;
  int thread() const { return 0; }
  void barrier() const {}
  bool any(bool bit) const { return bit; }
  int sum_of_warp(int v) const { return v; }
};

/// Sorts each list by itself, or all of them together. Some lists end with the neighbor with which the next begins.
inline void expect_sorts() {
  using Sort = hgrid::detail::TeamSort<LoneTeam, hgrid::detail::ListEntries, 512>;
  const auto room = std::make_unique<Sort::Room>();
  LoneTeam team;
  const std::vector<int> single{1, 2, 0, 31, 32, 33, 64, 65, 300, 500}, several{3, 1, 0, 1, 1, 1, 1, 40, 40, 2, 2};
  for (const int times : {1, 2, 40}) {
    for (const bool together : {false, true}) {
      support::DrawnLists drawn(together ? several : single, times, support::DrawnLists::Order::any);
      const hgrid::detail::ListEntries entries{drawn.neighbours.data(), drawn.images.data()};
      for (std::size_t list = 0; list + 1 < drawn.offsets.size(); ++list) {
        const auto begin = static_cast<int>(drawn.offsets[list]), end = static_cast<int>(drawn.offsets[list + 1]);
        if (together) {
          Sort::note_list(*room, begin, end);
        } else {
          Sort(team, *room, entries, begin, end - begin).sort();
        }
      }
      if (together) Sort(team, *room, entries, 0, static_cast<int>(drawn.offsets.back())).sort_lists();
      const bool sorted = drawn.neighbours == drawn.sorted_neighbours && drawn.images == drawn.sorted_images;
      if (!sorted) support::fail("lists sorted by a team");
    }
  }
}

/// Expects that slots of floats equal slots of these numbers in doubles.
template <class Exec>
void expect_floats(const Exec& exec) {
  for (const bool periodic : {false, true}) {
    oracle::System s = support::polydisperse(500, 3, periodic);
    for (oracle::Particle& p : s.particles) {
      for (int k = 0; k < 3; ++k) p.x[k] = static_cast<float>(p.x[k] + (periodic ? s.hi[k] - s.lo[k] : 0));
      p.radius = static_cast<float>(p.radius), p.extra = periodic ? 0 : 0.25;
    }
    hgrid::Grid<Exec, 3> grid(exec, support::box_of<3>(s)), of_floats(exec, support::box_of<3>(s));
    grid.build(support::UserArrays<double, 3>(s).view()), of_floats.build(support::UserArrays<float, 3>(s).view());
    const hgrid::GridView<3> a = grid.view(), b = of_floats.view();
    const auto same = [n = a.slots()](const auto* p, const auto* q) { return std::equal(p, p + n, q); };
    if (a.slots() != b.slots() || !same(a.id, b.id) || !same(a.radius, b.radius) || !same(a.x[0], b.x[0]) ||
        !same(a.x[1], b.x[1]) || !same(a.x[2], b.x[2]))
      support::fail("slots of floats");
  }
}
