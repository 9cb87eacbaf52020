#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The tests that read, parse and search most, under AddressSanitizer and UndefinedBehaviorSanitizer: sanitize.sh
# runs 500 random systems and three of the other programs, which change with the code;
# sanitize.sh SYSTEMS runs so many random systems and all programs
set -euo pipefail
cd "$(dirname "$0")/.."
tests=(errors io_text_table io_npy io_frames io_sources io_writers io_outputs forgeries c_door_forgeries)
(($#)) || tests=($(python3 tests/drawn.py 3 "${tests[@]}"))
tests=(random_systems "${tests[@]}")
folder=$(bash tests/sanitized_build.sh fuzz_replay "${tests[@]/#/test_}")

# Of the OpenMP runtime's own memory, which it keeps until the end.
printf 'leak:libomp\nleak:libgomp\n' >build/sanitize.supp
export LSAN_OPTIONS=suppressions=$PWD/build/sanitize.supp:print_suppressions=0 UBSAN_OPTIONS=print_stacktrace=1
export OMP_WAIT_POLICY=passive HGRID_SYSTEMS=${1:-500}

# run FOLDER TEST
run() {
  local log=build/sanitize-$2.log
  # The million pairs of the release build would take half an hour here.
  "$1/tests/test_$2" --gtest_filter=-*AcrossAFace >"$log" 2>&1 ||
    { echo "sanitize: test_$2 fails"; grep -E 'ERROR|runtime error|Failure' -A 12 "$log" | head -n 40; return 1; } >&2
}
export -f run
printf '%s\n' "${tests[@]}" | xargs -P "$(nproc)" -I{} bash -c 'run "$1" "$2"' - "$folder" {}
"$folder/tests/fuzz/fuzz_replay" tests/fuzz/corpus 2>build/sanitize-replay.log || { tail -n 20 build/sanitize-replay.log >&2; exit 1; }
echo "sanitize: ${#tests[@]} test programs and the corpus are clean in $folder ($HGRID_SYSTEMS random systems): ${tests[*]}"
