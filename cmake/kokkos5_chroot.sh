#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds hgrid and runs its tests against the Kokkos 5 of Debian sid, whose system lives in a folder of its own.
# By hand or nightly, as root, on Debian:
#   kokkos5_chroot.sh [FOLDER]      (1 GB; build/kokkos5 if not told; kept, so that a second run is short)
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build/kokkos5}")
packages=g++,cmake,ninja-build,python3,libkokkos-dev,libgtest-dev,libcli11-dev,libfmt-dev,libhwy-dev,nlohmann-json3-dev

. /etc/os-release
if [[ $EUID -ne 0 || $ID != debian ]]; then
  echo "kokkos5_chroot: needs root on a Debian system" >&2
  exit 1
fi

if [[ ! -e $folder/complete || $(<"$folder/complete") != "$packages" ]]; then
  command -v debootstrap >/dev/null || apt-get -qq install -y debootstrap </dev/null >/dev/null
  mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v release="$VERSION_CODENAME" '$1 == release && $2 == "main" { print $3; exit }')
  echo "== debootstrap sid"
  rm -rf "$folder"
  mkdir -p "$folder"
  debootstrap --variant=minbase --include="$packages" sid "$folder" "$mirror" </dev/null >"$folder.log" 2>&1 ||
    { tail -n 5 "$folder.log" >&2; exit 1; }
  echo "$packages" >"$folder/complete"
fi

# Debian's CMake package for Kokkos names static libraries that are not there: this one takes its place.
version=$(chroot "$folder" dpkg-query -W -f '${Version}' libkokkos-dev)
version=${version%-*}
mkdir -p "$folder/opt/kokkos"
cat >"$folder/opt/kokkos/KokkosConfig.cmake" <<CONFIG
set(Kokkos_VERSION $version)
set(Kokkos_DEVICES OPENMP SERIAL)
if(NOT TARGET Kokkos::kokkos)
  add_library(Kokkos::kokkos INTERFACE IMPORTED)
  target_include_directories(Kokkos::kokkos INTERFACE /usr/include/kokkos)
  target_compile_options(Kokkos::kokkos INTERFACE \$<\$<COMPILE_LANGUAGE:CXX>:-fopenmp>)
  target_link_libraries(Kokkos::kokkos INTERFACE kokkoscore -fopenmp)
endif()
CONFIG

echo "== Kokkos $version, $(chroot "$folder" g++ --version | head -n 1)"
rm -rf "$folder/hgrid"
mkdir -p "$folder/hgrid"
tar -c --exclude=./build --exclude=./.deps --exclude=./.git . | tar -x -C "$folder/hgrid"

# A mount namespace of its own: /proc, which some tests read, is gone with it.
unshare --mount bash -c 'mount -t proc proc "$1/proc"; exec chroot "$1" bash -euc "$2"' - "$folder" '
  cd /hgrid
  cmake -S . -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DHGRID_KOKKOS=ON -DHGRID_CUDA=OFF \
    -DKokkos_DIR=/opt/kokkos
  cmake --build /build --parallel "$(nproc)"
  ctest --test-dir /build --output-on-failure
'
