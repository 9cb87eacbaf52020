// SPDX-License-Identifier: BSD-3-Clause
// The sort that threads of a device do together, by one that is alone.
#pragma once

#include <memory>

#include "hgrid/device/team_sort.hpp"
#include "support/drawn_lists.hpp"
#include "support/fail.hpp"

struct LoneTeam {
  static constexpr int threads = 1;
  int thread() const { return 0; }
  void barrier() const {}
  bool any(bool bit) const { return bit; }
  int sum_of_warp(int v) const { return v; }
};

/// Each list by itself, or all of them together, of which some end with the neighbour with which the next begins.
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
