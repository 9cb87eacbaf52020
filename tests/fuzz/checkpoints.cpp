// SPDX-License-Identifier: BSD-3-Clause
// Forged checkpoints, whose sums are right: each is refused with `format`, and nothing changes, or gives a state that can be used,
// saved and restored like any other. In C++, in two and three dimensions, and through the C door.
#include "support/forged_loop.hpp"
#ifdef HGRID_FUZZ_C_DOOR
#include "support/forged_door.hpp"
#endif

namespace {

void checkpoints(fuzz::Input input) {
  fuzz::Bytes decisions(input);
  const hgrid::SerialExec exec;
  const int kind = decisions.below(4), way = decisions.below(4);
  support::Forged forged;
#ifdef HGRID_FUZZ_C_DOOR
  if (way >= 2) return fuzz::require((forged = support::forged_door(kind, decisions)).fault.empty(), forged.fault);
#endif
  forged = way % 2 == 0 ? support::forged_loop<hgrid::SerialExec, 3>(exec, kind, decisions)
                        : support::forged_loop<hgrid::SerialExec, 2>(exec, kind, decisions);
  fuzz::require(forged.fault.empty(), forged.fault);
}

}  // namespace

HGRID_FUZZ_TARGET(checkpoints)
