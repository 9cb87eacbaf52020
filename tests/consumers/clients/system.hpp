// SPDX-License-Identifier: BSD-3-Clause
// The system that all clients search: spheres of size ratio 10 at random, and their contacts by brute force.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <utility>
#include <vector>

struct System {
  std::vector<double> x, r;  // x0 y0 z0 x1 ...

  explicit System(int n, unsigned seed = 1) : x(3 * static_cast<std::size_t>(n)), r(static_cast<std::size_t>(n)) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> coordinate(0, 12), exponent(-1, 0);
    for (double& c : x) c = coordinate(random);
    for (double& a : r) a = std::pow(10, exponent(random));
  }

  int size() const { return static_cast<int>(r.size()); }

  bool touch(int i, int j) const {
    double squared = 0;
    for (int k = 0; k < 3; ++k) squared += (x[3 * i + k] - x[3 * j + k]) * (x[3 * i + k] - x[3 * j + k]);
    return squared <= (r[i] + r[j]) * (r[i] + r[j]);
  }

  /// Returns the pairs i < j for which `counts(i, j)` is true.
  template <class Counts>
  std::set<std::pair<int, int>> contacts(const Counts& counts) const {
    std::set<std::pair<int, int>> found;
    for (int i = 0; i < size(); ++i) {
      for (int j = i + 1; j < size(); ++j) {
        if (counts(i, j) && touch(i, j)) found.emplace(i, j);
      }
    }
    return found;
  }
};

inline void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}
