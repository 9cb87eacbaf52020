// SPDX-License-Identifier: BSD-3-Clause
// A client like LAMMPS and LIGGGHTS: neighbor lists of the owned particles, whose ghosts follow them in all arrays. Each pair
// of an owned particle and a ghost stands in the list of the owned one; no two ghosts pair. The list holds for some steps by a
// skin.
#include <hgrid/hgrid.hpp>

#include "system.hpp"

int main() {
  System system(1200);
  const int owned = 700;
  constexpr double skin = 0.05;
  hgrid::Grid grid{hgrid::OpenMPExec{}, hgrid::Box3::open()};

  // [docs: ghost_lists]
  auto particles = hgrid::particles<3>(system.x.data(), system.r.data(), system.size());  // owned ones, then ghosts
  particles.owned = owned;
  grid.build(particles, {.skin = skin});
  auto half = grid.make_list();  // each pair with its smaller id, hence pairs with ghosts in lists of owned particles
  grid.find(half);
  // [docs: end]

  std::set<std::pair<int, int>> found;
  for (int i = 0; i < owned; ++i) {
    for (auto k = half.offsets()[i]; k < half.offsets()[i + 1]; ++k) {
      const int j = half.neighbours()[k];
      require(i < j, "a half list has the larger id");
      if (system.touch(i, j)) found.emplace(i, j);  // not merely within the skin
    }
  }
  for (int i = owned; i < system.size(); ++i) require(half.offsets()[i] == half.offsets()[i + 1], "ghosts have no lists");
  const auto expected = system.contacts([&](int i, int) { return i < owned; });
  require(found == expected && found.size() > 100, "the lists of owned particles");

  for (double& c : system.x) c += 0.014;  // a way of 0.024
  require(grid.valid(particles), "the list holds while nothing has moved by half the skin");
  for (double& c : system.x) c += 0.001;  // of 0.026
  require(!grid.valid(particles), "then it is stale");
}
