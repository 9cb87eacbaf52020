#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What is installed, as a project finds it by pkg-config: the C door's header in C and C++ of several years, its example, dlpack.h
# before and after it; and a program of C++20: run.sh PREFIX SOURCE WORK C++-COMPILER
set -euo pipefail
prefix=$1 source=$2 work=$3 cxx=$4
command -v pkg-config >/dev/null && command -v cc >/dev/null || { echo "no pkg-config or no cc here: skipped"; exit 0; }
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name hgrid_c.pc)")
export PKG_CONFIG_PATH
mkdir -p "$work"
read -ra flags <<<"$(pkg-config --cflags hgrid_c)"
read -ra libs <<<"$(pkg-config --libs hgrid_c) -Wl,-rpath,$(pkg-config --variable=libdir hgrid_c) ${SANITIZE:-}"
strict=(-pedantic -Wall -Wextra -Werror)

printf '#include <hgrid.h>\n#include <hgrid.h>\n' >"$work/header.c"
for standard in c99 c11; do cc -std=$standard "${strict[@]}" "${flags[@]}" -fsyntax-only "$work/header.c"; done
for standard in c++98 c++20; do "$cxx" -std=$standard -x c++ "${strict[@]}" "${flags[@]}" -fsyntax-only "$work/header.c"; done

# built NAME FLAG...: compiled and run.
built() {
  cc -std=c99 "${strict[@]}" "${flags[@]}" "${@:2}" "${libs[@]}" -o "$work/$1"
  "$work/$1"
}
built contacts "$source/examples/c/contacts.c"
built dlpack_after "$source/tests/consumers/c_door/dlpack.c"
built dlpack_before -DDLPACK_FIRST "$source/tests/consumers/c_door/dlpack.c"

read -ra flags <<<"$(pkg-config --cflags --libs hgrid) -Wl,-rpath,$(pkg-config --variable=libdir hgrid) ${SANITIZE:-}"
"$cxx" -std=c++20 "$source/examples/first.cpp" "${flags[@]}" -o "$work/first"
"$work/first" | grep -qE '^[1-9][0-9]+ contacts$'
