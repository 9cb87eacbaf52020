// SPDX-License-Identifier: BSD-3-Clause
// The experiments, and their shared helpers.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "papers/systems/find_contacts.hpp"

namespace papers {

void nbs();            ///< 002, Examples I to IV: Figs. 14, 16, 18 and 20
void distance_sort();  ///< 003, Fig. 2 and Tables 1 to 3
void cell_space();     ///< 004, Fig. 5
void jet();            ///< 002, the jet of half a million discs

/// The median seconds of `runs` calls, after one that warms up.
template <class F>
double seconds(int runs, F&& f) {
  f();
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    f();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[static_cast<std::size_t>(runs / 2)];
}

/// Points in D dimensions, interleaved, with a radius each.
template <int D>
struct Points {
  std::vector<double> x, r;

  hgrid::reference::Bodies<D> bodies() const {
    return {hgrid::particles<D>(x.data(), r.data(), static_cast<std::int64_t>(r.size())), hgrid::Box<D>::open(), 0};
  }
};

}  // namespace papers
