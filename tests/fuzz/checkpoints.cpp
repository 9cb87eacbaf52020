// SPDX-License-Identifier: BSD-3-Clause
// Forged checkpoints, whose sums are right, of grids, lists, walls and payloads: each is refused with `format`, and nothing
// changes, or gives a state that can be used, saved and restored like any other.
#include "support/forged_loop.hpp"

namespace {

void checkpoints(fuzz::Input input) {
  fuzz::Bytes decisions(input);
  const hgrid::SerialExec exec;
  const int kind = decisions.below(5);
  const support::Forged forged = decisions.flag() ? support::forged_loop<hgrid::SerialExec, 2>(exec, kind, decisions)
                                                  : support::forged_loop<hgrid::SerialExec, 3>(exec, kind, decisions);
  fuzz::require(forged.fault.empty(), forged.fault);
}

}  // namespace

HGRID_FUZZ_TARGET(checkpoints)
