// SPDX-License-Identifier: BSD-3-Clause
// The random sequences again, on the host execution spaces of Kokkos.
#include "support/counting_new.hpp"

#include "kokkos_session.hpp"
#include "support/state_machine/sequence_suite.hpp"

namespace {

std::string run_sequence_on_kokkos(const support::machine::Sequence& s) {
  // Kokkos allocates strings for its labels, and throws its own exception for lack of memory.
  support::Allocations::get().only_buffers = true;
#ifdef KOKKOS_ENABLE_SERIAL
  if (s.executor == 0) return support::machine::run_sequence(hgrid::make_exec(Kokkos::Serial()), s);
#endif
  return support::machine::run_sequence(hgrid::make_exec(Kokkos::DefaultHostExecutionSpace()), s);
}

TEST(StateMachineKokkos, RandomSequences) { support::machine::expect_random_sequences(500, run_sequence_on_kokkos); }

TEST(StateMachineKokkos, KeptSequences) { support::machine::expect_kept_sequences(2, run_sequence_on_kokkos); }

TEST(StateMachineKokkos, OneSequence) { support::machine::run_one_sequence(run_sequence_on_kokkos); }

}  // namespace
