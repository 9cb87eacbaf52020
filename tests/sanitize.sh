#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The tests that read, parse and search most, under AddressSanitizer and UndefinedBehaviorSanitizer: sanitize.sh
# runs 500 random systems and two of the other programs, by turns;
# sanitize.sh SYSTEMS runs so many random systems and all programs, fuzz_replay on the corpus of fuzzing among them.
set -euo pipefail
cd "$(dirname "$0")/.."
tests=(errors io_text_table io_npy io_frames io_sources io_writers io_outputs forgeries c_door_forgeries)
programs=("${tests[@]/#/test_}" fuzz_replay)
(($#)) || programs=($(python3 tests/turns.py some 2 "${tests[@]/#/test_}"))
programs=(test_random_systems "${programs[@]}")
folder=$(bash tests/sanitized_build.sh "${programs[@]}")

# Leaks of the OpenMP runtime's own memory, which it keeps until the end, do not count.
printf 'leak:libomp\nleak:libgomp\n' >build/sanitize.supp
export LSAN_OPTIONS=suppressions=$PWD/build/sanitize.supp:print_suppressions=0 UBSAN_OPTIONS=print_stacktrace=1
export OMP_WAIT_POLICY=passive HGRID_SYSTEMS=${1:-500}

# run FOLDER PROGRAM
run() {
  local log=build/sanitize-$2.log command
  case $2 in
    fuzz_replay) command=("$1/tests/fuzz/$2" tests/fuzz/corpus) ;;
    *) command=("$1/tests/$2" "--gtest_filter=-*AcrossAFace") ;;  # the million pairs of the release build would take half an hour here
  esac
  "${command[@]}" >"$log" 2>&1 ||
    { echo "sanitize: $2 fails"; grep -E 'ERROR|runtime error|Failure' -A 12 "$log" | head -n 40; return 1; } >&2
}
export -f run
printf '%s\n' "${programs[@]}" | xargs -P "$(nproc)" -I{} bash -c 'run "$1" "$2"' - "$folder" {}
echo "sanitize: ${#programs[@]} programs are clean in $folder ($HGRID_SYSTEMS random systems): ${programs[*]}"
