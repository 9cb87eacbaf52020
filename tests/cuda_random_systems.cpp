// SPDX-License-Identifier: BSD-3-Clause
// The random systems on a CUDA device, against all pairs. Functors have tests of their own, in a file for nvcc.
#include "support/cuda_case.hpp"  // before the headers that use it to place particles

#include "support/common_grids.hpp"

namespace {

// Lists are made in both ways in turn, in memory as it comes and poisoned.
support::Outcome run(const support::Case& c) {
  support::PoisonedMemory poisoned;
  const auto mode = c.seed / 2 % 2 == 0 ? hgrid::detail::ListMode::one_search : hgrid::detail::ListMode::count_scan_fill;
  return support::run_case(hgrid::CudaExec(nullptr, c.seed % 2 == 0 ? &poisoned : nullptr, mode), c);
}

TEST(RandomSystemsCuda, EqualAllPairs) {
  HGRID_NEEDS_DEVICE();
  support::expect_random_systems(4000, run);
}

TEST(RandomSystemsCuda, CommonGridsEqualAllPairs) {
  HGRID_NEEDS_DEVICE();
  support::expect_common_grids(1000, run);
}

}  // namespace
