#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A precompiled header that ccache kept has the text of its headers: GCC knows by that what it read already, so that one made before
# a comment changed defines everything twice. precompiled.sh LAUNCHER... COMPILER
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export CCACHE_DIR="$folder/cache"
unset CCACHE_DISABLE
compile() { "$@" -fpch-preprocess -MD -MF used.d -c; }
for comment in before after; do
  printf '#pragma once\nstruct Once {};  // %s\n' $comment >once.hpp
  printf '#include "once.hpp"\n' >all.hpp
  printf '#include "once.hpp"\nOnce %s;\n' $comment >one.cpp
  compile "$@" -x c++-header -o all.hpp.gch all.hpp
  compile "$@" -Winvalid-pch -include all.hpp -o one.o one.cpp
done
