#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# With nothing but a compiler, CMake and make, `cmake --preset release` gives the library, and the README's commands for C++ end in
# contacts; how long that took is told. By hand or nightly, as root, on Debian: bare_chroot.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
exec bash cmake/in_chroot.sh "${1:-build/bare}" bookworm g++,cmake,make '
  [[ -z $(command -v ninja python3 pip) ]]
  block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{/^\`\`\`/!p}" README.md; }

  echo "== cmake --preset release"
  cmake --preset release
  cmake --build build/release --parallel "$(nproc)" --target hgrid hgrid_c example_first
  build/release/examples/first
  rm -rf build "$HOME/hgrid" /project

  start=$(date +%s)
  eval "$(block sh | grep "^cmake --preset")"
  mkdir /project
  block cpp >/project/my_dem.cpp
  block cmake >/project/CMakeLists.txt
  commands=$(block sh | grep "^cmake -B")
  cd /project
  eval "$commands"
  echo "== from the first command to the contacts of the C++ of the README: $(($(date +%s) - start)) s"
'
