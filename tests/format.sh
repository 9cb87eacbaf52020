#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# All code is as .clang-format has it, by the version that Debian 12 has, because others differ: format.sh [--fix]
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang-format >/dev/null && clang-format --version | grep -q 'version 14\.' || { echo "no clang-format 14 here: skipped"; exit 0; }
mapfile -t files < <(find src host kernels tests bench examples -name '*.[hc]pp' -o -name '*.c' -o -name 'hgrid*.h' -o -name '*.cu' -o -name '*.cuh')
# Not --dry-run, which takes the closing comment of an inline namespace for a breach; nor -i in place, which touches files that are as
# they should be, so that all is compiled again.
formatted=$(mktemp -d)
trap 'rm -rf "$formatted"' EXIT
cp --parents .clang-format examples/.clang-format "${files[@]}" "$formatted"
(cd "$formatted" && printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 40 clang-format -i)
failed=0
for file in "${files[@]}"; do
  cmp -s "$file" "$formatted/$file" && continue
  if [[ ${1:-} == --fix ]]; then
    cat "$formatted/$file" >"$file"
  else
    diff -u "$file" "$formatted/$file" || failed=1
  fi
done
exit $failed
