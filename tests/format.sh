#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# All code is as .clang-format has it, by the version that Debian 12 has, because others differ: format.sh [--fix]
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang-format >/dev/null && clang-format --version | grep -q 'version 14\.' || { echo "no clang-format 14 here: skipped"; exit 0; }
find src host kernels tests bench examples \( -name '*.[hc]pp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
  xargs -0 -P "$(nproc)" -n 40 clang-format "$([[ ${1:-} == --fix ]] && echo -i || echo --dry-run)" -Werror
