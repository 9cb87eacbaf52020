#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Large systems, about a minute and 3 GB: run.sh [BUILD, default build/release]
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-build/release}
g++ -std=c++20 -O2 -ffp-contract=off -fopenmp -Isrc -I. -I"$folder/include" -Itests tests/load/load.cpp "$folder/host/libhgrid.a" \
  -o "$folder/load"
"$folder/load"
