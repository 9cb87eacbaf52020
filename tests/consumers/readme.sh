#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The README's program and commands do what it says when they are pasted: readme.sh PREFIX TOOL_FOLDER FOLDER
# hgrid is installed at PREFIX and the tool is built, which its first lines do. Its Python is run by tests/python.
set -euo pipefail
readme=$(cd "$(dirname "$0")/../.." && pwd)/README.md
prefix=$1 tool=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/home" "$folder/project" "$folder/shell"
export HOME=$folder/home
ln -s "$prefix" "$HOME/hgrid"

# block LANGUAGE: the lines of the README's code in it.
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{/^\`\`\`/!p}" "$readme"; }

cd "$folder/project"
block cpp >my_dem.cpp
block cmake >CMakeLists.txt
eval "$(block sh | grep '^cmake -B ')" | tee log
grep -qE '^[1-9][0-9]+ contacts$' log

# Without sanitizers, which ask all of a program to have them.
if [[ -z ${SANITIZE:-} && -e $HOME/hgrid/lib/pkgconfig/hgrid_c.pc && -n $(command -v pkg-config) && -n $(command -v gfortran) ]]; then
  ln -s "$(dirname "$readme")/examples" "$folder/examples"
  cd "$folder"
  block sh | grep -E '^(export PKG|flags=|cc |gfortran )' >lines
  [[ $(wc -l <lines) == 4 ]]
  bash -euo pipefail lines | tee log
  grep -qxF 'pair 3 4, image 0 0 0' log
  grep -qE '^pair 4 5, overlap +0\.1$' log
fi

cd "$folder/shell"
PATH=$tool:$PATH
block sh | grep '^hgrid ' >lines
[[ $(wc -l <lines) -ge 3 ]]
bash -euo pipefail lines
[[ -s packing.npy && -s contacts.vtp ]]
