// SPDX-License-Identifier: BSD-3-Clause
// Random sequences of operations on grids, lists and time loops, on the host executors, against all pairs after each.
#include "support/counting_new.hpp"

#include "hgrid/hgrid.hpp"
#include "support/state_machine/sequence_suite.hpp"

namespace {

using support::machine::Sequence;

std::string run_on_executor(const Sequence& s) {
  if (s.executor == 0) return support::machine::run_sequence(hgrid::SerialExec{}, s);
  return support::machine::run_sequence(hgrid::OpenMPExec{s.executor == 1 ? 2 : 7}, s);
}

TEST(StateMachine, RandomSequences) { support::machine::expect_random_sequences(1500, run_on_executor); }

TEST(StateMachine, KeptSequences) { support::machine::expect_kept_sequences(3, run_on_executor); }

TEST(StateMachine, SequencesAreReadBack) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Sequence s = support::machine::make_sequence(seed);
    if (seed % 2 == 0) s.worlds[0].listed = support::machine::World(s.worlds[0]).system().particles;
    const std::string text = support::machine::to_text(s);
    std::istringstream in(text);
    ASSERT_EQ(support::machine::to_text(support::machine::read_sequence(in)), text);
  }
}

TEST(StateMachine, OneSequence) { support::machine::run_one_sequence(run_on_executor); }

}  // namespace
