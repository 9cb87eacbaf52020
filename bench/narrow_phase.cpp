// SPDX-License-Identifier: BSD-3-Clause
// Contacts of capsules: a predicate within the search, against a list of the spheres' contacts that is filtered afterwards.
// narrow_phase [bodies] [runs] [slenderness]; the least of the runs, alternated, on two threads.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "../examples/capsule.hpp"
#include "hgrid/hgrid.hpp"

namespace {

template <class F>
double seconds(const F& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Filters the pairs and images of a list by a predicate, in memory that is kept. Each thread filters a part.
class Filter {
 public:
  explicit Filter(int threads) : exec_(threads), threads_(threads), begin_(static_cast<std::size_t>(threads) + 1) {}

  template <class List, class Touches>
  std::size_t operator()(const List& list, const Touches& touches) {
    const auto columns = list.columns();
    const auto n = static_cast<std::size_t>(list.size());
    if (pairs_.size() < n) pairs_.resize(n), images_.resize(n);
    exec_.run_parts("filter", threads_, [&](hgrid::offset_t k_part) {
      const auto part = static_cast<std::size_t>(k_part), parts = static_cast<std::size_t>(threads_);
      std::size_t to = n * part / parts;
      for (std::size_t k = to; k < n * (part + 1) / parts; ++k) {
        const hgrid::Contact c = columns[static_cast<hgrid::offset_t>(k)];
        pairs_[to] = {c.i, c.j}, images_[to] = c.image;
        to += touches(c.i, c.j, c.image);
      }
      begin_[part + 1] = to - n * part / parts;
    });
    std::size_t total = 0;
    for (std::size_t part = 0; part < static_cast<std::size_t>(threads_); ++part) {
      const std::size_t from = n * part / static_cast<std::size_t>(threads_), size = begin_[part + 1];
      std::copy_n(pairs_.data() + from, size, pairs_.data() + total);
      std::copy_n(images_.data() + from, size, images_.data() + total);
      total += size;
    }
    return total;
  }

 private:
  hgrid::OpenMPExec exec_;
  int threads_;
  std::vector<std::size_t> begin_;
  std::vector<hgrid::Pair> pairs_;
  std::vector<hgrid::Image> images_;
};

}  // namespace

int main(int argc, char** argv) {
  const auto n = static_cast<std::size_t>(argc > 1 ? std::atoll(argv[1]) : 1000000);
  const int runs = argc > 2 ? std::atoi(argv[2]) : 9;
  const double slenderness = argc > 3 ? std::atof(argv[3]) : 4;  // half of the segment, in radii
  const double length = std::cbrt(static_cast<double>(n) * 60);
  const hgrid::Box3 box = hgrid::Box3::periodic({0, 0, 0}, {length, length, length});
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(0, length);
  std::normal_distribution<double> direction;
  std::vector<double> x(3 * n), radius(n, 0.5), around(n);
  std::vector<Vector> half(n);
  for (double& coordinate : x) coordinate = place(random);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) half[i][k] = direction(random);
    const double scale = slenderness * radius[i] / std::sqrt(dot(half[i], half[i]));
    for (int k = 0; k < 3; ++k) half[i][k] *= scale;
    around[i] = (slenderness * radius[i] + radius[i]) * (1 + 1e-15);
  }
  constexpr int threads = 2;
  hgrid::Grid grid{hgrid::OpenMPExec{threads}, box};
  grid.build(x, around);
  const Capsules touch{box, x.data(), half.data(), radius.data()};
  auto inside = grid.make_pairs(), spheres = grid.make_pairs();
  Filter filter(threads);
  double least_inside = 1e9, least_after = 1e9, least_list = 1e9;
  std::size_t touching = 0;
  for (int run = 0; run < runs; ++run) {
    least_inside = std::min(least_inside, seconds([&] { grid.find(inside, hgrid::only(touch)); }));
    double listed = 0;
    const double after = seconds([&] {
      listed = seconds([&] { grid.find(spheres); });
      touching = filter(spheres, touch);
    });
    least_after = std::min(least_after, after), least_list = std::min(least_list, listed);
  }
  std::printf("%zu capsules, half segments of %g radii: %lld contacts of spheres, %lld of capsules\n", n, slenderness,
              static_cast<long long>(spheres.size()), static_cast<long long>(inside.size()));
  std::printf("predicate within the search %.3f s; list of spheres' contacts, then filtered %.3f s (the list alone %.3f s)\n",
              least_inside, least_after, least_list);
  std::printf("memory of the lists: %.0f and %.0f MB\n", static_cast<double>(inside.bytes()) / 1e6,
              static_cast<double>(spheres.bytes()) / 1e6);
  return touching == static_cast<std::size_t>(inside.size()) ? 0 : 1;
}
