// SPDX-License-Identifier: BSD-3-Clause
// Contacts between two sets: grains, and the particles of a wall that does not move.
#include <atomic>
#include <hgrid/hgrid.hpp>
#include <hgrid/queries.hpp>
#include <iostream>
#include <vector>

int main() {
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {10, 10, 10}, {true, true, false});
  std::vector<double> wall, wall_radii(100, 0.5);  // a floor of 10 by 10 particles
  for (int i = 0; i < 100; ++i) wall.insert(wall.end(), {i % 10 + 0.5, i / 10 + 0.5, 0.0});
  const std::vector<double> grains = {2, 2, 1.2, 9.9, 5.5, 0.9, 5, 5, 4}, radii = {1, 0.5, 1};

  // [docs: ask]
  hgrid::Grid floor{hgrid::OpenMPExec{}, box}, moving{hgrid::OpenMPExec{}, box};
  floor.build(wall, wall_radii);                     // once
  moving.build(grains, radii, {.skin = 0.1});        // at each step, or when its list is stale
  auto rows = floor.make_list(hgrid::ListKind::full);
  floor.find(rows, moving);                          // list i: the particles of the floor that touch grain i
  std::atomic<int> touching = 0;
  floor.for_each_partner([&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { ++touching; }, moving);  // i, j, m
  // [docs: end]

  std::cout << rows.size() << " contacts\n";
  return rows.size() == touching && rows.offsets()[1] == 4 && rows.offsets()[3] == rows.offsets()[2] ? 0 : 1;
}
