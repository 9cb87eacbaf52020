// SPDX-License-Identifier: BSD-3-Clause
// A race that the thread sanitizer must see: particles of all threads count into one number without atomics, as a sink
// would that forgot them. With an argument there is no race, and it must see none.
#include <cstdio>

#include "hgrid/hgrid.hpp"
#include "support/random.hpp"

int main(int argc, char**) {
  support::Random random(1);
  std::vector<double> x(30000), r(10000, 0.02);
  for (double& v : x) v = random.real();
  hgrid::Grid<hgrid::OpenMPExec, 3> grid(hgrid::OpenMPExec{4});
  grid.build(x, r);
  hgrid::offset_t count = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {  // on a busy machine one thread may do the work of all
    grid.for_each_contact([&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {
      if (argc > 1) {
        std::atomic_ref(count).fetch_add(1);
      } else {
        ++count;
      }
    });
  }
  std::printf("%lld\n", static_cast<long long>(count));
}
