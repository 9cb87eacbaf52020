#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program prints the same under two first arguments: same_output.sh PROGRAM ONE OTHER ARGUMENT...
set -euo pipefail
one=$("$1" "$2" "${@:4}") other=$("$1" "$3" "${@:4}")
echo "$one"
[[ $(wc -l <<<"$one") -gt 2 && $one == "$other" ]]
