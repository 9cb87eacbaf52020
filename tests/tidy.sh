#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# clang-tidy's findings in the libraries and the tool, by the short list of .clang-tidy: tidy.sh [BUILD, default build/release]
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang-tidy >/dev/null || { echo "no clang-tidy here: skipped"; exit 0; }
# Highway's functions by instruction set confuse it.
find host src/c src/hgrid/packing src/tool -name '*.cpp' ! -name '*_kernels.cpp' ! -name '*_cuda.cpp' -print0 |
  xargs -0 -P "$(nproc)" -I{} clang-tidy --quiet {} -- -std=c++20 -Isrc -Isrc/tool -I. "-I${1:-build/release}/include" 2>/dev/null
echo "clang-tidy finds nothing"
