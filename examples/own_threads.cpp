// SPDX-License-Identifier: BSD-3-Clause
// A code that has threads of its own: hgrid works on them.
#include <cstdio>
#include <vector>

#include "thread_pool.hpp"

int main() {
  const std::vector<double> positions{0, 0, 0, 1.5, 0, 0, 0, 4, 0, 0, 5.5, 0.5};
  const std::vector<double> radii{1, 1, 0.5, 1.2};
  Pool pool(2);
  hgrid::Grid grid{PoolExec(pool), hgrid::Box3::open()};
  grid.build(positions, radii);
  auto pairs = grid.make_pairs();
  grid.find(pairs, {.order = hgrid::Order::sorted});
  for (hgrid::offset_t k = 0; k < pairs.size(); ++k) std::printf("%d touches %d\n", pairs.pairs()[k].i, pairs.pairs()[k].j);
}
