#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The DEM's steps in a graph equal the steps of its loop, digit for digit, and options for hosts are refused: dem_graph.sh PROGRAM
set -euo pipefail
said=$(mktemp)
trap 'rm -f "$said"' EXIT
run() { "$program" case=settling particles=100 steps=80 report=40 skin=0.02 "$@" 2>"$said"; }
program=$1
graph=$(run graph=yes)
grep -q '^78 steps were replays' "$said"  # of 80, two before a report
loop=$(run graph=no)
grep -q '^0 steps were replays' "$said"
echo "$graph"
[[ $(wc -l <<<"$graph") == 4 && $graph == "$loop" ]]
if run insert=10; then exit 1; fi
grep -q 'insert=10: is for hosts' "$said"
