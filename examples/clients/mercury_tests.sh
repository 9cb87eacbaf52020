#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# MercuryDPM's own self tests, each with its search, with hgrid's beside it, and on hgrid:
#   mercury_tests.sh SOURCE BUILD DIRECTORY TEST.cpp...
# SOURCE is MercuryDPM's, BUILD the folder in which its target MercuryBase was built, and TEST.cpp derives from Mercury3D.
# CXXFLAGS and LDFLAGS find hgrid.
set -euo pipefail
source=$1 build=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
shift 3
flags=(-std=c++17 -O3 -DNDEBUG -DUNIX -DMERCURYDPM_TRIANGLE_WALL_CORRECTION -I "$here" -I "$source/Kernel" -I "$build/Kernel")
libraries=("$build/Kernel/libMercuryBase.a" "$build/Kernel/Math/libLinearAlgebra.a" -lgfortran -lhgrid_c -ldl)
for test in "$@"; do
  name=$(basename "$test" .cpp)
  for search in Mercury Beside OnHgrid; do
    mkdir -p "$work/$name/$search"
    with=()
    [[ $search == Mercury ]] || with=("-DSEARCH=$search" -include "$here/mercury_tests.hpp")
    ${CXX:-g++} "${flags[@]}" ${CXXFLAGS:-} "${with[@]}" "$test" -o "$work/$name/$search/program" "${libraries[@]}" ${LDFLAGS:-}
    (cd "$work/$name/$search" && ./program >output.txt 2>&1) || echo "$name, $search: failed"
  done
  grep -h "^beside hgrid" "$work/$name/Beside/output.txt" | sed "s/^/$name, /" || true
  for file in "$work/$name"/Mercury/*.{data,ene,fstat,restart}; do
    [[ -e $file ]] || continue
    other=$work/$name/OnHgrid/$(basename "$file")
    grep -av "^hGrid " "$file" >"$work/theirs"  # in a restart file: the sizes of MercuryDPM's cells
    grep -av "^hGrid " "$other" >"$work/ours"
    if cmp -s "$work/theirs" "$work/ours"; then
      echo "$(basename "$file"): the same bytes"
    elif cmp -s <(sort "$work/theirs") <(sort "$work/ours"); then
      echo "$(basename "$file"): the same lines in another order"
    elif python3 "$source/Configuration/fpdiff.py" "$work/theirs" "$work/ours" >"$other.differences" ||
      python3 "$source/Configuration/fpdiff.py" <(sort "$work/theirs") <(sort "$work/ours") >"$other.differences"; then
      echo "$(basename "$file"): the same within the tolerance of MercuryDPM's fpdiff.py"
    else
      echo "$(basename "$file"): differs"
    fi
  done
done
