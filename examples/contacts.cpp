// SPDX-License-Identifier: BSD-3-Clause
// The library in plain C++: forces in a random periodic system, and its contacts as lists.
#include <hgrid/hgrid.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  constexpr int n = 100000;
  constexpr double length = 100, stiffness = 1;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(0, length), radius(0.2, 2);
  std::vector<double> x(3 * n), r(n), f(3 * n);
  for (double& c : x) c = coordinate(random);
  for (double& a : r) a = radius(random);

  auto box = hgrid::Box3::periodic({0, 0, 0}, {length, length, length});  // or open(); Box2 in two dimensions
  hgrid::Grid grid{hgrid::OpenMPExec{}, box};                             // levels are planned at the first build
  for (int step = 0; step < 3; ++step) {                                  // a time loop would move the particles
    grid.build(x, r);                                                     // no allocation from the third build on
    std::fill(f.begin(), f.end(), 0.0);
    grid.for_each_partner([&](hgrid::index_t i, hgrid::index_t j, hgrid::Image m) {  // all of one i in one thread
      const auto d = hgrid::separation(box, &x[3 * i], &x[3 * j], m);       // x_i - x_j - m L
      const double distance = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), overlap = r[i] + r[j] - distance;
      if (overlap <= 0 || distance == 0) return;                          // touching, or merely within a skin
      for (int k = 0; k < 3; ++k) f[3 * i + k] += stiffness * overlap * d[k] / distance;
    });
  }

  // [docs: lists]
  auto pairs = grid.make_pairs();
  grid.find(pairs);                                    // pairs.pairs()[k] is (i, j), pairs.images()[k] its image
  auto rows = grid.make_list(hgrid::ListKind::full);
  grid.find(rows);                                // CSR: partners of i at offsets()[i] .. offsets()[i + 1]
  auto packed = grid.make_packed_list(hgrid::ListKind::full);
  grid.find(packed);                              // equal entries in 8 bytes each
  const hgrid::PackedView view(packed);                 // view.neighbour(k), view.image(i, k) for the entries of i
  // [docs: end]

  double sum = 0, size = 0;
  for (int i = 0; i < n; ++i) sum += f[3 * i], size += std::fabs(f[3 * i]);
  std::printf("%ld pairs, %ld entries in rows, forces of %.3g along x, whose sum is %.1e\n", long(pairs.size()),
              long(rows.size()), size, sum);
  for (const auto& level : grid.levels()) {
    std::printf("level: radius to %.3f, cells of %.3f x %.3f, %d particles\n", level.radius_max, level.cell_size[0],
                level.cell_size[1], level.particles);
  }
  for (int i = 0; i < n; ++i) {
    for (auto k = view.offsets[i]; k < view.offsets[i + 1]; ++k) {
      if (view.neighbour(k) != rows.neighbours()[k] || view.image(i, k) != rows.images()[k]) return 1;
    }
  }
  return rows.size() == 2 * pairs.size() && std::fabs(sum) < 1e-9 * size ? 0 : 1;
}
