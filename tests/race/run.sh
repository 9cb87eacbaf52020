#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The parallel paths under ThreadSanitizer, with clang's OpenMP and Archer, which tells the sanitizer what OpenMP
# synchronises: run.sh [SYSTEMS of the random suites, default 1000]. Needs clang and libomp; builds a Kokkos of its own
# under the sanitizer.
set -euo pipefail
cd "$(dirname "$0")/../.."
systems=${1:-1000}
folder=build/race

archer=$(find /usr/lib/llvm-* -name libarcher.so 2>/dev/null | sort -V | tail -n 1)
if [[ -z $archer ]] || ! command -v clang++ >/dev/null; then
  echo "race: needs clang++ and libomp with Archer (Debian: clang, libomp-dev)" >&2
  exit 77
fi
export OMP_TOOL_LIBRARIES=$archer TSAN_OPTIONS="ignore_noninstrumented_modules=1 exitcode=66" OMP_WAIT_POLICY=passive

mkdir -p $folder
bash cmake/get_kokkos.sh "$PWD/$folder/kokkos" -DCMAKE_CXX_COMPILER=clang++ "-DCMAKE_CXX_FLAGS=-w -O1 -g1 -fsanitize=thread"
if [[ ! -f $folder/build.ninja ]]; then
  # LDFLAGS also for the check whether that Kokkos works.
  LDFLAGS=-fsanitize=thread cmake -S . -B $folder -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" \
    -DHGRID_SANITIZE=thread -DHGRID_CUDA=OFF -DHGRID_KOKKOS=ON "-DKokkos_ROOT=$PWD/$folder/kokkos" -DHGRID_BUILD_BENCH=OFF \
    -DHGRID_BUILD_EXAMPLES=OFF -DHGRID_BUILD_TOOL=OFF >/dev/null
fi
cmake --build $folder --target test_random_systems test_random_systems_kokkos test_callbacks test_orders test_pool >/dev/null
clang++ -std=c++20 -O1 -g1 -fsanitize=thread -fopenmp -ffp-contract=off -Isrc -I. -I$folder/include -Itests tests/race/planted.cpp \
  $folder/host/libhgrid.a -o $folder/planted

rc=0
$folder/planted >/dev/null 2>&1 || rc=$?
[[ $rc -eq 66 ]] || { echo "race: the planted race was not seen"; exit 1; }
echo "the planted race is seen"
$folder/planted quietly >/dev/null || { echo "race: one is seen where there is none"; exit 1; }
HGRID_SYSTEMS=$systems $folder/tests/test_random_systems --gtest_filter=*EqualAllPairs
# Kokkos 3.4's own: its maximum reads before it compares and exchanges, its queues of work are read without atomics.
printf 'race:Kokkos::Impl::MaxOper\nrace:Kokkos_HostThreadTeam\n' >$folder/kokkos.supp
TSAN_OPTIONS="$TSAN_OPTIONS suppressions=$PWD/$folder/kokkos.supp" HGRID_SYSTEMS=$systems \
  $folder/tests/test_random_systems_kokkos
$folder/tests/test_callbacks
$folder/tests/test_orders
# libomp's own, where several threads of a program open their first regions. The sanitizer allows a child no threads.
printf 'called_from_lib:libomp.so\nrace:libomp.so\n' >$folder/openmp.supp
TSAN_OPTIONS="$TSAN_OPTIONS suppressions=$PWD/$folder/openmp.supp" $folder/tests/test_pool --gtest_filter=-*Child:*EndsWithTheProgram:*AreCapped
echo "no race in $systems random systems, as many on Kokkos, in concurrent queries, and in repeats"
