#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# From a fresh clone to a result, on Debian 12 and Ubuntu 24.04 or later; each may be run again cheaply.
#   quickstart.sh run    set up and build the tool only, and find the contacts of a million particles
#   quickstart.sh test   set up, build everything, and run the tests; those that take minutes by turns (tests/run.py)
#   quickstart.sh setup  only install what is missing
set -euo pipefail
cd "$(dirname "$0")/.."
export CMAKE_GENERATOR=Ninja  # which setup.sh has installed; presets for users need no more than CMake's own choice

configure() {
  local preset=$1
  mkdir -p build
  echo "== configure $preset"
  cmake --preset "$@" >"build/$preset.log" 2>&1 || { tail -n 30 "build/$preset.log" >&2; return 1; }
  sed -n '/^-- hgrid/,/^-- Configuring/p' "build/$preset.log" | grep -v '^-- Configuring'
}

# build PRESET TARGET...: the compiler's output goes to a file, of which the end is shown if it fails.
build() {
  local preset=$1
  shift
  echo "== build $preset: $* ($(nproc) jobs; build/$preset.log)"
  cmake --build --preset "$preset" --parallel "$(nproc)" --target "$@" >>"build/$preset.log" 2>&1 ||
    { grep -m 10 -A 5 -E '^FAILED|error:|undefined reference' "build/$preset.log" | cut -c 1-200; return 1; } >&2
}

run() {
  local tool=build/tool/bin/hgrid packing=build/demo/packing.npy
  configure tool
  build tool hgrid_tool
  mkdir -p build/demo
  if [[ ! -f $packing ]]; then
    echo "== place a million particles at random, so that some overlap"
    "$tool" generate --n 1000000 --size-ratio 100 --exponent -3 --packing 0.62 --seed 1 --out "$packing"
  fi
  echo "== find their contacts"
  "$tool" contacts "$packing"
}

case ${1:-} in
  run) bash cmake/setup.sh tool; run ;;
  test) bash cmake/setup.sh; exec python3 tests/run.py ;;
  setup) bash cmake/setup.sh ;;
  *) sed -n '3,6s/^# *//p' "$0"; exit 2 ;;
esac
