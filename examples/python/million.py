# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import hgrid

rng = np.random.default_rng(1)
x, r = rng.random((1_000_000, 3)), rng.pareto(2, 1_000_000).clip(max=9) * 0.001 + 0.001

grid = hgrid.Grid(box=((0, 0, 0), (1, 1, 1)), periodic="xy")
grid.build(x, r)                     # or any DLPack arrays
i, j, S, d = grid.pairs("ijSd")      # each contact once, with its image and distance
lists = grid.neighbors()             # lists[7]: neighbors of particle 7
print(len(i), "contacts, the largest overlap is", (r[i] + r[j] - d).max())
