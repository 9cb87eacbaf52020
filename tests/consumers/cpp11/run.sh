#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The client as codes of several years compile it, by pkg-config, without a warning; CMake builds the one of C++11:
# run.sh PREFIX WORK C++-COMPILER [CLANG]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
prefix=$1 work=$2 cxx=$3 clang=${4:-}
command -v pkg-config >/dev/null || { echo "no pkg-config here: skipped"; exit 0; }
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name hgrid_c.pc)")
export PKG_CONFIG_PATH
mkdir -p "$work"
read -ra flags <<<"$(pkg-config --cflags hgrid_c)"
read -ra libs <<<"$(pkg-config --libs hgrid_c) -Wl,-rpath,$(pkg-config --variable=libdir hgrid_c)"

# All files as one, which compiles in less than half the time.
for file in copies entries errors inputs lists loop objects walls main; do printf '#include "%s/%s.cpp"\n' "$here" "$file"; done >"$work/all.cpp"

# built COMPILER STANDARD FLAG...: compiled and run.
built() {
  echo "$1, C++$2:"
  "$1" "-std=c++$2" -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror "${flags[@]}" "$work/all.cpp" "${libs[@]}" "${@:3}" -o "$work/client"
  "$work/client"
}
# The example, as its Makefile says.
if command -v make >/dev/null; then
  cp "$here"/../../../examples/cpp11/{Makefile,contacts.cpp} "$work"
  make -C "$work" --always-make "CXX=$cxx ${SANITIZE:-}" && "$work/contacts" >/dev/null
fi

read -ra sanitize <<<"${SANITIZE:-}"
for standard in 14 17; do built "$cxx" "$standard" "${sanitize[@]}"; done
if [[ -z $clang || -n ${SANITIZE:-} ]]; then  # another compiler's sanitizer differs from the library's
  echo "clang++: not tried"
else
  built "$clang" 11
fi
