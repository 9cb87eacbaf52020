# SPDX-License-Identifier: BSD-3-Clause
"""Particles that are inserted into a built grid, against a build of all of them."""
import numpy as np
import pytest

import hgrid


def system(n, dimension, seed=3):
    rng = np.random.default_rng(seed)
    return rng.uniform(-5, 25, (n, dimension)), rng.uniform(0.05, 1.2, n) ** 2


def touched(pairs, n, among):
    """Returns the particles that touch an earlier one of the set, or their own image."""
    found = np.zeros(n, bool)
    for i, j in pairs.ij:
        found[j] |= i == j or among[i]
    return found


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("box", [None, "periodic", "tilted"])
def test_as_a_build_of_all(dimension, box):
    n, built = 1500, 500
    x, r = system(n, dimension)
    lo, hi = [0.0] * dimension, [20.0] * dimension
    given = {None: None, "periodic": hgrid.Box((lo, hi), periodic=True), "tilted": hgrid.Box((lo, hi), periodic=True, tilt=[3.0] if dimension == 2 else [3.0, 0.0, -4.0])}[box]
    grid = hgrid.Grid(given, skin=0.1)
    grid.build(x[:built], r[:built])
    all_pairs = hgrid.Grid(given).build(x, r).pairs()
    everyone = touched(all_pairs, n, np.ones(n, bool))
    alone = touched(all_pairs, n, np.arange(n) < built)  # asked together, none of them is there yet
    assert grid.touches(x[built:], r[built:]).tolist() == alone[built:].tolist()
    assert grid.insert(x[built:], r[built:], if_free=False).tolist() == list(range(built, n))
    assert grid.touches(x[:1], r[:1]).tolist() == [True]

    grid.build(x[:built], r[:built])
    ids = grid.insert(x[built:], r[built:])
    assert ids.dtype == np.int32 and 0 < (ids >= 0).sum() < n - built
    free = np.concatenate([np.ones(built, bool), ids >= 0])
    assert (ids < 0).tolist() == touched(all_pairs, n, free)[built:].tolist()
    assert ids[ids >= 0].tolist() == list(range(built, built + (ids >= 0).sum()))
    assert (ids >= 0).sum() > (~everyone[built:]).sum(), "those that touch refused ones only are free"


def test_one_radius_worlds_and_none():
    grid = hgrid.Grid()
    grid.build([[0.0, 0, 0], [9, 0, 0]], [1.0, 1], world=[0, 1])
    assert grid.touches([[1.5, 0, 0], [1.5, 0, 0]], 1, world=[0, 1]).tolist() == [True, False]
    assert grid.insert([[1.5, 0, 0]], 1.0, world=[1]).tolist() == [2]
    assert grid.touches([[1.5, 0, 0]], 0.1, world=[1]).tolist() == [True]
    assert grid.touches(np.zeros((0, 3)), 1).shape == grid.insert(np.zeros((0, 3)), []).shape == (0,)


@pytest.mark.parametrize("x, r, argument, code, index", [
    ([[0, 0, 0], [0, np.nan, 0]], 1, "x", "nonfinite", 1),
    ([[0, 0, 0], [0, 0, 2e15]], 1, "x", "range_error", 1),
    ([[0, 0, 0], [0, 0, 0]], [1, -1], "r", "negative_radius", 1),
    ([[0, 0, 0], [0, 0, 0]], [1, 1e-16], "r", "range_error", 1),
    ([[0, 0]], 1, "x", "size_mismatch", -1),
    ([[0, 0, 0]], [1, 1], "r", "size_mismatch", -1),
])
def test_refused(x, r, argument, code, index):
    grid = hgrid.Grid().build([[5.0, 5, 5]], [1.0])
    for call in (grid.touches, grid.insert):
        with pytest.raises(hgrid.InputError) as error:
            call(x, r)
        assert (error.value.argument, error.value.code, error.value.index) == (argument, code, index), str(error.value)
        assert "skip" not in str(error.value)
    assert grid.insert([[0.0, 0, 0]], 1).tolist() == [1], "nothing was inserted"


def test_not_built():
    for call in (hgrid.Grid().touches, hgrid.Grid().insert):
        with pytest.raises(hgrid.StateError):
            call([[0.0, 0, 0]], 1)
