#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Proves and measures hgrid on the CUDA device of this machine, in at most ten minutes on 16 cores; what is done is in
# OUT even if the rest is cut short.
#   gpu.sh prepare    on a machine with Debian's libgtest-dev: copies GoogleTest's sources to .deps, for the other one
#   gpu.sh OUT        build, tests, times, sanitizers, stages, counters, ceilings, variants: eight files
# Needs CMake, ninja, g++ and nvcc; compute-sanitizer, ncu and python3 where they are.
set -uo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} == prepare ]]; then
  mkdir -p .deps && cp -r /usr/src/googletest .deps/
  exit
fi
[[ $# -eq 1 ]] || { sed -n 3,7p "$0" | sed 's/^# *//'; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
build=build/gpu
failed=()
deadline=$((SECONDS + ${HGRID_SECONDS:-570}))

# stage NAME SECONDS COMMAND...: runs it with a limit, appends what it prints to the log. All limits together are 570 s.
stage() {
  local name=$1 limit=$2 start=$SECONDS
  shift 2
  local left=$((deadline - SECONDS))
  if ((left < 5)); then
    failed+=("$name: no time left")
    return
  fi
  echo "== $name" | tee -a "$out/log.txt"
  timeout $((limit < left ? limit : left)) "$@" >>"$out/log.txt" 2>&1 || failed+=("$name")
  echo "   $((SECONDS - start)) s"
}

# optional NAME SECONDS COMMAND...: a stage that machines may refuse; the table says so.
optional() {
  local before=("${failed[@]}")
  stage "$@"
  failed=("${before[@]}")
}

# finish: what there is, as tables; also when the script is stopped.
finish() {
  trap - EXIT
  grep -E '^\[  (PASSED|FAILED|SKIPPED)|SUMMARY|^HGRID' "$out/log.txt" >>"$out/summary.txt"
  if command -v python3 >/dev/null; then
    python3 bench/gpu/table.py "$out" >>"$out/summary.txt"
  fi
  [[ ${#failed[@]} -eq 0 ]] || printf 'FAILED: %s\n' "${failed[@]}" >>"$out/summary.txt"
  cat "$out/summary.txt"
}
trap finish EXIT

{
  echo "commit $(git rev-parse --short HEAD 2>/dev/null || echo "${HGRID_COMMIT:-unknown}"), $(date -u +%F)"
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>&1
  nvcc --version 2>&1 | tail -n 1
  g++ --version | head -n 1
  nproc
} >"$out/summary.txt"

export OMP_WAIT_POLICY=passive
stage configure 20 cmake -G Ninja -S bench/gpu -B $build -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CUDA_ARCHITECTURES="${HGRID_ARCHITECTURE:-90-real}"
stage build 140 cmake --build $build --parallel
export HGRID_SYSTEMS=${HGRID_SYSTEMS:-2000}
stage "tests: grid" 40 $build/test_cuda_grid
stage "tests: lists" 20 $build/test_cuda_lists
stage "tests: random systems" 40 $build/test_cuda_random_systems
stage times 60 $build/gpu_grid "$out/times.jsonl" times 1000000 10000000
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck initcheck synccheck; do
    stage "sanitizer: $tool" 20 compute-sanitizer --tool $tool --error-exitcode 9 \
      $build/test_cuda_grid --gtest_filter='*OneStepOfEachKind'
  done
fi
stage stages 30 $build/gpu_grid "$out/stages.jsonl" stages 10000000
if command -v ncu >/dev/null; then  # often for administrators only
  metrics=gpu__time_duration.sum,dram__bytes.sum,l1tex__m_xbar2l1tex_read_bytes.sum
  metrics+=,sm__throughput.avg.pct_of_peak_sustained_elapsed,sm__warps_active.avg.pct_of_peak_sustained_active
  metrics+=,smsp__thread_inst_executed_per_inst_executed.ratio
  optional counters 20 ncu --csv --log-file "$out/counters.csv" --kernel-name regex:run_blocks --metrics $metrics \
    $build/gpu_grid /dev/null counters 10000000
fi
stage ceilings 20 $build/gpu_ceilings "$out/ceilings.jsonl" 1000000 10000000 100000000
stage variants 50 $build/gpu_grid "$out/variants.jsonl" variants 10000000
stage "times: 100 M" 50 $build/gpu_grid "$out/times-100m.jsonl" times 100000000

finish
[[ ${#failed[@]} -eq 0 ]]
