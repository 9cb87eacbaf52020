// SPDX-License-Identifier: BSD-3-Clause
// 002, section 7: discs on lattices; the time of ten detections, which count all contacts.
#include <numeric>
#include <random>

#include "experiments.hpp"

namespace papers {
namespace {

using namespace hgrid::reference;

// Runs n x n discs of diameter 1; column i is at column_at(i), rows are dy apart. When shuffled, neighbors in space are no
// neighbors in memory, as in a system that has moved.
template <class F>
Points<2> discs(int n, F&& column_at, double dy, bool shuffled) {
  std::vector<int> order(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  if (shuffled) std::shuffle(order.begin(), order.end(), std::mt19937(1));
  Points<2> points;
  for (const int i : order) {
    points.x.push_back(column_at(i % n));
    points.x.push_back(i / n * dy);
  }
  points.r.assign(order.size(), 0.5);
  return points;
}

void row(const char* figure, double spacing, bool shuffled, const Points<2>& points) {
  const Bodies<2> bodies = points.bodies();
  const Lattice<2> lattice = nbs_lattice(bodies);
  Nbs2 search;
  NbsCounts counts;
  Contacts found;
  const double ten = seconds(5, [&] {
    for (int k = 0; k < 10; ++k) {
      found.pairs.clear();
      PairTester<2> pairs(bodies, found);
      search.search(bodies, lattice, pairs);
      counts = search.counts();
    }
  });
  const double loops = std::accumulate(counts.loop.begin(), counts.loop.end(), 0.0);
  std::printf("%s,%g,%d,%d,%.6g,%.4g,%lld,%zu,%lld\n", figure, spacing, shuffled, bodies.size(), ten, loops / bodies.size(),
              static_cast<long long>(counts.tests), found.pairs.size(), static_cast<long long>(counts.memory));
  std::fflush(stdout);
}

}  // namespace

void nbs() {
  std::puts("figure,spacing,shuffled,N,seconds_of_ten,loops_per_N,tests,contacts,memory");
  const auto spaced = [](double s) { return [s](int i) { return i * s; }; };
  for (const bool shuffled : {false, true}) {
    for (const int n : {10, 32, 100, 173, 300, 550, 1000}) row("14", 1, shuffled, discs(n, spaced(1), 2, shuffled));
    for (const double s : {1, 2, 5, 10, 20, 50, 100, 150, 200}) {
      row("16", s, shuffled, discs(100, spaced(s), 2, shuffled));
      row("18", s, shuffled, discs(100, spaced(s), s, shuffled));
      // Fig. 19 as read here: touching pairs of discs, their gaps S.
      row("20", s, shuffled,
          discs(
              100, [s](int i) { return i / 2 * (1 + s) + i % 2; }, 2, shuffled));
    }
  }
}

}  // namespace papers
