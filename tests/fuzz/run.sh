#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes targets under AddressSanitizer and UndefinedBehaviorSanitizer: run.sh [SECONDS of each, default 60] [HOW MANY targets, by
# turns, default all]
# What it learns stays in build/fuzz/corpus, an input that breaks something in build/fuzz/broken, and how many inputs
# were run in how many seconds, in all, in build/fuzz/executions. Needs clang, and says so without.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
folder=build/fuzz
targets=(readers options contacts checkpoints checkpoints_c)
targets=($(python3 tests/turns.py some "${2:-${#targets[@]}}" "${targets[@]}"))

if [[ $(bash tests/sanitized_build.sh) != "$folder" ]]; then
  echo "fuzz: no clang++ with libFuzzer here (Debian: clang, libclang-rt-dev, libomp-dev); nothing was run"
  exit 0
fi
bash tests/sanitized_build.sh "${targets[@]/#/fuzz_}" >/dev/null

# fuzz TARGET SECONDS FOLDER
fuzz() {
  local target=$1 seconds=$2 folder=$3 failed=0
  local log=$folder/$target.log
  mkdir -p $folder/corpus/$target $folder/broken
  # Leaks are the address sanitizer's to find at the end; a tenth of the inputs would spend its time on looking.
  $folder/tests/fuzz/fuzz_$target -max_total_time="$seconds" -max_len=2048 -timeout=1000 -rss_limit_mb=3000 -detect_leaks=0 \
    -print_final_stats=1 -artifact_prefix=$folder/broken/$target- $folder/corpus/$target tests/fuzz/corpus/$target \
    >"$log" 2>&1 || { failed=1; grep -m 30 -E 'fuzz:|ERROR|SUMMARY|runtime error|^ *#[0-9]+ |^Base64' "$log" || tail -n 3 "$log"; }
  units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  took=$(sed -n 's/^Done .* in \([0-9]*\) second.*/\1/p' "$log")
  echo "$target ${units:-0} ${took:-0}" >>$folder/executions
  all=$(awk -v t=$target '$1 == t {n += $2; s += $3} END {print n " in " s " s"}' $folder/executions)
  echo "$target: ${units:-0} inputs in ${took:-0} s, $all in all"
  return $failed
}
export -f fuzz
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz "$@"' - {} "$seconds" $folder
