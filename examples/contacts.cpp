// SPDX-License-Identifier: BSD-3-Clause
// The library in plain C++: contacts of a random periodic system, three ways.
#include <hgrid/hgrid.hpp>

#include <atomic>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  constexpr int n = 100000;
  constexpr double length = 100;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(0, length), radius(0.2, 2);
  std::vector<double> x(3 * n), r(n);
  for (double& c : x) c = coordinate(random);
  for (double& a : r) a = radius(random);

  const auto box = hgrid::Box3::periodic({0, 0, 0}, {length, length, length});
  hgrid::Grid grid{hgrid::OpenMPExec{}, box};  // levels are planned at the first build
  auto pairs = grid.make_pairs();
  auto list = grid.make_list(hgrid::ListKind::full);

  for (int step = 0; step < 3; ++step) {  // a time loop would move the particles here
    grid.build(x, r, {.skin = 0.05});
    grid.pairs(pairs);                    // 1. pairs (i, j) with the image of each
    grid.neighbours(list);                // 2. rows of neighbours
  }
  std::atomic<long> contacts = 0;         // 3. no list at all: a functor, called from many threads
  grid.for_each_contact([&](hgrid::index_t, hgrid::index_t, hgrid::Image) { ++contacts; });

  std::printf("%ld pairs, %ld entries in rows, %ld calls\n", long(pairs.size()), long(list.size()), contacts.load());
  for (const auto& level : grid.levels()) {
    std::printf("level: radius to %.3f, cells of %.3f x %.3f, %d particles\n", level.radius_max, level.cell_size[0],
                level.cell_size[1], level.particles);
  }
  return pairs.size() == contacts && list.size() == 2 * pairs.size() ? 0 : 1;
}
