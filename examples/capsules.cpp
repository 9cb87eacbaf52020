// SPDX-License-Identifier: BSD-3-Clause
// Contacts of capsules: spheres around them are the grid's particles, and a predicate within the search decides which touch.
#include <cmath>
#include <hgrid/hgrid.hpp>
#include <iostream>
#include <random>
#include <vector>

#include "capsule.hpp"

int main() {
  const std::size_t n = 20000;
  const hgrid::Box3 box = hgrid::Box3::periodic({0, 0, 0}, {20, 20, 20});
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(0, 20), part(-1, 1), width(0.05, 0.2);
  std::vector<double> x(3 * n), radius(n);
  std::vector<Vector> half(n);
  for (double& coordinate : x) coordinate = place(random);
  for (std::size_t i = 0; i < n; ++i) {
    radius[i] = width(random);
    for (int k = 0; k < 3; ++k) half[i][k] = 3 * radius[i] * part(random);
  }

  // [docs: search]
  std::vector<double> around(n);  // radii of spheres that hold the capsules, a little larger because roots are rounded
  for (std::size_t i = 0; i < n; ++i) around[i] = (std::sqrt(dot(half[i], half[i])) + radius[i]) * (1 + 1e-15);
  hgrid::Grid grid{hgrid::OpenMPExec{}, box};
  grid.build(x, around);

  const Capsules touch{box, x.data(), half.data(), radius.data()};
  auto pairs = grid.make_pairs();
  grid.find(pairs, hgrid::only(touch));  // {.order = hgrid::Order::sorted} after it, if you like
  auto neighbours = grid.make_list(hgrid::ListKind::full);
  grid.find(neighbours, hgrid::only(touch));
  // [docs: end]

  const hgrid::offset_t spheres = grid.count();
  std::cout << n << " capsules: " << pairs.size() << " contacts, of " << spheres << " of their spheres\n";
  const bool fits = 0 < pairs.size() && pairs.size() < spheres && neighbours.size() == 2 * pairs.size();
  return fits && grid.count(hgrid::only(touch)) == pairs.size() ? 0 : 1;
}
