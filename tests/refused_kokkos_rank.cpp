// SPDX-License-Identifier: BSD-3-Clause
// Does not compile: 3 n coordinates in a View of rank 1. The message must say so.
#include "hgrid/kokkos.hpp"

int main() {
  const Kokkos::View<double*> x("x", 6), r("r", 2);
  hgrid::Grid grid{hgrid::make_exec(Kokkos::DefaultHostExecutionSpace()), hgrid::Box3::open()};
  grid.build(x, r);
}
