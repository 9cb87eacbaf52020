#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds hgrid and runs its tests against the Kokkos 5 of Debian sid, whose system lives in a folder of its own.
# By hand or nightly, as root, on Debian:
#   kokkos5_chroot.sh [FOLDER]      (1 GB; build/kokkos5 if not told; kept, so that a second run is short)
set -euo pipefail
cd "$(dirname "$0")/.."
packages=g++,cmake,ninja-build,python3,libkokkos-dev,libgtest-dev,libcli11-dev,libfmt-dev,libhwy-dev,nlohmann-json3-dev,libexpat1-dev,zlib1g-dev

# Debian's CMake package for Kokkos names static libraries that are not there: this one takes its place.
exec bash cmake/in_chroot.sh "${1:-build/kokkos5}" sid "$packages" '
  version=$(dpkg-query -W -f "\${Version}" libkokkos-dev)
  version=${version%-*}
  mkdir -p /opt/kokkos
  cat >/opt/kokkos/KokkosConfig.cmake <<CONFIG
set(Kokkos_VERSION $version)
set(Kokkos_DEVICES OPENMP SERIAL)
if(NOT TARGET Kokkos::kokkos)
  add_library(Kokkos::kokkos INTERFACE IMPORTED)
  target_include_directories(Kokkos::kokkos INTERFACE /usr/include/kokkos)
  target_compile_options(Kokkos::kokkos INTERFACE \$<\$<COMPILE_LANGUAGE:CXX>:-fopenmp>)
  target_link_libraries(Kokkos::kokkos INTERFACE kokkoscore -fopenmp)
endif()
CONFIG

  echo "== Kokkos $version, $(g++ --version | head -n 1)"
  cmake -S . -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DHGRID_KOKKOS=ON -DHGRID_CUDA=OFF \
    -DKokkos_DIR=/opt/kokkos
  cmake --build /build --parallel "$(nproc)"
  ctest --test-dir /build --output-on-failure
'
