# SPDX-License-Identifier: BSD-3-Clause
"""A time loop that is broken off, and continues from a file with equal lists at equal steps."""
import pathlib
import tempfile

import numpy as np

import hgrid

rng = np.random.default_rng(1)
x, v, r = rng.random((1000, 3)), 0.0005 * rng.standard_normal((1000, 3)), np.full(1000, 0.04)
folder = tempfile.TemporaryDirectory()
file = pathlib.Path(folder.name) / "loop.npz"


def steps(neighbors, x, count, first, last):
    """Counts, for each contact, the steps that it is in the list."""
    for _ in range(first, last):
        x += v
        neighbors.update(x, r, followers=[count])
        count.values += 1
    return count.values


through = hgrid.VerletList(hgrid.Grid(((0, 0, 0), (1, 1, 1)), periodic=True), skin=0.01)
whole = x.copy()
expected = steps(through, whole, hgrid.PairArray(dtype=int), 0, 100)

neighbors = hgrid.VerletList(hgrid.Grid(((0, 0, 0), (1, 1, 1)), periodic=True), skin=0.01)
count = hgrid.PairArray(dtype=int)
steps(neighbors, x, count, 0, 40)
np.savez(file, x=x, count=count.values, checkpoint=np.frombuffer(neighbors.save(), np.uint8))

saved = np.load(file)
neighbors = hgrid.VerletList(hgrid.Grid())               # box, skin and all else are in the checkpoint
neighbors.restore(saved["checkpoint"].tobytes())
x, count = saved["x"], hgrid.PairArray(dtype=int, values=saved["count"])
found = steps(neighbors, x, count, 40, 100)

assert np.array_equal(x, whole) and np.array_equal(found, expected) and neighbors.counters == through.counters
print(neighbors.counters)
