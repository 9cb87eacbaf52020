#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Proves and measures hgrid on the CUDA device of this machine, in less than ten minutes.
#   gpu.sh prepare [--kit FOLDER] [--peer NAME=PROGRAM]...
#       where the CUDA toolkit, CMake, ninja and g++ are, a device or not: fills the kit, a folder of at most 60 MiB to
#       take along, with programs, GoogleTest's sources, relaxed cubes, and peers (docs/notes/gpu.md) that you have built.
#   gpu.sh [--kit FOLDER] [--out FOLDER] [--sizes N,N,...]
#       where the device is: tests, times, peers, sanitizers, stages, counters, ceilings, variants; eight files in OUT,
#       which hold what is done even if the rest is cut short. Without a kit of these sources it builds first.
# Ends with 0 if all passed, 1 if something failed, 3 at once if there is no device.
# HGRID_SECONDS: the whole time, if less than 570. HGRID_ARCHITECTURE: what to compile for. HGRID_COMMIT: of these sources.
set -uo pipefail
absolute() { [[ $1 == /* ]] && echo "$1" || echo "$PWD/$1"; }
here=$(absolute "${BASH_SOURCE[0]}")
root=${here%/*}/..
kit=$root/build/gpu-kit out=$root/build/gpu-results sizes=1000000,10000000,100000000 verb=measure
peers=()
usage() { sed -n '3,12s/^# *//p' "$here"; exit 2; }
[[ ${1:-} != prepare ]] || { verb=prepare; shift; }
while (($#)); do
  (($# > 1)) || usage
  case $1 in
    --kit) kit=$(absolute "$2") ;;
    --out) out=$(absolute "$2") ;;
    --sizes) sizes=$2 ;;
    --peer) peers+=("${2%%=*}=$(absolute "${2#*=}")") ;;
    *) usage ;;
  esac
  shift 2
done
[[ $sizes =~ ^[0-9]+(,[0-9]+)*$ ]] || usage
middle=() large=()  # the large ones are too many for relaxed systems, rows and peers
for n in ${sizes//,/ }; do if ((n > 10000000)); then large+=("$n"); else middle+=("$n"); fi; done
((${#middle[@]})) || usage
largest=${middle[-1]}
cd "$root" || exit
shopt -s nullglob
PATH+=:/usr/local/cuda/bin  # where installers leave the tools, outside the PATH
for folder in /opt/nvidia/nsight-compute/*/ /usr/local/cuda/nsight-compute*/; do PATH+=:${folder%/}; done
[[ $verb == measure ]] || exec "$BASH" bench/gpu/kit.sh prepare "$kit" "${peers[@]}"

# The device's name; else the reason, and the end. Until here nothing but bash is needed.
find_device() {
  local answer code=127
  if [[ -x $kit/bin/gpu_grid ]]; then
    answer=$("$kit/bin/gpu_grid" device 2>&1)
    code=$?
  fi
  if ((code == 0)); then
    device=$answer
  elif ((code == 3)); then
    echo "$answer" >&2
    exit 3
  elif ! command -v nvidia-smi >/dev/null; then
    echo "no CUDA device: nvidia-smi is not here, and the kit has no program that could ask CUDA" >&2
    exit 3
  elif ! device=$(nvidia-smi -L 2>&1) || [[ -z $device ]]; then
    echo "no CUDA device: nvidia-smi shows none (${device:-no answer})" >&2
    exit 3
  fi
}

say() { echo "$*" | tee -a "$out/summary.txt"; }

# stage NAME SECONDS PROGRAM ARGUMENT...: runs it with a limit, says what became of it, appends what it prints to the log.
stage() {
  local name=$1 limit=$2 start=$SECONDS left=$((deadline - SECONDS)) code
  shift 2
  ((left >= limit)) || limit=$left
  ((limit >= 1)) || { say "$name: no time left"; return; }
  if ! command -v "$1" >/dev/null; then
    say "$name: ${1##*/} is not here"
    [[ -n ${refused:-} ]] || failures+=1
    return
  fi
  echo "== $name" >>"$out/log.txt"
  timeout -k 5 "$limit" "$@" >>"$out/log.txt" 2>&1
  code=$?
  case $code in
    0) say "$name: passed, $((SECONDS - start)) s" ;;
    124 | 137) say "$name: stopped after $limit s" ;;
    9) say "$name: FAILED (9), see log.txt"; failures+=1 ;;  # what a sanitizer finds
    *) say "$name: ${refused:-FAILED} ($code), see log.txt"
       [[ -n ${refused:-} ]] || failures+=1 ;;
  esac
}

# A tool that machines may refuse.
tool() { refused='did not run through' stage "$@"; }

use_programs() {
  local sum
  sum=$("$BASH" bench/gpu/kit.sh sources)
  bin=$kit/bin
  chmod +x "$kit"/{bin,peers}/* 2>/dev/null  # some ways of copying lose it
  if [[ $sum != "$(cat "$kit/sources" 2>/dev/null)" ]]; then
    build "the kit has no programs of these sources"
  elif ! "$bin/gpu_grid" device >>"$out/log.txt" 2>&1; then
    build "the kit's programs do not run here"
  fi
}

build() {  # REASON; what is not built is said by the stages that need it
  local capability
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)
  bin=$kit-build/bin
  stage "build ($1)" 140 "$BASH" bench/gpu/kit.sh build "$kit-build" \
    "${HGRID_ARCHITECTURE:-${capability:-90}-real}" "$kit/googletest"
  device=$("$bin/gpu_grid" device 2>&1)
  (($? != 3)) || { say "$device"; exit 3; }  # or tests that skip would pass
}

# grid NAME SECONDS FILE MODE RATIOS N...
grid() { stage "$1" "$2" "$bin/gpu_grid" "$out/$3" "${@:4}"; }

peers() {  # SECONDS for all together
  local programs=("$kit"/peers/*) particles n ratio program each
  ((${#programs[@]})) || { say "peers: none in the kit"; return; }
  each=$(($1 / (2 * ${#programs[@]} * ${#middle[@]})))
  particles=$(mktemp)
  for n in "${middle[@]}"; do
    for ratio in 1 100; do
      "$bin/gpu_grid" "$particles" write "$ratio" "$n" >>"$out/log.txt" 2>&1 || { say "peers: no particles"; break 2; }
      for program in "${programs[@]}"; do
        stage "peer ${program##*/}, ratio $ratio, $n" "$each" \
          "$BASH" bench/gpu/kit.sh peer "$program" "$particles" "$ratio" "$n" "$out/peers.jsonl"
      done
    done
  done
  rm -f "$particles"
}

sanitizers() {  # SECONDS of each
  local name n=$((middle[0] < 20000 ? middle[0] : 20000))
  for name in memcheck racecheck initcheck synccheck; do
    tool "sanitizer: $name" "$1" compute-sanitizer --tool $name --print-limit 20 --error-exitcode 9 \
      "$bin/gpu_grid" /dev/null once 1,100 $n
  done
}

# Two calls, because one name that this ncu does not know could cost the others. Often for administrators only.
counters() {  # SECONDS of each
  local certain=gpu__time_duration.sum,dram__bytes.sum,sm__throughput.avg.pct_of_peak_sustained_elapsed
  certain+=,sm__warps_active.avg.pct_of_peak_sustained_active
  local others=l1tex__m_xbar2l1tex_read_bytes.sum,smsp__inst_executed.sum,smsp__thread_inst_executed_per_inst_executed.ratio
  local metrics csv
  csv=$(mktemp)
  for metrics in $certain $others; do
    tool "counters: ${metrics%%,*} and more" "$1" ncu --clock-control none --profile-from-start off --csv --log-file "$csv" \
      --kernel-name regex:run_blocks --metrics "$metrics" "$bin/gpu_step" "$largest" 1 100
    [[ ! -s $csv ]] || cat "$csv" >>"$out/counters.csv"
  done
  rm -f "$csv"
}

# In the order of their worth. The limits together are the 570 s that there are; a build takes them from the end.
measure() {
  stage "tests: lists" 25 "$bin/test_cuda_lists"
  stage "tests: grid" 30 "$bin/test_cuda_grid"
  stage "tests: graphs" 15 "$bin/test_cuda_graphs"
  grid "times: ${middle[*]}" 60 times.jsonl times 1,100 "${middle[@]}"
  ((${#large[@]} == 0)) || grid "times: ${large[*]}" 60 times.jsonl times 1,100 "${large[@]}"
  grid "times: relaxed" 35 times.jsonl relaxed 1,100 "${middle[@]}"
  grid "times: periodic" 15 times.jsonl periodic 1,100 "$largest"
  peers 60
  stage "tests: random systems" 40 "$bin/test_cuda_random_systems"
  sanitizers 15
  grid "stages" 40 stages.jsonl stages 1,100 "$largest"
  stage "ceilings" 25 "$bin/gpu_ceilings" "$out/ceilings.jsonl" "${middle[@]}" "${large[@]}"
  counters 20
  grid "variants" 45 variants.jsonl variants 1,100 "$largest"
  grid "times: other ratios" 20 times.jsonl times 10,50 "${middle[@]}"
}

finish() {  # what there is, as tables; also when the script is stopped
  trap - EXIT
  grep -E '^\[  (PASSED|FAILED|SKIPPED)|ERROR SUMMARY' "$out/log.txt" >>"$out/summary.txt"
  if command -v python3 >/dev/null; then
    python3 bench/gpu/table.py "$out" >>"$out/summary.txt"
  else
    echo "no tables: python3 is not here" >>"$out/summary.txt"
  fi
  cat "$out/summary.txt"
}

find_device
SECONDS=0
deadline=${HGRID_SECONDS:-570}
declare -i failures=0
mkdir -p "$out" || exit
for file in summary.txt log.txt {times,peers,stages,ceilings,variants}.jsonl counters.csv; do rm -f "${out:?}/$file"; done
trap finish EXIT
trap 'exit 1' INT TERM
export HGRID_CUBES=$kit/cubes HGRID_SYSTEMS=${HGRID_SYSTEMS:-2000} OMP_WAIT_POLICY=passive
{
  echo "commit ${HGRID_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || cat "$kit/commit" || echo unknown)}, $(date -u +%F)"
  echo "$device"
  nvidia-smi --query-gpu=driver_version,memory.total --format=csv,noheader
  nvcc --version | tail -n 1
  echo "$(nproc) cores"
} >"$out/summary.txt" 2>/dev/null
use_programs
measure
((failures == 0))
