# SPDX-License-Identifier: BSD-3-Clause
"""Input on which other codes surprise (the last table of tests/python/README.md): hgrid's answers against all pairs by numpy."""
import itertools

import numpy as np
import pytest

import hgrid

TILTED = np.array([[4.0, 0, 0], [1.7, 3.5, 0], [-1.5, 1.4, 3.2]])  # rows


def all_pairs(x, cutoff, cell=None, periods=0, *, just=False):
    """(i, j, shift) both ways, by every shift of up to so many periods."""
    shifts = np.array(list(itertools.product(range(-periods, periods + 1), repeat=3)))
    D = x[None, :] - x[:, None] + (shifts @ (np.zeros((3, 3)) if cell is None else cell))[:, None, None]
    d = np.linalg.norm(D, axis=-1)
    found = np.argwhere(d <= cutoff if just else d < cutoff)
    return sorted((i, j, *shifts[s].tolist()) for s, i, j in found.tolist() if i != j or shifts[s].any())


def listed(x, cutoff, cell=None):
    i, j, S = hgrid.neighbor_list("ijS", positions=x, cell=cell, pbc=cell is not None, cutoff=cutoff)
    return sorted(zip(i.tolist(), j.tolist(), *S.T.tolist()))


@pytest.mark.parametrize("outside", [0.0, 2.5])
@pytest.mark.parametrize("cell", [np.diag([4.0, 3.5, 3.2]), TILTED])
def test_triclinic_boxes_and_atoms_that_have_left_them(rng, cell, outside):
    x = (rng.random((30, 3)) + outside * rng.integers(-1, 2, (30, 3))) @ cell
    found = listed(x, 1.4, cell)
    assert found == all_pairs(x, 1.4, cell, 8 if outside else 3) and len(found) > 50


def test_beyond_half_the_box(rng):
    x = rng.random((12, 3)) @ TILTED
    found = listed(x, 3.9, TILTED)
    assert found == all_pairs(x, 3.9, TILTED, 4) and len(found) > 500
    pairs, d = hgrid.self_capped_distance(x, 3.0, box=[4, 4, 4, 90, 90, 90], method="pkdtree")
    x = x.astype(np.float32).astype(float)
    D = x[None] - x[:, None]
    nearest = np.linalg.norm(D - 4 * np.round(D / 4), axis=-1)
    assert len(pairs) == np.count_nonzero(np.triu(nearest <= 3.0, 1)) and np.allclose(nearest[tuple(pairs.T)], d)


def test_a_box_around_the_origin(rng):
    x = rng.random((60, 3)) - 0.5
    box = hgrid.Box(((-0.5,) * 3, (0.5,) * 3), periodic=True)
    found = hgrid.Grid(box).build(x, 0.125).pairs("ijS")
    assert 2 * found.size == len(all_pairs(x, 0.25, np.eye(3), 1))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_lattices_at_the_cutoff(dtype):
    """A pair just at the cutoff is none for the lists of chemists, and a contact of spheres, however many ask."""
    x = np.stack(np.meshgrid(*[np.arange(5)] * 3), -1).reshape(-1, 3).astype(dtype)
    cell = 5 * np.eye(3)
    assert listed(x, 2.0, cell) == all_pairs(x.astype(float), 2.0, cell, 1) and len(listed(x, 2.0, cell)) == 125 * 26
    grid = hgrid.Grid(hgrid.Box(((0,) * 3, (5,) * 3), periodic=True)).build(x, 1.0)
    assert 2 * grid.count() == len(all_pairs(x.astype(float), 2.0, cell, 1, just=True)) == 125 * 32
    for few in (1, 9, 125):
        pairs = hgrid.capped_distance(x[:few], x, 2.0, box=[5, 5, 5, 90, 90, 90], return_distances=False)
        assert len(pairs) == few * 33


def test_images_of_an_atom_itself():
    assert listed(np.zeros((1, 3)), 1.1, np.eye(3)) == all_pairs(np.zeros((1, 3)), 1.1, np.eye(3), 1)
    assert len(listed(np.zeros((1, 3)), 1.1, np.eye(3))) == 6


def test_far_from_the_origin(rng):
    """The numbers that there are count, not numbers that were rounded away."""
    for far in (1e3, 1e6, 1e9):
        x = rng.random((200, 3)) + far
        assert 2 * hgrid.Grid().build(x, 0.1).count() == len(all_pairs(x, 0.2, just=True)) > 100
    boxes = np.array([[1e7, 0, 0], [1e7 + 1, 0, 0], [1e7 + 3, 0, 0]])
    assert hgrid.Grid().build(boxes, extents=0.5).pairs().ij.tolist() == [[0, 1]]


def test_margins():
    """Extra distances of two particles add up, and so does the skin, once."""
    x, r = np.array([[0.0, 0, 0], [2.3, 0, 0]]), np.ones(2)
    for extra, skin, count in ((0.0, 0.0, 0), ([0.3, 0.0], 0.0, 1), ([0.15, 0.15], 0.0, 1), (0.1, 0.0, 0), (0.0, 0.31, 1), (0.1, 0.11, 1), (0.0, 0.29, 0)):
        assert hgrid.Grid(skin=skin).build(x, r, extra=np.broadcast_to(extra, 2) * 1.0001).count() == count


def test_a_neighbor_that_is_missing():
    x = np.array([[0.0, 0, 0], [1, 0, 0], [5, 0, 0]])
    for k, bound in ((5, np.inf), (3, 2.0), (1, 0.5)):
        d, i = hgrid.KDTree(x).query([[0.75, 0, 0], [99, 0, 0]], k=k, distance_upper_bound=bound)
        assert ((i == 3) == np.isinf(d)).all() and (i <= 3).all()
