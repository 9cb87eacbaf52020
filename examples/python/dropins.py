# SPDX-License-Identifier: BSD-3-Clause
"""The functions that stand in for functions of ASE and matscipy, vesin, PyG, and scipy."""
import numpy as np

import hgrid

rng = np.random.default_rng(1)
x, radii, batch = rng.random((500, 3)), rng.uniform(0.01, 0.1, 500), np.repeat([0, 1], 250)
cell = np.array([[1, 0, 0], [0.2, 1, 0], [0, 0.1, 1]])

i, j, S, D = hgrid.neighbor_list("ijSD", positions=x, cell=cell, pbc=True, cutoff=0.2)      # or ASE's Atoms
i, j = hgrid.neighbor_list("ij", positions=x, cell=cell, pbc=True, cutoff=radii)            # r_i + r_j
i, j, d = hgrid.NeighborList(cutoff=0.2, full_list=False).compute(x, cell, True, "ijd")     # vesin's
edge_index = hgrid.radius_graph(x, 0.2, batch=batch)                                        # PyG's, never truncated
lists = hgrid.neighbor_lists("ijSd", positions=x, offsets=[0, 250, 500], cell=[cell, 2 * cell], pbc=True, cutoff=0.2)  # of each
d, i = hgrid.KDTree(x, boxsize=1).query(x, k=8)                                             # scipy's, the nearest points

assert np.allclose(D, x[hgrid.neighbor_list("j", positions=x, cell=cell, pbc=True, cutoff=0.2)]
                   - x[hgrid.neighbor_list("i", positions=x, cell=cell, pbc=True, cutoff=0.2)] + S @ cell)
assert (lists[1][3] < 0.2).all() and len(lists.arrays[0]) == lists.entries[2] == sum(len(of_one[0]) for of_one in lists)
assert (i[:, 0] == np.arange(500)).all() and (d[:, 0] == 0).all() and (batch[edge_index[0]] == batch[edge_index[1]]).all()
print(f"{len(S)} entries, {d.size} nearest, {edge_index.shape[1]} edges")
