#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Another processor, on which a multiply-add is a part of the baseline: random systems on aarch64, run by qemu, equal all pairs,
# and their sorted lists have the bytes of this machine's: aarch64.sh [SYSTEMS]
# The oracle needs a compiler that fuses nothing. A client whose compiler fuses finds the contacts of this machine, too.
set -euo pipefail
cd "$(dirname "$0")/.."
systems=${1:-2000} work=$PWD/build/aarch64
if ! command -v aarch64-linux-gnu-g++ qemu-aarch64 >/dev/null; then
  echo "aarch64: nothing was tried (Debian, Ubuntu: apt install g++-aarch64-linux-gnu qemu-user)"
  exit 0
fi
mkdir -p "$work/include/hgrid"
printf '#pragma once\n#define HGRID_VERSION "0"\n' >"$work/include/hgrid/version.hpp"
flags=(-std=c++20 -O2 -fopenmp -Isrc -I. -Itests "-I$work/include")
library=(-ffp-contract=off -DHGRID_NO_CONTRACTION)
inner=host/search/run_kernels_plain.cpp
if [[ -d /usr/include/hwy ]]; then  # headers only, which are equal for all processors
  ln -sfn /usr/include/hwy "$work/include/hwy"
  library+=(-DHGRID_WITH_HIGHWAY -DHWY_IS_DEBUG_BUILD=0)
  inner=host/search/run_kernels.cpp
fi
sources=(host/*.cpp host/sort/*.cpp host/planning/*.cpp "$inner")

# program NAME COMPILER: both are linked as they are, without the other processor's shared libraries.
program() {
  mkdir -p "$work/$1"
  printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -I{} sh -c 'source=$1 folder=$2 && shift 2 && "$@" -c "$source" -o "$folder/$(basename "$source").o"' \
    - {} "$work/$1" "$2" "${flags[@]}" "${library[@]}"
  "$2" "${flags[@]}" -ffp-contract=off -static -w tests/aarch64/sorted_bytes.cpp "$work/$1"/*.o -o "$work/$1/sorted_bytes"
  "$2" "${flags[@]}" -ffp-contract=fast -static -w tests/consumers/contraction.cpp "$work/$1"/*.o -o "$work/$1/contraction"
}
program here "${CXX:-g++}"
program there aarch64-linux-gnu-g++
export OMP_WAIT_POLICY=passive
"$work/here/sorted_bytes" 5000000 "$systems" >"$work/here.txt"
qemu-aarch64 "$work/there/sorted_bytes" 5000000 "$systems" >"$work/there.txt"

client=$("$work/here/contraction")
[[ $client == "$(qemu-aarch64 "$work/there/contraction")" ]] || { echo "aarch64: a client whose compiler fuses finds something else"; exit 1; }

# Where a function such as a power rounds differently there, the drawn systems differ, and their lists may.
read -r same differing < <(paste -d' ' "$work/here.txt" "$work/there.txt" |
  awk '$2 == $5 {++same; differing += $3 != $6} END {print same + 0, differing + 0}')
echo "aarch64: $systems systems equal all pairs; of $same drawn alike, $differing have other sorted lists than here"
((differing == 0 && same * 3 >= systems))
