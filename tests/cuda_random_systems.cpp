// SPDX-License-Identifier: BSD-3-Clause
// The random systems on a CUDA device, against all pairs. Functors have tests of their own, in a file for nvcc.
#include "support/cuda_case.hpp"
#include "support/random_suite.hpp"

namespace {

// Lists are made in both ways in turn, in memory as it comes and poisoned.
TEST(RandomSystemsCuda, EqualAllPairs) {
  HGRID_NEEDS_DEVICE();
  support::PoisonedMemory poisoned;
  support::expect_random_systems(4000, [&](const support::Case& c) {
    const auto mode = c.seed / 2 % 2 == 0 ? hgrid::detail::ListMode::one_search : hgrid::detail::ListMode::count_scan_fill;
    return support::run_case(hgrid::CudaExec(nullptr, c.seed % 2 == 0 ? &poisoned : nullptr, mode), c);
  });
}

}  // namespace
