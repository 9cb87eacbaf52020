// SPDX-License-Identifier: BSD-3-Clause
// Random and adversarial systems on the host executors, against all pairs.
#include "hgrid/hgrid.hpp"
#include "support/random_suite.hpp"

namespace {

support::Outcome run(const support::Case& c) {
  switch (c.choice[support::workers]) {
    case support::values::serial:
      return support::run_case(hgrid::SerialExec{}, c);
    case support::values::openmp_1:
      return support::run_case(hgrid::OpenMPExec{1}, c);
    case support::values::openmp_2:
      return support::run_case(hgrid::OpenMPExec{2}, c);
    default:
      return support::run_case(hgrid::OpenMPExec{7}, c);
  }
}

TEST(RandomSystems, EqualAllPairs) { support::expect_random_systems(20000, run); }

}  // namespace
