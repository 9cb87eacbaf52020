// SPDX-License-Identifier: BSD-3-Clause
// Contacts of superellipsoids, from ellipsoids to nearly boxes and cylinders, found as in examples/capsules.cpp.
#include <hgrid/hgrid.hpp>
#include <iostream>
#include <random>
#include <vector>

#include "superellipsoid.hpp"

int main() {
  const std::size_t n = 5000;
  const hgrid::Box3 box = hgrid::Box3::periodic({0, 0, 0}, {20, 20, 20});
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(0, 20), size(0.3, 0.9), angle(0, 6.28), exponent(2, 8);
  std::vector<double> x(3 * n), around(n);
  std::vector<Superellipsoid> shape(n);
  for (double& coordinate : x) coordinate = place(random);
  for (std::size_t i = 0; i < n; ++i) {
    const double a = angle(random), b = angle(random);
    shape[i].axis[0] = {std::cos(a), std::sin(a), 0};
    shape[i].axis[1] = {-std::sin(a) * std::cos(b), std::cos(a) * std::cos(b), std::sin(b)};
    shape[i].axis[2] = {std::sin(a) * std::sin(b), -std::cos(a) * std::sin(b), std::cos(b)};
    for (double& half : shape[i].half) half = size(random);
    shape[i].e = exponent(random), shape[i].n = exponent(random);
    around[i] = shape[i].around();
  }

  hgrid::Grid grid{hgrid::OpenMPExec{}, box};
  grid.build(x, around);
  const Superellipsoids touch{box, x.data(), shape.data()};
  auto pairs = grid.make_pairs();
  grid.find(pairs, hgrid::only(touch));

  const hgrid::offset_t spheres = grid.count();
  std::cout << n << " superellipsoids: " << pairs.size() << " contacts, of " << spheres << " of their spheres\n";
  return 0 < pairs.size() && pairs.size() < spheres && grid.count(hgrid::only(touch)) == pairs.size() ? 0 : 1;
}
