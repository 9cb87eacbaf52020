# SPDX-License-Identifier: BSD-3-Clause
"""Distances of neighbors: those of pairs, from either side, in any box."""
import numpy as np
import pytest
from device_framework import ANY_DEVICE, TILTED, all_same, same, system

import hgrid


@pytest.mark.parametrize("real", [np.float64, np.float32])
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("full", [False, True])
def test_quantities_of_neighbors(real, periodic, full):
    random = np.random.default_rng(3)
    x, r = random.uniform(0, 6, (400, 3)).astype(real), random.uniform(0.1, 0.5, 400).astype(real)
    box = hgrid.Box(((0, 0, 0), (6, 6, 6)), periodic=periodic, tilt=(1, 0, 0.5) if periodic else None)
    grid = hgrid.Grid(box, skin=0.1).build(x, r)
    i, j, S, d, D = grid.neighbors("ijSdD", full=full)
    lists = grid.neighbors(full=full)
    assert np.array_equal(i, lists.i) and np.array_equal(j, lists.indices)
    assert np.array_equal(S, np.zeros((len(i), 3)) if lists.shifts is None else lists.shifts)
    assert np.array_equal(d, lists.d) and np.array_equal(D, lists.D)
    assert np.allclose(D, x[j].astype(float) - x[i] + S @ box.cell, atol=1e-5) and np.allclose(d, np.linalg.norm(D, axis=1))
    of_pairs = dict(zip(map(tuple, np.c_[(p := grid.pairs("ijSd")).ij, p.S if p.S is not None else np.zeros((p.size, 3), int)].tolist()), p.d.tolist()))
    assert len(i) == (2 if full else 1) * len(of_pairs) > 500
    once = i < j if full else np.ones(len(i), bool)
    for key, distance in zip(map(tuple, np.c_[i, j, S][once].tolist()), d[once].tolist()):
        assert np.isclose(of_pairs[key], distance, rtol=1e-6)
    assert grid.neighbors("dj", full=full)[1].tolist() == j.tolist()


def test_distances_are_of_the_grids_last_build():
    x, r = np.array([[0.0, 0], [1, 0], [5, 0]]), np.ones(3)
    grid = hgrid.Grid().build(x, r)
    lists, later = grid.neighbors(), grid.neighbors()
    assert lists.d.tolist() == [1, 1] and lists.D.tolist() == [[1, 0], [-1, 0]]
    grid.build(x + 1, r)
    assert lists.d.tolist() == [1, 1]  # they were asked for before
    with pytest.raises(hgrid.StateError, match="built since"):
        later.d
    with pytest.raises(hgrid.Error, match="grid gives of its own build"):
        grid.query([[0.0, 0]], radius=1).d
    with pytest.raises(hgrid.InputError, match="letters"):
        grid.neighbors("ijP")


@ANY_DEVICE
def test_distances_on_a_device(rng, framework):
    x, r = system(rng, 300)
    host, device = hgrid.Grid(**TILTED).build(x, r), hgrid.Grid(**TILTED).build(framework.asarray(x), framework.asarray(r))
    assert all_same(device.neighbors("ijSdD"), host.neighbors("ijSdD"))
    expected, found = host.neighbors(), device.neighbors()
    assert same(found.d, expected.d) and same(found.D, expected.D)
