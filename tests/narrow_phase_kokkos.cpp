// SPDX-License-Identifier: BSD-3-Clause
// Lists of the contacts that a predicate confirms, on the host execution spaces of Kokkos.
#include "kokkos_session.hpp"
#include "support/narrow_cases.hpp"
#include "support/random_suite.hpp"

namespace {

TEST(NarrowPhaseKokkos, OfRandomSystems) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 200);
  for (std::uint64_t seed = first; seed < first + systems; ++seed) {
    const support::Case c = support::make_case(seed);
    ASSERT_EQ(support::check_narrow(hgrid::make_exec(Kokkos::DefaultHostExecutionSpace()), c), "") << "seed " << seed;
  }
}

}  // namespace
