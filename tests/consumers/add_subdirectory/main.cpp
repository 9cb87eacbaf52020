// SPDX-License-Identifier: BSD-3-Clause
// A user's program: three unit spheres in a row. Only adjacent ones touch.
#include <hgrid/hgrid.hpp>
#include <hgrid/version.hpp>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<double> positions{0, 0, 0, 2, 0, 0, 4, 0, 0};
  const std::vector<double> radii{1, 1, 1};

  hgrid::OpenMPExec exec;
  hgrid::Grid grid{exec, hgrid::Box3::open()};
  grid.build(hgrid::particles<3>(positions.data(), radii.data(), 3));
  auto pairs = grid.make_pairs();
  grid.find(pairs);

  std::printf("hgrid %s: %lld pairs\n", HGRID_VERSION, static_cast<long long>(pairs.size()));
  return pairs.size() == 2 ? 0 : 1;
}
