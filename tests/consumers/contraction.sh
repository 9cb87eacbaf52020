#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A client's flags and its place in the link do not change the contacts: contraction.sh COMPILER LIBRARY FOLDER -I...
# NVCC: the CUDA compiler, if one is there, whose host code must find equal contacts.
set -euo pipefail
compiler=$1 library=$2 folder=$3
shift 3
mkdir -p "$folder"
source=$(dirname "$0")/contraction.cpp

# checksum NAME COMPILER FLAGS...: of a program in which the client's copies of inline functions come first, and of one in which
# the library's do.
checksum() {
  local name=$1 with=$2
  shift 2
  "$with" -std=c++20 "$@" -c "$source" -o "$folder/$name.o"
  "$compiler" "$folder/$name.o" "$library" -fopenmp "${link[@]}" -o "$folder/$name"
  "$compiler" -Wl,--whole-archive "$library" -Wl,--no-whole-archive "$folder/$name.o" -fopenmp "${link[@]}" -o "$folder/$name-behind"
  "$folder/$name"
  "$folder/$name-behind"
}

link=()
as_the_library=$(checksum off "$compiler" -O2 -ffp-contract=off "$@")
fused=$(checksum fused "$compiler" -O3 -march=native -ffp-contract=fast "$@")
clang=$as_the_library
if command -v clang++ >/dev/null; then
  clang=$(checksum clang clang++ -O3 -march=native -ffp-contract=fast "$@")
fi
nvcc=$as_the_library
if [[ -n ${NVCC:-} ]]; then
  link=("-L$(dirname "$NVCC")/../lib64" -lcudart_static -ldl -lrt)
  nvcc=$(checksum nvcc "$NVCC" -w -x cu -O3 -Xcompiler=-march=native "$@")
  link=()
fi
unprotected=$(checksum unprotected "$compiler" -O3 -march=native -ffp-contract=fast -DHGRID_NO_CONTRACTION "$@")
if grep -q ' fma ' /proc/cpuinfo && [[ ${unprotected%%$'\n'*} == "${as_the_library%%$'\n'*}" ]]; then
  echo "fusing changes nothing here: this test would not notice it"
  exit 1
fi
if [[ $(printf '%s\n' "$as_the_library" "$fused" "$clang" "$nvcc" | sort -u | wc -l) != 1 ]]; then
  printf 'checksums differ:\n%s\n%s\n%s\n%s\n' "$as_the_library" "$fused" "$clang" "$nvcc"
  exit 1
fi
