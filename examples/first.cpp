// SPDX-License-Identifier: BSD-3-Clause
#include <hgrid/hgrid.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(0, 100), size(0.2, 2);
  std::vector<double> x(300000), r(100000), overlap(100000);  // x: x0 y0 z0 x1 ...
  for (double& c : x) c = place(random);
  for (double& a : r) a = size(random);

  auto box = hgrid::Box3::periodic({0, 0, 0}, {100, 100, 100});  // or open(); Box2 in two dimensions
  hgrid::Grid grid{hgrid::OpenMPExec{}, box};                    // levels are planned at the first build
  grid.build(x, r);                                              // in a loop: no allocation from the third build on
  grid.for_each_partner([&](hgrid::index_t i, hgrid::index_t j, hgrid::Image m) {  // all of one i in one thread
    const auto d = hgrid::separation(box, &x[3 * i], &x[3 * j], m);                  // x_i - x_j - m L
    overlap[i] += r[i] + r[j] - std::hypot(d[0], d[1], d[2]);
  });

  auto pairs = grid.make_pairs();
  grid.find(pairs);  // each contact once: pairs.pairs()[k] is (i, j), pairs.images()[k] its image
  std::printf("%lld contacts\n", static_cast<long long>(pairs.size()));
}
