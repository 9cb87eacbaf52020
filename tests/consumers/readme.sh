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

cd "$folder/shell"
PATH=$tool:$PATH
block sh | grep '^hgrid ' >lines
[[ $(wc -l <lines) -ge 3 ]]
bash -euo pipefail lines
[[ -s packing.npy && -s contacts.vtp ]]
