#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The figures of tests/reliability/README.md: trust.sh [--systems N] [--fuzz SECONDS] [--quick]
#   --systems N       random systems against the oracle, 100000 unless given; a fifth as many sequences of operations
#   --emulated N      random systems on an emulated CUDA device, 5000 unless given
#   --fuzz SECONDS    of each target, 60 unless given
#   --quick           without the large systems, the thread sanitizer, aarch64, the oldest tools and the CUDA build
# Needs build/release (cmake/quickstart.sh test makes it).
set -uo pipefail
cd "$(dirname "$0")/.."
systems=100000 emulated=5000 fuzz=60 quick=0
while (($#)); do
  case $1 in
    --systems) systems=$2; shift 2 ;;
    --emulated) emulated=$2; shift 2 ;;
    --fuzz) fuzz=$2; shift 2 ;;
    --quick) quick=1; shift ;;
    *) sed -n '3,8s/^# *//p' "$0"; exit 2 ;;
  esac
done
release=build/release
export OMP_WAIT_POLICY=passive
failed=()

# figure TITLE PATTERN COMMAND...: runs it and prints the lines of its output that hold figures.
figure() {
  local title=$1 pattern=$2 log=build/trust.log
  shift 2
  echo "== $title"
  "$@" >"$log" 2>&1 || { failed+=("$title"); tail -n 5 "$log"; }
  grep -E "$pattern" "$log"
}

# The preset cuda: the CUDA library without Kokkos, warnings as errors; its tests, which are skipped where there is no device,
# and those of the package.
cuda_alone() {
  if ! command -v nvcc && [[ ! -x /usr/local/cuda/bin/nvcc ]]; then
    echo "no nvcc here; nothing was built"
    return
  fi
  cmake --preset cuda && cmake --build --preset cuda --target gpu_tests && ctest --preset cuda --label-regex 'gpu|package'
}

# The clients of tests/consumers with hgrid as a part of their project, static and shared, and with an installed hgrid.
clients() {
  local folder=build/clients source=$PWD way
  rm -rf $folder
  for way in static shared installed; do
    local options=("-DHGRID_SOURCE=$source" -DHGRID_CUDA=OFF)
    [[ $way != shared ]] || options+=(-DBUILD_SHARED_LIBS=ON -DHGRID_SHARED=ON)
    if [[ $way == installed ]]; then
      cmake --install $release --prefix $folder/prefix && options=("-DCMAKE_PREFIX_PATH=$source/$folder/prefix") || return 1
    fi
    cmake -S tests/consumers/clients -B $folder/$way -G Ninja "${options[@]}" && cmake --build $folder/$way || return 1
    (cd $folder/$way && ctest --output-on-failure -R '_') || return 1
    echo "clients, $way: pass"
  done
}

cmake --build $release --target all gpu_tests >/dev/null || exit 1
figure "random systems" "systems,|PASSED" env HGRID_SYSTEMS="$systems" $release/tests/test_computing random_systems
figure "fresh random systems" "HGRID_SEED|systems," env HGRID_SEED="$(date +%s%N)" HGRID_SYSTEMS=1999 \
  $release/tests/test_computing --gtest_filter='RandomSystems.EqualAllPairs'
# A tenth as many on each number of ranks, and time loops of 2,000 steps.
on_ranks() {
  for ranks in 1 2 4 8; do
    HGRID_SEED=90000000 HGRID_SYSTEMS=$((systems / 10)) HGRID_STEPS=2000 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 \
      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -n $ranks $release/tests/ranks/test_ranks || return 1
  done
  HGRID_STEPS=2000 ctest --test-dir $release --verbose -R '^ranks_dem$'
}
if [[ -x $release/tests/ranks/test_ranks ]]; then
  cmake --build $release --target test_ranks example_dem example_mpi_dem >/dev/null
  figure "random systems on ranks" "systems,|PASSED|all the same" on_ranks
else
  echo "== random systems on ranks: not run, because $release has no MPI"
fi
# Four fifths on serial and OpenMP, the others on Kokkos, by other seeds than in the gate.
sequences() {
  HGRID_SEED=$1 HGRID_SEQUENCES=$((systems * 4 / 25)) $release/tests/test_host state_machine &&
    HGRID_SEED=$(($1 + systems)) HGRID_SEQUENCES=$((systems / 25)) $release/tests/test_kokkos state_machine_kokkos
}
figure "sequences of operations" "sequences,|PASSED|again|operation|shortest" sequences 500000000
figure "fresh sequences" "HGRID_SEED|sequences,|operation" env HGRID_SEED="$(date +%s)000" HGRID_SEQUENCES=1000 \
  $release/tests/test_host --gtest_filter='StateMachine.RandomSequences'
figure "all tests" "tests passed|Failed" env HGRID_FAULTS=all ctest --preset release
figure "clang-tidy" "finds nothing|error:|skipped" bash tests/tidy.sh
figure "headers alone" "FAILED|error:" cmake --build $release --target headers_alone all_verify_interface_header_sets
figure "exact arithmetic" "judged" $release/tests/test_computing exact_contract
figure "metamorphic relations" "OK|PASSED" $release/tests/test_computing metamorphic
figure "searches of the papers" "OK|PASSED" bash -c "$release/tests/test_computing hgrid_2012 && $release/tests/test_papers reference_random"
figure "clients of hgrid" "^clients|tests passed" clients
figure "codes from packages" "differ by|the same in|Detection|left out" bash tests/clients.sh
figure "files of packages" "^real files" bash tests/real_files.sh
figure "mutants" "survived|stale|broken|of .* killed" env HGRID_MUTANTS=all python3 tests/mutants/run.py g++ . $release
figure "sanitizers" "^sanitize" bash tests/sanitize.sh 2000
figure "fuzzing" "inputs" bash tests/fuzz/run.sh "$fuzz"
figure "coverage" "^src" bash tests/coverage.sh
if [[ -x $release/tests/emulator/test_cuda_emulated ]]; then
  figure "an emulated CUDA device" "systems,|PASSED" env HGRID_SYSTEMS="$emulated" \
    $release/tests/emulator/test_cuda_emulated cuda_random_systems
  figure "races on an emulated device" "systems,|PASSED" env HGRID_SYSTEMS=500 HGRID_SEED=500 EMU_RACES=1 EMU_POOLS=0 \
    $release/tests/emulator/test_cuda_emulated cuda_random_systems
else
  echo "== an emulated CUDA device: not run, because $release has no such tests"
fi
if ((!quick)); then
  figure "large systems" "." bash tests/load/run.sh
  figure "races" "race" bash tests/race/run.sh
  figure "aarch64" "^aarch64" bash tests/aarch64.sh
  if command -v doxygen >/dev/null; then
    figure "the site" "pages|WARNING" bash docs/site.sh
  else
    echo "== the site: not built, because there is no doxygen"
  fi
  figure "oldest tools" "^oldest" bash tests/oldest_tools.sh
  ((EUID != 0)) || figure "a compiler and CMake alone" "^== from" bash tests/bare_chroot.sh
  figure "the newest CUDA toolkit" "^newest" bash tests/newest_toolkit.sh 80 90 100 120
  figure "CUDA without Kokkos" "tests passed|no nvcc" cuda_alone
fi
figure "matrix" "row" python3 tests/reliability.py .
((${#failed[@]} == 0)) || { printf 'FAILED: %s\n' "${failed[@]}"; exit 1; }
