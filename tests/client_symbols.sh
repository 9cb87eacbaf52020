#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A client's object file holds its executor, and nothing of the host engine: client_symbols.sh OBJECT
set -euo pipefail
symbols=$(nm -C --defined-only "$1")
grep -q 'PoolExec::run' <<<"$symbols" || { echo "the executor is not there; what was looked at?"; exit 1; }
if grep -E 'PartitionCells|PartitionEntries|RadixCells|InspectParticle|HostSearch|RunBatch|test_runs|GatherSlot|GridState' <<<"$symbols"; then
  echo "a client compiles parts of the engine"
  exit 1
fi
