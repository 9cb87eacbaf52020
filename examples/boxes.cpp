// SPDX-License-Identifier: BSD-3-Clause
// Contacts of boxes, and of capsules in the boxes around them.
#include <cmath>
#include <hgrid/hgrid.hpp>
#include <iostream>
#include <random>
#include <vector>

#include "capsule.hpp"

int main() {
  const std::int64_t n = 20000;
  const hgrid::Box3 box = hgrid::Box3::periodic({0, 0, 0}, {20, 20, 20});
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(0, 20), part(-1, 1), width(0.05, 0.2);
  std::vector<double> x(3 * n), extents(3 * n), radius(n);
  std::vector<Vector> half(n);
  for (double& coordinate : x) coordinate = place(random);
  for (double& extent : extents) extent = width(random);
  for (std::int64_t i = 0; i < n; ++i) {
    radius[i] = width(random);
    for (int k = 0; k < 3; ++k) half[i][k] = 3 * radius[i] * part(random);
  }

  // [docs: boxes]
  hgrid::Grid grid{hgrid::OpenMPExec{}, box};
  grid.build(hgrid::extended_particles<3>(x.data(), extents.data(), n));  // half extents: three numbers each, as x
  auto pairs = grid.make_pairs();
  grid.find(pairs);  // boxes that overlap, or just touch
  // [docs: end]
  const hgrid::offset_t of_boxes = pairs.size();

  // [docs: capsules]
  for (std::int64_t i = 0; i < n; ++i) {  // boxes that hold the capsules, a little larger because sums are rounded
    for (int k = 0; k < 3; ++k) extents[3 * i + k] = (std::abs(half[i][k]) + radius[i]) * (1 + 1e-15);
  }
  grid.build(hgrid::extended_particles<3>(x.data(), extents.data(), n));
  const Capsules touch{box, x.data(), half.data(), radius.data()};
  grid.find(pairs, hgrid::only(touch));
  // [docs: end]

  const hgrid::offset_t asked = grid.count(), of_capsules = pairs.size();
  for (std::int64_t i = 0; i < n; ++i) radius[i] = (std::sqrt(dot(half[i], half[i])) + radius[i]) * (1 + 1e-15);
  grid.build(x, radius);
  std::cout << of_boxes << " contacts of boxes; " << of_capsules << " of capsules, of " << asked << " of their boxes and "
            << grid.count() << " of their spheres\n";
  return 0 < of_boxes && 0 < of_capsules && of_capsules < asked && asked < grid.count() ? 0 : 1;
}
