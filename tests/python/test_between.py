# SPDX-License-Identifier: BSD-3-Clause
"""Contacts between two sets, against all pairs."""
import threading

import numpy as np
import pytest

import hgrid


@pytest.fixture
def rng():
    return np.random.default_rng(23)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("real", [np.float64, np.float32])
def test_all_pairs(rng, dimension, periodic, real):
    length = 10.0
    (x, r), (y, s) = ((rng.uniform(-5, 15, (n, dimension)).astype(real), rng.uniform(0.01, 1, n).astype(real)) for n in (300, 500))
    box = hgrid.Box(((0,) * dimension, (length,) * dimension), periodic=True) if periodic else hgrid.Box(dimension=dimension)
    asking, asked = hgrid.Grid(box).build(x, r, group=np.arange(300) % 7, skin=0.1), hgrid.Grid(box).build(y, s, group=np.arange(500) % 9)
    found = asked.between(asking)
    D = x[:, None].astype(float) - y[None].astype(float)
    shifts = np.rint(D / length) if periodic else np.zeros_like(D)
    touch = ((D - length * shifts) ** 2).sum(axis=2) <= (r.astype(float)[:, None] + s.astype(float) + 0.05) ** 2
    touch &= np.arange(300)[:, None] % 7 != np.arange(500) % 9
    expected = [np.flatnonzero(row) for row in touch]
    assert len(found) == 300 and found.offsets[-1] == touch.sum() > 100
    for i in range(300):
        assert found[i].tolist() == expected[i].tolist()
        if periodic:
            assert np.array_equal(found.shifts[found.offsets[i]:found.offsets[i + 1]], shifts[i, expected[i]])
    assert (found.shifts is None) == (not periodic)


def test_exclusions(rng):
    x, y = rng.random((200, 3)), rng.random((300, 3))
    asking, asked = hgrid.Grid().build(x, 0.05), hgrid.Grid().build(y, 0.05)
    every = asked.between(asking)
    pairs = np.stack([np.repeat(np.arange(200), np.diff(every.offsets)), every.indices], axis=1)
    bonds = pairs[rng.permutation(len(pairs))[:50]]
    left = sorted(set(map(tuple, pairs.tolist())) - set(map(tuple, bonds.tolist())))
    found = asked.between(asking, exclude=bonds)
    assert [(i, j) for i in range(200) for j in found[i].tolist()] == left and len(left) == len(pairs) - 50 > 50
    assert asked.between(asking, every).offsets[-1] == 0
    assert asked.between(asking, (every.offsets, every.indices)).offsets[-1] == 0
    assert asked.between(asking).offsets[-1] == len(pairs)
    with pytest.raises(hgrid.InputError) as caught:
        asked.between(asking, [[0, 0], [5, 300]])
    assert caught.value.argument == "exclude" and caught.value.index == 1
    with pytest.raises(hgrid.InputError, match=r"exclude\[0\]"):
        asked.between(asking, (every.offsets[:-1], every.indices))


def test_itself(rng):
    x = rng.random((200, 3))
    grid = hgrid.Grid().build(x, 0.05)
    own, all_of_it = grid.neighbors(), grid.between(grid)
    assert all(all_of_it[i].tolist() == sorted([i, *own[i].tolist()]) for i in range(200))


def test_refusals(rng):
    x = rng.random((20, 3))
    grid = hgrid.Grid().build(x, 0.1)
    others = {"another dimension": hgrid.Grid().build(x[:, :2].copy(), 0.1), "different boxes": hgrid.Grid(((0,) * 3, (1,) * 3), periodic=True).build(x, 0.1),
              "different rules": hgrid.Grid(rule="max").build(x, 0.1)}
    for text, other in others.items():
        with pytest.raises(hgrid.InputError, match=text) as caught:
            grid.between(other)
        assert caught.value.argument == "asking"
    with pytest.raises(hgrid.InputError, match="a Grid is needed"):
        grid.between(x)
    with pytest.raises(hgrid.StateError):
        grid.between(hgrid.Grid())
    with pytest.raises(hgrid.StateError):
        hgrid.Grid().between(grid)


def test_threads_that_ask_each_other(rng):
    x = rng.random((2000, 3))
    a, b = hgrid.Grid().build(x, 0.03), hgrid.Grid().build(x[::-1].copy(), 0.03)
    sizes = []

    def ask(asked, asking):
        for _ in range(50):
            sizes.append(asked.between(asking).offsets[-1])

    threads = [threading.Thread(target=ask, args=pair) for pair in ((a, b), (b, a), (a, a))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(sizes) == 150 and len(set(sizes)) == 1
