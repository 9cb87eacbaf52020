# SPDX-License-Identifier: BSD-3-Clause
"""A time loop that is broken off, and goes on from a file with the same lists at the same steps."""
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
        if neighbors.update(x, r):
            count = neighbors.carry(count)
        count += 1
    return count


through = hgrid.VerletList(hgrid.Grid(((0, 0, 0), (1, 1, 1))), skin=0.01)
whole = x.copy()
expected = steps(through, whole, None, 0, 100)

neighbors = hgrid.VerletList(hgrid.Grid(((0, 0, 0), (1, 1, 1))), skin=0.01)
count = steps(neighbors, x, None, 0, 40)
np.savez(file, x=x, count=count, checkpoint=np.frombuffer(neighbors.save(), np.uint8))

saved = np.load(file)
neighbors = hgrid.VerletList(hgrid.Grid())               # box, skin and all else are in the checkpoint
neighbors.restore(saved["checkpoint"].tobytes())
x, count = saved["x"], saved["count"]
count = steps(neighbors, x, count, 40, 100)

assert np.array_equal(x, whole) and np.array_equal(count, expected) and neighbors.counters == through.counters
print(neighbors.counters)
