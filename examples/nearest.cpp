// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of a point, by their centres and by their surfaces.
#include <hgrid/hgrid.hpp>
#include <hgrid/queries.hpp>
#include <iostream>
#include <vector>

int main() {
  const std::vector<double> x = {1, 1, 1, 9, 1, 1, 5, 5, 5};  // three particles in a periodic box
  const std::vector<double> r = {0.5, 0.5, 3};
  hgrid::Grid grid{hgrid::OpenMPExec{}, hgrid::Box3::periodic({0, 0, 0}, {10, 10, 10})};
  grid.build(x, r);

  // [docs: ask]
  hgrid::Nearest nearest{grid};
  const std::vector<hgrid::Vec<double, 3>> points = {{0.5, 1, 1}};
  auto found = nearest.of_points(points, {.k = 2});  // entry [q * k + e] is of the e-th nearest particle of point q
  for (int e = 0; e < found.k; ++e) std::cout << found.ids[e] << " at " << found.distances[e] << '\n';
  found = nearest.of_points(points, {.k = 1, .by = hgrid::NearestBy::surfaces, .within = 2});
  found = nearest.of_particles({.k = 2});  // row i: the two nearest others of particle i
  // [docs: end]
  return found.ids[0] == 1 ? 0 : 1;
}
