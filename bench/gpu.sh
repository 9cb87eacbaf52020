#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Proves and measures hgrid on the CUDA device of this machine, and on its cores, in parts of less than ten minutes.
#   gpu.sh prepare [--kit FOLDER] [--peer NAME=PROGRAM]...
#       where the CUDA toolkit, CMake, ninja and g++ are, a device or not: fills the kit, a folder of at most 50 MiB to
#       take along, with programs, the Python door, GoogleTest's sources, relaxed cubes, and peers that you have built.
#   gpu.sh [--part NAME,NAME,...] [--kit FOLDER] [--out FOLDER] [--sizes N,N,...]
#       where the device is. Parts, and all in this order unless told:
#         device   tests, and times of all sizes
#         python   the Python door's tests with torch, cupy, jax and Warp, and Newton's contacts
#         host     the host's engine by threads and by ranks
#         details  peers, sanitizers, stages, ceilings, counters, variants
#       All that are told have 570 s together; the summary names what was left out, and why. It and the log are those of this call;
#       a part replaces its own rows in OUT. Without a kit of these sources it builds first.
# Ends with 0 if all passed, 1 if something failed, 3 at once if there is no device.
# HGRID_SECONDS: the whole time, if not 570; HGRID_PATIENCE: what each stage's limit is multiplied by, on a slow machine.
# HGRID_ARCHITECTURE: what to compile for. HGRID_COMMIT: of these sources.
# shellcheck disable=SC2034  # the parts, which are sourced, read what is set here
set -uo pipefail
absolute() { [[ $1 == /* ]] && echo "$1" || echo "$PWD/$1"; }
here=$(absolute "${BASH_SOURCE[0]}")
root=${here%/*}/..
kit=$root/build/gpu-kit out=$root/build/gpu-results sizes=1000000,10000000,100000000 verb=measure
parts=device,python,host,details
peers=()
usage() { sed -n '3,17s/^# *//p' "$here"; exit 2; }
[[ ${1:-} != prepare ]] || { verb=prepare; shift; }
while (($#)); do
  (($# > 1)) || usage
  case $1 in
    --kit) kit=$(absolute "$2") ;;
    --out) out=$(absolute "$2") ;;
    --sizes) sizes=$2 ;;
    --part) parts=$2 ;;
    --peer) peers+=("${2%%=*}=$(absolute "${2#*=}")") ;;
    *) usage ;;
  esac
  shift 2
done
[[ $sizes =~ ^[0-9]+(,[0-9]+)*$ ]] || usage
[[ $parts =~ ^(device|python|host|details)(,(device|python|host|details))*$ ]] || usage
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

finish() {  # the results, as tables; also when the script is stopped
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
source bench/gpu/stages.sh
source bench/gpu/parts.sh
SECONDS=0
deadline=${HGRID_SECONDS:-570}
declare -i failures=0
mkdir -p "$out" || exit
for part in ${parts//,/ }; do rm -f "${out:?}/$part.jsonl"; done
[[ $parts != *details* ]] || rm -f "$out/counters.csv"
rm -f "$out"/{summary.txt,log.txt}
trap finish EXIT
trap 'exit 1' INT TERM
export HGRID_CUBES=$kit/cubes HGRID_SYSTEMS=${HGRID_SYSTEMS:-2000} OMP_WAIT_POLICY=passive
{
  echo "commit ${HGRID_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || cat "$kit/commit" || echo unknown)}, $(date -u +%F)"
  echo "$device"
  nvidia-smi --query-gpu=driver_version,memory.total --format=csv,noheader
  nvcc --version | tail -n 1
  echo "$(nproc) processors: $(lscpu | sed -n 's/^\(Model name\|Thread(s) per core\|L3 cache\): */\1 /p' | paste -sd ';')"
} >"$out/summary.txt" 2>/dev/null
use_programs
for part in ${parts//,/ }; do run_part "$part"; done
((failures == 0))
