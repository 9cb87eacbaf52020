#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The memory that a call takes at most, beside an equal list in C++: peak.py LIBHGRID.A [ATOMS [QUANTITIES]]
Full lists of random points in a periodic cube with 60 neighbors each, on one thread. In Python it is the first call of a process, and
the result is part of it; in C++ the grid, its build and the list, with images. Input and interpreter are left out in both."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import hgrid
import kept

NEIGHBORS = 60


def main():
    library, atoms = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    quantities = sys.argv[3] if len(sys.argv) > 3 else "ijSd"
    side = (atoms * 4 / 3 * np.pi / NEIGHBORS) ** (1 / 3)
    x = np.random.default_rng(1).random((atoms, 3)) * side
    with tempfile.TemporaryDirectory() as folder:
        program, numbers = f"{folder}/peak", f"{folder}/numbers"
        x.tofile(numbers)
        kept.compile(pathlib.Path(__file__).with_suffix(".cpp"), library, program)
        done = subprocess.run([program, numbers, str(atoms), repr(float(side)), "1"], check=True, capture_output=True, text=True)
    entries, cpp = map(int, done.stdout.split())
    hgrid.neighbor_list(quantities, positions=x[:10].copy(), cell=np.eye(3), pbc=True, cutoff=0.5)  # modules loaded at the first call
    before = kept.begin_peak()
    results = hgrid.neighbor_list(quantities, positions=x, cell=np.eye(3) * side, pbc=True, cutoff=1.0, threads="serial")
    python, result = kept.memory("VmHWM") - before, sum(array.nbytes for array in results)
    assert len(results[0]) == entries, (len(results[0]), entries)
    print(f"{atoms} atoms, {entries} entries, {quantities}, bytes an entry: C++ {cpp / entries:.1f}, Python {python / entries:.1f}, "
          f"of which the result {result / entries:.1f}; Python without its result / C++ {(python - result) / cpp:.2f}")


main()
