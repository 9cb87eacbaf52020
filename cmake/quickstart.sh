#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# From a fresh clone to a result, on Debian 12 and Ubuntu 24.04 or later; each may be run again cheaply.
#   quickstart.sh run    set up and build the tool only, and find the contacts of a million particles
#   quickstart.sh test   set up, build and run the tests; of what takes longest some, which change with the code
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

# stage NAME COMMAND...: fails if the command does. The time it took is told, and decides nothing: machines differ and are
# shared.
stage() {
  local name=$1 start=$SECONDS failed=0
  shift
  echo "== $name"
  "$@" || failed=1
  echo "== $name took $((SECONDS - start)) s"
  return $failed
}

# Only a part of the long tests is built and run (tests/CMakeLists.txt); tests/trust.sh takes all.
run_tests() {
  local failed=0 part architectures=80 count names all="" drawn="" left_out
  part=$(python3 tests/drawn.py 1 headers_alone_{0..15} measurements another_architecture)
  if [[ $part == another_architecture ]]; then  # else of the one whose PTX the emulator reads, which is half of the kernels' time
    architectures="80;$(python3 tests/drawn.py 1 90 100 120)" part=""
  fi
  configure release "-DCMAKE_CUDA_ARCHITECTURES=$architectures" -DHGRID_PYTHON_MODULE=OFF  # until python.sh has its packages
  while read -r count names; do
    all+=" $names"
    drawn+=" $(python3 tests/drawn.py "$count" $names)"
  done <build/release/drawn_tests
  echo "drawn:$drawn"
  left_out=$(printf '%s\n' $all | grep -vxF "$(printf '%s\n' $drawn)" | tr + '\n' | paste -sd'|')
  stage "the release build" build release all_but_drawn $(printf 'drawn_%s ' $drawn) $part
  stage "test release" ctest --preset release --parallel "$(nproc)" --exclude-regex "^($left_out)\$" || failed=1
  stage "python" bash tests/python.sh "$(python3 tests/drawn.py 1 as_users_get_it quick_{1..3})" || failed=1
  case $(python3 tests/drawn.py 1 sanitizers fuzzing coverage faults) in
    sanitizers) stage "sanitizers" bash tests/sanitize.sh || failed=1 ;;
    fuzzing) stage "fuzzing" bash tests/fuzz/run.sh 20 2 || failed=1 ;;
    coverage) stage "coverage" bash tests/coverage.sh || failed=1 ;;
    faults) stage "planted faults" env HGRID_MUTANTS=4 python3 tests/mutants/run.py g++ . build/release || failed=1 ;;
  esac
  return $failed
}

case ${1:-} in
  run) bash cmake/setup.sh tool; run ;;
  test) bash cmake/setup.sh; run_tests ;;
  setup) bash cmake/setup.sh ;;
  *) sed -n '3,6s/^# *//p' "$0"; exit 2 ;;
esac
