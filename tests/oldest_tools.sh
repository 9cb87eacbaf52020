#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The oldest tools that the README names, CMake 3.22 and g++ 11, which Ubuntu 22.04 has: configures, builds and installs the
# libraries, then builds and runs the project that finds them and the one that adds them. CMake comes as a Python wheel.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$PWD/build/oldest
if ! command -v g++-11 >/dev/null; then
  echo "oldest tools: no g++-11 here (Debian, Ubuntu: apt install g++-11); nothing was tried"
  exit 0
fi
if [[ ! -x $work/python/bin/cmake ]]; then
  if ! { python3 -m venv "$work/python" && "$work/python/bin/pip" -q install 'cmake==3.22.*'; } >&2; then
    echo "oldest tools: CMake 3.22 cannot be had (it needs python3-venv and a network); nothing was tried"
    exit 0
  fi
fi
export CXX=g++-11 PATH="$work/python/bin:$PATH"
rm -rf "$work"/{build,prefix,found,added,client}

# configured SOURCE FOLDER OPTION...: configures and builds.
configured() {
  cmake -S "$1" -B "$2" -G Ninja -DHGRID_CUDA=OFF -DHGRID_KOKKOS=OFF "${@:3}" && cmake --build "$2"
}
cmake --list-presets
configured . "$work/build" -DCMAKE_BUILD_TYPE=Release -DHGRID_WERROR=ON -DHGRID_BUILD_TOOL=OFF -DHGRID_BUILD_TESTS=OFF \
  -DHGRID_BUILD_BENCH=OFF -DHGRID_BUILD_EXAMPLES=OFF
cmake --install "$work/build" --prefix "$work/prefix"
configured tests/consumers/find_package "$work/found" -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_PREFIX_PATH=$work/prefix"
"$work/found/consumer"
configured tests/consumers/add_subdirectory "$work/added" -DCMAKE_BUILD_TYPE=Debug "-DHGRID_SOURCE=$PWD"
cmake "-Dbuild=$work/added" "-Dprefix=$work/client" -P tests/consumers/installed_client.cmake
echo "oldest tools: CMake $(cmake --version | sed -n '1s/.* //p') and g++ $(g++-11 -dumpfullversion) build, install and link hgrid"
