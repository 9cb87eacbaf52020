// SPDX-License-Identifier: BSD-3-Clause
// The random systems on a CUDA device, against all pairs. Functors have tests of their own, in a file for nvcc.
#include "support/cuda_case.hpp"
#include "support/random_suite.hpp"

namespace {

TEST(RandomSystemsCuda, EqualAllPairs) {
  HGRID_NEEDS_DEVICE();
  support::PinnedMemory memory;
  const hgrid::CudaExec exec(nullptr, &memory);
  support::expect_random_systems(4000, [&](const support::Case& c) { return support::run_case(exec, c); });
}

}  // namespace
