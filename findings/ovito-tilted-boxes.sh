#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ovito 3.17.2 with gsd 5.0.1 and netCDF4 1.7.5.1.post1 (PyPI), seen 2026-11-30: of a tilted box, export_file to "gsd/hoomd" and to
# "netcdf/amber" writes another box, without a word, and so images of particles lie elsewhere. In GSD, Ly and Lz are the lengths of
# the vectors b and c, where the format has their parts along y and z: of a = (4, 0, 0), b = (3, 4, 0) the box has 5 for 4 and 25 % more
# area. In NetCDF, alpha and gamma are exchanged, and beta is off where c leans along both. OVITO reads its own files back as these other
# boxes. Boxes along the axes, and exports as LAMMPS' dump or extended XYZ, are right.
# Seen: b = (3, 4, 0) comes back from gsd/hoomd as (3, 5, 0), from netcdf/amber as (0, 5, 0) with c = (0, 3, 4), from lammps/dump as (3, 4, 0)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" -q install ovito==3.17.2
cat >"$folder/run.py" <<'PYTHON'
import os
import sys

import numpy as np
from ovito.data import DataCollection
from ovito.io import export_file, import_file

os.chdir(sys.argv[1])
cell = np.array([[4, 0, 0], [3, 4, 0], [0, 0, 5]])
data = DataCollection()
data.create_particles(count=2).create_property("Position", data=[[1, 1, 1], [2, 2, 2]])
data.create_cell(np.column_stack([cell.T, np.zeros(3)]), pbc=(True, True, True))
axes = {"columns": ["Position.X", "Position.Y", "Position.Z"]}


def back(kind, **options):
    """The box as OVITO reads it from its own file."""
    export_file(data, kind.replace("/", "."), kind, **options)
    vectors = np.array(import_file(kind.replace("/", ".")).compute().cell)[:, :3].T
    return ", ".join(f"{name} = ({x:.0f}, {y:.0f}, {z:.0f})" for name, (x, y, z) in zip("bc", vectors[1:] + 0.0))


print(f"gsd/hoomd: {back('gsd/hoomd')}; netcdf/amber: {back('netcdf/amber', **axes)}; lammps/dump: {back('lammps/dump', **axes)}")
PYTHON
found=$("$folder/env/bin/python" "$folder/run.py" "$folder" 2>/dev/null | grep '^gsd')
echo "$found"
[[ $found == "gsd/hoomd: b = (3, 5, 0), c = (0, 0, 5); netcdf/amber: b = (0, 5, 0), c = (0, 3, 4); lammps/dump: b = (3, 4, 0), c = (0, 0, 5)" ]]
