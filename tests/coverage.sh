#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Lines and branches of the geometry and the engines that a few tests reach: coverage.sh [BUILD, default build/release]
# Fails below 95 % of the lines or 90 % of the branches of core. Compiles 10 programs without optimisation.
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD build=$(realpath "${1:-build/release}") folder=$PWD/build/coverage
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
# An always inlined function would count once for each place that calls it.
export source build
export flags="-std=c++20 -O0 -w --coverage -Dalways_inline=unused -ffp-contract=off -fopenmp -I$source/src -I$source -I$build/include -I$source/tests"

# compile FILE PROGRAM [LIBRARY...]
compile() {
  g++ $flags -c "$source/tests/$1" -o "$2.o"
  g++ --coverage -fopenmp "$2.o" $engine_objects "$build/host/libhgrid.a" "${@:3}" -o "$2"
}
engine=(host_build host_build_2d host_engine host_engine_2d search/fast_search)
printf '%s\n' "${engine[@]}" | xargs -P "$(nproc)" -I{} bash -c 'g++ $flags -c "$source/host/{}.cpp" -o "$(basename {}).o"'
export engine_objects="${engine[*]/%/.o}"
engine_objects=${engine_objects//search\//}
parts=($(basename -s .cpp "$source"/tests/mutants/parts/*.cpp))
export -f compile
printf '%s\n' "${parts[@]}" | xargs -P "$(nproc)" -I{} bash -c 'compile mutants/parts/{}.cpp {}'
compile errors.cpp errors -lgtest -lgtest_main &
compile clip.cpp clip -lgtest -lgtest_main &
wait
for part in "${parts[@]}"; do "./$part" 300 >/dev/null; done
./errors >/dev/null && ./clip >/dev/null
for program in "${parts[@]}" errors clip "${engine[@]##*/}"; do gcov --json-format --branch-probabilities "$program.gcda" >/dev/null 2>&1 || true; done
python3 "$source/tests/coverage.py" "$source" "$folder"
