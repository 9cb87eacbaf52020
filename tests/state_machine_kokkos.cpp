// SPDX-License-Identifier: BSD-3-Clause
// The random sequences again, on the host execution spaces of Kokkos.
#include "support/counting_new.hpp"

#include "hgrid/kokkos.hpp"
#include "support/state_machine/sequence_suite.hpp"

namespace {

class Session : public ::testing::Environment {
 public:
  void SetUp() override {
    session_.emplace();
    // Kokkos allocates strings for its labels, and what it throws for lack of memory is its own.
    support::Allocations::get().only_buffers = true;
  }
  void TearDown() override { session_.reset(); }

 private:
  std::optional<hgrid::KokkosSession> session_;
};
[[maybe_unused]] const auto* const session = ::testing::AddGlobalTestEnvironment(new Session);

std::string run(const support::machine::Sequence& s) {
#ifdef KOKKOS_ENABLE_SERIAL
  if (s.executor == 0) return support::machine::run_sequence(hgrid::make_exec(Kokkos::Serial()), s);
#endif
  return support::machine::run_sequence(hgrid::make_exec(Kokkos::DefaultHostExecutionSpace()), s);
}

TEST(StateMachineKokkos, RandomSequences) { support::machine::expect_random_sequences(500, run); }

TEST(StateMachineKokkos, KeptSequences) { support::machine::expect_kept_sequences(2, run); }

TEST(StateMachineKokkos, OneSequence) { support::machine::run_one_sequence(run); }

}  // namespace
