#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds targets with AddressSanitizer and UndefinedBehaviorSanitizer: sanitized_build.sh [TARGET...]; prints the build folder.
# By clang with libFuzzer's instrumentation where there is clang, else by g++ without it.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/sanitize sanitizers=address,undefined,float-cast-overflow compiler=g++
if bash cmake/has_fuzzer.sh; then
  folder=build/fuzz sanitizers=fuzzer-no-link,$sanitizers compiler=clang++
fi
if [[ ! -f $folder/build.ninja ]]; then
  mkdir -p build
  cmake -S . -B $folder -G Ninja -DCMAKE_CXX_COMPILER=$compiler -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" \
    -DHGRID_SANITIZE=$sanitizers -DHGRID_CUDA=OFF -DHGRID_KOKKOS=OFF -DHGRID_BUILD_BENCH=OFF -DHGRID_BUILD_EXAMPLES=OFF \
    -DHGRID_NANOFLANN_INCLUDE=OFF -DHGRID_BOOST_INCLUDE=OFF -DHGRID_CGAL_INCLUDE=OFF \
    >build/sanitize.log 2>&1 || { tail -n 20 build/sanitize.log >&2; exit 1; }
fi
(($# == 0)) || cmake --build $folder --target "$@" >build/sanitize.log 2>&1 || { grep -m 5 -A 5 error build/sanitize.log >&2; exit 1; }
echo $folder
