#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ASE 3.29.0 with netCDF4 1.7.5.1.post1 (PyPI), seen 2026-11-30: NetCDFTrajectory keeps the positions of a cell that is turned, but of the cell
# only lengths and angles, as AMBER's convention has it, where the first vector lies along x. It turns no positions and gives no warning, so
# they belong to another cell. Two atoms that are 0.7 apart across a face are 1.3 apart when the file is read again.
# Seen: before 0.7; after 1.3; cell (5, 0, 0), (0, 3, 0), (0, 0, 4)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" -q install ase==3.29.0 netCDF4==1.7.5.1.post1
cat >"$folder/run.py" <<'PYTHON'
import sys
import warnings

from ase import Atoms
from ase.io import read
from ase.io.netcdftrajectory import NetCDFTrajectory

warnings.simplefilter("error")
name = sys.argv[1] + "/two.nc"
atoms = Atoms("H2", positions=[[0.2, 0.5, 0.5], [0.2, 4.8, 0.5]], cell=[[0, 5, 0], [3, 0, 0], [0, 0, -4]], pbc=True)
with NetCDFTrajectory(name, "w") as file:
    file.write(atoms)
again = read(name)
cell = ", ".join(f"({x:.0f}, {y:.0f}, {z:.0f})" for x, y, z in again.cell[:])
print(f"before {atoms.get_distance(0, 1, mic=True):.1f}; after {again.get_distance(0, 1, mic=True):.1f}; cell {cell}")
PYTHON
found=$("$folder/env/bin/python" "$folder/run.py" "$folder")
echo "$found"
[[ $found == "before 0.7; after 1.3; cell (5, 0, 0), (0, 3, 0), (0, 0, 4)" ]]
