#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what hgrid needs and this machine lacks: packages through apt, then Kokkos into .deps/kokkos; for "setup.sh tool"
# only what the command-line tool needs. Cheap to run again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# One line each: how to see that it is there (a command or a header), and its Debian and Ubuntu package. First the tool's.
needs=(
  "g++                g++"
  "cmake              cmake"
  "ninja              ninja-build"
  "CLI/CLI.hpp        libcli11-dev"
  "fmt/format.h       libfmt-dev"
  "hwy/highway.h      libhwy-dev"
  "nlohmann/json.hpp  nlohmann-json3-dev"
  "zlib.h             zlib1g-dev"
)
part=${1:-all}
[[ $part == tool ]] || needs+=(
  "python3            python3"
  "xz                 xz-utils"
  "gtest/gtest.h      libgtest-dev"
  "boost/context/fiber.hpp libboost-context-dev"
  "benchmark/benchmark.h libbenchmark-dev"
  "nanoflann.hpp      libnanoflann-dev"
  "clang-format       clang-format"
  "gfortran           gfortran"
  "pkg-config         pkg-config"
  "mpicxx             libopenmpi-dev"
  "mpirun             openmpi-bin"
  "trilinos/zoltan.h  libtrilinos-zoltan-dev"
  "Python.h           python3-dev"
  "ensurepip          python3-venv"
  "valgrind           valgrind"
)

has() {
  case $1 in
    Python.h) [[ -f $(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null)/Python.h ]] ;;
    ensurepip) python3 -c 'import venv, ensurepip' 2>/dev/null ;;
    *.h | *.hpp) printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" | g++ -E -x c++ - >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "setup: '$*' needs root, and there is no sudo" >&2
    return 1
  fi
}

things=() packages=()
for need in "${needs[@]}"; do
  read -r thing package <<<"$need"
  has "$thing" || { things+=("$thing") packages+=("$package"); }
done

if ((${#packages[@]} > 0)); then
  if ! command -v apt-get >/dev/null; then
    echo "setup: this system has no apt; please install what provides: ${things[*]}" >&2
    echo "setup: (on Debian the packages are: ${packages[*]})" >&2
    exit 1
  fi
  echo "== packages: ${packages[*]}"
  mkdir -p "$here/../build"
  log=$here/../build/setup.log
  # A third party's broken list must not stop us; a package that cannot be had does.
  as_root apt-get -q update </dev/null >"$log" 2>&1 || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${packages[@]}" \
    </dev/null >>"$log" 2>&1 || { tail -n 10 "$log" >&2; exit 1; }
fi

[[ $part != tool ]] || exit 0

# The fuzzers and the thread sanitizer are clang's: some tests of trust are left out without it, and say so.
clang=(clang libclang-rt-dev libomp-dev)
if ! bash "$here/has_fuzzer.sh" && command -v apt-get >/dev/null && ! dpkg -s "${clang[@]}" >/dev/null 2>&1; then
  mkdir -p "$here/../build"
  echo "== packages: ${clang[*]} (for the fuzzers)"
  as_root apt-get -q update </dev/null >>"$here/../build/setup.log" 2>&1 || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${clang[@]}" \
    </dev/null >>"$here/../build/setup.log" 2>&1 || echo "== clang: none could be had; going on without the fuzzers"
fi

# hgrid works without Kokkos: its executor and its tests are then left out, and configuring says so.
bash "$here/get_kokkos.sh" || echo "== Kokkos: none could be had; going on without it"
