# SPDX-License-Identifier: BSD-3-Clause
"""A list that lives through a time loop, and a value for each contact that follows it."""
import numpy as np

import hgrid

rng = np.random.default_rng(1)
x, v, r = rng.random((1000, 3)), 0.01 * rng.standard_normal((1000, 3)), np.full(1000, 0.04)

neighbors = hgrid.VerletList(hgrid.Grid(((0, 0, 0), (1, 1, 1)), periodic=True), skin=0.01)
steps_in_list = hgrid.PairArray(dtype=int)               # a value for each entry of the list, 0 for pairs that are new
for step in range(100):
    x += 0.05 * v                                        # not wrapped
    neighbors.update(x, r, followers=[steps_in_list])    # built again only if a contact could be missed
    steps_in_list.values += 1
    i, j, D, d = neighbors.neighbors("ijDd")             # for the present x
    touching = d < r[i] + r[j]                           # others are within the skin

print(neighbors.counters)
assert 1 < neighbors.counters.builds < 50 and steps_in_list.values.max() == 100 and touching.any()
