# SPDX-License-Identifier: BSD-3-Clause
"""Contacts of a packing, its neighbors, a report of the plan, and a check by all pairs."""
import numpy as np

import hgrid

rng = np.random.default_rng(1)
x, r = rng.random((2000, 3)), rng.pareto(2, 2000).clip(max=9) * 0.004 + 0.004

grid = hgrid.Grid(box=((0, 0, 0), (1, 1, 1)), periodic="xy")
grid.build(x, r)                                # or any DLPack arrays
i, j, S, d = grid.pairs("ijSd")                 # each contact once
lists = grid.neighbors()                        # lists[7]: neighbors of particle 7
overlap = r[i] + r[j] - d

print(grid.plan)
print(f"{len(i)} contacts, the largest overlap is {overlap.max():.4f}")
assert grid.count() == len(i) and len(lists.indices) == 2 * len(i) and overlap.min() > -1e-12

result = grid.pairs()
print(f"all {hgrid.verify(result, x, r)} pairs agree")

try:
    grid.build(np.where(np.arange(6000).reshape(2000, 3) == 5170, np.nan, x), r)
except hgrid.InputError as error:
    print(error)                                # x[1723] is nan; pass nonfinite="skip" ...
    assert error.index == 1723 and error.code == "nonfinite"
