// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints through the C API: of grids, lists, lists after payloads, and payloads.
#include "support/forged_door.hpp"

namespace {

void checkpoints_c(fuzz::Input input) {
  fuzz::Bytes decisions(input);
  const int kind = decisions.below(support::DoorLoop::kinds);
  const support::Forged forged = support::forged_door(kind, decisions);
  fuzz::require(forged.fault.empty(), forged.fault);
}

}  // namespace

HGRID_FUZZ_TARGET(checkpoints_c)
