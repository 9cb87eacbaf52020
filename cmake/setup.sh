#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what hgrid needs and this machine lacks: packages through apt, then Kokkos into .deps/kokkos; for "setup.sh tool"
# only what the command-line tool needs. Cheap to run again. Where there is no apt it names the packages.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

# One line each: how to see that it is there (a command or a header), and its packages in Debian and Ubuntu, Fedora, Arch and
# Homebrew; - where there is none. First the tool's.
needs=(
  "g++                g++                 gcc-c++                gcc            gcc"
  "cmake              cmake               cmake                  cmake          cmake"
  "ninja              ninja-build         ninja-build            ninja          ninja"
  "CLI/CLI.hpp        libcli11-dev        cli11-devel            cli11          cli11"
  "fmt/format.h       libfmt-dev          fmt-devel              fmt            fmt"
  "hwy/highway.h      libhwy-dev          highway-devel          highway        highway"
  "nlohmann/json.hpp  nlohmann-json3-dev  json-devel             nlohmann-json  nlohmann-json"
  "expat.h            libexpat1-dev       expat-devel            expat          expat"
  "zlib.h             zlib1g-dev          zlib-devel             zlib           zlib"
)
part=${1:-all}
[[ $part == tool ]] || needs+=(
  "python3            python3             python3                python         python"
  "xz                 xz-utils            xz                     xz             xz"
  "gtest/gtest.h      libgtest-dev        gtest-devel            gtest          googletest"
  "boost/context/fiber.hpp libboost-context-dev boost-devel       boost          boost"
  "benchmark/benchmark.h libbenchmark-dev google-benchmark-devel benchmark      google-benchmark"
  "nanoflann.hpp      libnanoflann-dev    nanoflann-devel        nanoflann      nanoflann"
  "clang-format       clang-format        clang-tools-extra      clang          clang-format"
  "gfortran           gfortran            gcc-gfortran           gcc-fortran    gcc"
  "pkg-config         pkg-config          pkgconf-pkg-config     pkgconf        pkgconf"
  "mpicxx             libopenmpi-dev      openmpi-devel          openmpi        open-mpi"
  "mpirun             openmpi-bin         openmpi                openmpi        open-mpi"
  "trilinos/zoltan.h  libtrilinos-zoltan-dev -             -              -"
  "Python.h           python3-dev         python3-devel          python         python"
  "ensurepip          python3-venv        python3                python         python"
  "valgrind           valgrind            valgrind               valgrind       -"
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

# Who installs here: the column of its packages, and what one says to it.
column=0 install=""
for each in "apt-get" "dnf sudo dnf install" "pacman sudo pacman -S --needed" "brew brew install"; do
  column=$((column + 1)) install=${each#* }
  ! command -v "${each%% *}" >/dev/null || break
  [[ $each != brew* ]] || column=0
done

things=() packages=()
for need in "${needs[@]}"; do
  read -r thing names <<<"$need"
  if ! has "$thing"; then
    read -ra names <<<"$names"
    package=${names[$((column > 0 ? column - 1 : 0))]}
    things+=("$thing")
    [[ $package == - || " ${packages[*]-} " == *" $package "* ]] || packages+=("$package")
  fi
done

if ((${#things[@]} > 0 && column != 1)); then
  echo "setup: missing: ${things[*]}" >&2
  if ((column > 0)); then
    echo "setup: $install ${packages[*]}" >&2
  else
    echo "setup: on Debian the packages are: ${packages[*]}" >&2
  fi
  echo "setup: the library alone needs a compiler and CMake: cmake --preset library" >&2
  exit 1
fi
if ((${#packages[@]} > 0)); then
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
