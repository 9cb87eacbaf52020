#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A client's object file holds its executor, and nothing of the host engine; the library's names are all in
# the namespace of its version, so that two versions may live in one process: client_symbols.sh OBJECT LIBRARY
set -euo pipefail
symbols=$(nm -C --defined-only "$1")
grep -q 'PoolExec::run' <<<"$symbols" || { echo "the executor is not there; what was looked at?"; exit 1; }
if grep -E 'PartitionCells|PartitionEntries|RadixCells|InspectParticle|HostSearch|RunBatch|test_runs|GatherSlot|GridState' <<<"$symbols"; then
  echo "a client compiles parts of the engine"
  exit 1
fi
names=$(nm -C --defined-only "$2" | grep -oE 'hgrid::[A-Za-z0-9_]+' | sort -u)
if [[ ! $names =~ ^hgrid::v[0-9]+_[0-9]+$ ]]; then
  printf 'names in one namespace of a version were expected:\n%s\n' "$names"
  exit 1
fi
