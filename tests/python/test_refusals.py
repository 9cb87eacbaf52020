# SPDX-License-Identifier: BSD-3-Clause
"""Messages about bad values: they have the argument as the call names it, the index, the value and the remedy."""
import numpy as np
import pytest
from odd_values import BOX, VESIN, Bfloat16, R, Sparse, X, atoms_call, built, carry, masked, update

import hgrid

IDS = np.arange(10)


@pytest.mark.parametrize("call, message", [
    (lambda: hgrid.Grid(0.1), "box is 0.1; (lo, hi) is needed, two corners such as ((0, 0, 0), (1, 1, 1))"),
    (lambda: hgrid.Grid(box=(1, 1, 1)), "box is (1, 1, 1); (lo, hi) is needed"),
    (lambda: hgrid.Grid(skin="1"), "skin is '1'; one number is needed"),
    (lambda: hgrid.Grid(skin=np.nan), "skin is nan; it must be from 0 to 1e+15"),
    (lambda: hgrid.Grid(BOX, periodic=[0.5, 0, 0]), "periodic[0] is 0.5; flags are needed, or letters such as 'xyz'"),
    (lambda: hgrid.Grid(hgrid.Box(BOX, periodic=True), periodic="x"), "periodic and a Box cannot be both given; it has periodic of its own"),
    (lambda: hgrid.Grid(levels=[()]), "levels[0] is []; (radius_max, cell_size along x, y[, z]) is needed"),
    (lambda: hgrid.Grid(cell=np.zeros((3, 3))), "cell: vector a of the box is zero"),
    (lambda: hgrid.Grid().set_boxes([hgrid.Box(BOX, periodic=True), (1, 2)]), "boxes[1] is (1, 2); (lo, hi) is needed"),
    (lambda: built().matrix(2**62), f"max_neighbors is {2**62}; it must be from 0 to {2**31 - 1}"),
    (lambda: hgrid.Grid().build([[0, 0], [1, 0]], 0.6).matrix(0), "max_neighbors is 0; a particle has 1 neighbor"),
    (lambda: built().neighbors(full="no"), "full is 'no'; True or False is needed"),
    (lambda: hgrid.Grid().build(masked(X), R),
     "x[0, 1] is masked; give the numbers below the mask by x.filled(...), or leave such particles out"),
    (lambda: hgrid.Grid().build(X, masked(R)), "r[1] is masked"),
    (lambda: hgrid.neighbor_list("i", positions=masked(X), cutoff=1), "positions[0, 1] is"),
    (lambda: hgrid.Grid().build(Bfloat16(10, 3), R),
     "x is an array of torch.bfloat16, which numpy does not read; convert it to a dense one of"),
    (lambda: hgrid.Grid().build(Sparse(), R), "of which numpy makes no array; pass x.toarray()"),
    (lambda: hgrid.Grid().build([[0, 0], [None, 1]], 1),
     "x[1, 0] is None, so x is an array of object; it must be of float64 or float32"),
    (lambda: hgrid.Grid().build(X, 1e16), "r is 1e+16; it must be from 0 to 1e+15"),
    (lambda: hgrid.Grid().build(X, 1e15, radius_scale=10), "r times radius_scale is 1e+16; it must be at most 1e+15"),
    (lambda: hgrid.Grid().build(X, R, exclude=(IDS, 5)), "exclude[1] is one number, 5; an array of shape (n,) is needed"),
    (lambda: hgrid.Grid().build(X[:1], R[:1], owned=2), "owned is 2; there is 1 particle"),
    (lambda: hgrid.Grid().build(X, R, types=0 * IDS, cutoffs=-np.eye(1)),
     "cutoffs of particle 0 (of 10 bad): one of its type is -1"),
    (lambda: hgrid.Grid(cell=[[0, 1, 1], [1, 0, 1], [1, 1, 0]]).build([[0, 0, -1e15]], 0.1),
     "x[0]: z = -1e+15 is more than 2^29 times vector a outside the box; take some off"),
    (lambda: built().query(np.where(IDS[:, None] == 3, np.nan, X)), "points[3]: nan is not finite"),
    (lambda: built().query(lo=X, hi=X - 1), "hi[0]: "), (lambda: built().query(X, radius=-R), "radius[0]: -0.1 is negative"),
    (lambda: built().query(X, world=IDS), "world[1]: 1 is none of the worlds"),
    (lambda: update(margin=-R), "margin[0] is -0.1; margins are from 0 to 1e+15"),
    (lambda: carry(None, "a"), "fresh is 'a', which is none of the values: these are of float64 and of shape (3,)"),
    (lambda: hgrid.radius_graph(X, 0.1, batch=-np.ones(10, int)),
     "batch[0] is -1; numbers of graphs are from 0 on, and below 2^20"),
    (lambda: hgrid.radius_graph(X, 0.1, IDS, batch_size=3),
     "batch[3] is 3; numbers of graphs are from 0 on, and below batch_size, 3"),
    (lambda: hgrid.radius_graph(X, -R), "r[0]: -0.1 is negative"),
    (lambda: atoms_call(cutoff=-R), "cutoff[0]: -0.1 is negative"),
    (lambda: atoms_call(positions=np.where(IDS[:, None] == 3, np.nan, X)), "positions[3] is nan"),
    (lambda: atoms_call(pbc=[0.5, 0, 0]), "pbc[0] is 0.5; flags are needed"),
    (lambda: hgrid.NeighborList(**VESIN).compute(np.where(IDS[:, None] == 3, np.nan, X), np.eye(3), True), "points[3] is nan"),
    (lambda: hgrid.NeighborList(**VESIN).compute(X, np.zeros((3, 3)), True), "box: vector a of the box is zero"),
])
def test_messages(call, message):
    with pytest.raises(hgrid.Error) as caught:
        call()
    assert message in str(caught.value), str(caught.value)
