// SPDX-License-Identifier: BSD-3-Clause
// The random systems again, on the host execution spaces of Kokkos.
#include "kokkos_session.hpp"
#include "support/random_suite.hpp"

namespace {

support::Outcome run_on_kokkos(const support::Case& c) {
#ifdef KOKKOS_ENABLE_SERIAL
  if (c.choice[support::workers] == support::values::serial) return support::run_case(hgrid::make_exec(Kokkos::Serial()), c);
#endif
  return support::run_case(hgrid::make_exec(Kokkos::DefaultHostExecutionSpace()), c);
}

TEST(KokkosExecutor, NeedsKokkosToBeInitialised) { EXPECT_TRUE(support::KokkosOfAllTests::refused_before); }

TEST(RandomSystemsKokkos, EqualAllPairs) { support::expect_random_systems(4000, run_on_kokkos); }

}  // namespace
