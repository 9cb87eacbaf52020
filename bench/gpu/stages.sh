# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # variables that bench/gpu.sh and the files it sources share
# How bench/gpu.sh runs programs: each within a limit, with a word for its end.
left_out=()

say() { echo "$*" | tee -a "$out/summary.txt"; }

leave_out() {  # NAME REASON
  say "$1: left out, $2"
  left_out+=("$1")
}

# stage NAME SECONDS PROGRAM ARGUMENT...: runs it with a limit, reports its end, appends its output to the log.
stage() {
  local name=$1 limit=$(($2 * ${HGRID_PATIENCE:-1})) start=$SECONDS left=$((deadline - SECONDS)) code
  shift 2
  ((left >= limit)) || limit=$left
  ((limit >= 1)) || { leave_out "$name" "no time left"; return; }
  if ! command -v "$1" >/dev/null; then
    leave_out "$name" "${1##*/} is not here"
    [[ -n ${refused:-} ]] || failures+=1
    return
  fi
  echo "== $name" >>"$out/log.txt"
  timeout -k 5 "$limit" "$@" >>"$out/log.txt" 2>&1
  code=$?
  case $code in
    0) say "$name: passed, $((SECONDS - start)) s" ;;
    124 | 137) say "$name: stopped after $limit s"; left_out+=("the rest of $name")
       [[ $name != tests* || $SECONDS -ge $deadline ]] || failures+=1 ;;  # one that hangs
    9) say "$name: FAILED (9), see log.txt"; failures+=1 ;;  # what a sanitizer finds
    *) say "$name: ${refused:-FAILED} ($code), see log.txt"
       if [[ -n ${refused:-} ]]; then left_out+=("$name"); else failures+=1; fi ;;
  esac
}

# A tool that machines may refuse.
tool() { refused='did not run through' stage "$@"; }

use_programs() {
  local sum
  sum=$("$BASH" bench/gpu/kit.sh sources)
  bin=$kit/bin python=$kit/python
  chmod +x "$kit"/{bin,peers}/* 2>/dev/null  # some ways of copying lose it
  if [[ $sum != "$(cat "$kit/sources" 2>/dev/null)" ]]; then
    python=
    build "the kit has no programs of these sources"
  elif ! "$bin/gpu_grid" device >>"$out/log.txt" 2>&1; then
    build "the kit's programs do not run here"
  fi
}

build() {  # REASON; the stages that need an unbuilt program report it
  local capability
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)
  bin=$kit-build/bin
  stage "build ($1)" 140 "$BASH" bench/gpu/kit.sh build "$kit-build" \
    "${HGRID_ARCHITECTURE:-${capability:-90}-real}" "$kit/googletest"
  device=$("$bin/gpu_grid" device 2>&1)
  (($? != 3)) || { say "$device"; exit 3; }  # or tests that skip would pass
}

run_part() {  # NAME
  left_out=()
  say "-- $1"
  "part_$1"
  local list
  list=$(printf ', %s' "${left_out[@]}")
  say "-- $1: left out ${list:2}$( ((${#left_out[@]})) || echo nothing)"
}
