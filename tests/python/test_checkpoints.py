# SPDX-License-Identifier: BSD-3-Clause
"""Checkpoints and pickles: what goes on from them makes the same lists, bit for bit, at the same steps."""
import copy
import pickle

import numpy as np
import pytest
from conftest import system

import hgrid
from hgrid import _checkpoint

TILTED = {"cell": [[1, 0, 0], [0.2, 1, 0], [0, 0.1, 1]], "periodic": "xy"}


def same(a, b):
    return all(x is y is None or np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def lists_of(neighbors):
    return neighbors.offsets, neighbors.indices, neighbors.shifts


@pytest.mark.parametrize("way", ["restore", "pickle", "copy"])
def test_a_loop_goes_on(rng, way):
    x, r = system(rng, 400)
    v = rng.normal(size=x.shape) * 0.003
    through = hgrid.VerletList(hgrid.Grid(skin=0.02, **TILTED), full=False, skin=0.03)
    broken, counts = copy.deepcopy(through), [None, None]
    for step in range(14):
        x = x + v
        assert broken.update(x, r) == (rebuilt := through.update(x, r))
        if rebuilt:
            counts = [verlet.carry(values) + step for verlet, values in zip((broken, through), counts)]
        assert same(lists_of(broken.neighbors()), lists_of(through.neighbors())) and np.array_equal(*counts)
        assert broken.counters == through.counters and broken.neighbors().box.periodic == (True, True, False)
        if step % 3 == 1 and way == "restore":
            saved, broken = broken.save(), hgrid.VerletList(hgrid.Grid())
            assert saved == through.save(), "the same state makes the same bytes"
            broken.restore(saved)
            assert not broken.full and broken.grid.skin == 0.02
        elif step % 3 == 1:
            broken = pickle.loads(pickle.dumps(broken)) if way == "pickle" else copy.deepcopy(broken)
    assert through.counters.builds > 3


def test_grids_keep_their_plan(rng):
    x, r = system(rng, 500)
    grid = hgrid.Grid(((0, 0, 0), (1, 1, 1)), periodic="xz", tilt=(0, 0.2, 0), threads="serial", keys="morton").build(x, r, skin=0.01)
    expected = grid.pairs("ijSdD")
    other = pickle.loads(pickle.dumps(grid))
    with pytest.raises(hgrid.StateError, match="not built"):
        other.pairs()
    moved = x + 1e-3
    assert same(other.build(x, r).pairs("ijSdD"), expected) and other.skin == 0.01 and other.box.periodic == (True, False, True)
    assert other.plan._replace(candidates=0) == grid.plan._replace(candidates=0)
    at_work = hgrid.Grid().build(moved, r)
    at_work.restore(grid.save())
    assert same(at_work.build(x, r).pairs("ijSdD"), expected)
    flat = pickle.loads(pickle.dumps(hgrid.Grid(skin=0.5)))
    assert flat.box is None and flat.build([[0, 0], [1, 0]], 0.25).count() == 1
    assert same(pickle.loads(pickle.dumps(expected)), expected)
    lists = pickle.loads(pickle.dumps(grid.neighbors()))
    assert same(lists_of(lists), lists_of(grid.neighbors())) and repr(lists.box) == repr(grid.box)


def test_boxes_of_worlds_are_kept(rng):
    x, r = system(rng, 300)
    world = np.arange(300) % 2
    grid = hgrid.Grid(((0, 0, 0), (1, 1, 1)))
    grid.set_boxes([((0, 0, 0), (1, 1, 1)), ((0, 0, 0), (2, 1, 1))])
    expected = grid.build(x, r, world=world).pairs("ijS")
    assert same(pickle.loads(pickle.dumps(grid)).build(x, r, world=world).pairs("ijS"), expected)


def test_damage_is_noticed(rng):
    x, r = system(rng, 60)
    verlet = hgrid.VerletList(hgrid.Grid(skin=0.02))
    verlet.update(x, r)
    for what, fresh in ((verlet, lambda: hgrid.VerletList(hgrid.Grid())), (verlet.grid, hgrid.Grid)):
        saved = what.save()
        fresh().restore(saved)
        damaged = [saved[:-1], saved + b"\0", b"", saved[:20], b"not a checkpoint of anybody's"]
        damaged += [saved[:k] + bytes([saved[k] ^ 4]) + saved[k + 1:] for k in range(0, len(saved), 1 if len(saved) < 2000 else 7)]
        before = lists_of(verlet.neighbors())
        for broken in damaged:
            with pytest.raises(hgrid.InputError) as caught:
                what.restore(broken)
            assert (caught.value.code, caught.value.argument) == ("format", "checkpoint")
            with pytest.raises(hgrid.InputError):
                fresh().restore(broken)
        assert same(lists_of(verlet.neighbors()), before)
    facts, engine = _checkpoint._opened(verlet.grid.save(), "Grid")
    with pytest.raises(hgrid.InputError, match="is none, or of another version") as caught:  # of the library below
        hgrid.Grid().restore(_checkpoint._closed(facts, b"\0" + engine[1:]))
    assert caught.value.code == "format"
    with pytest.raises(hgrid.InputError, match="is of a VerletList, not of a Grid"):
        verlet.grid.restore(verlet.save())
    flat = hgrid.Grid().build([[0.0, 0.0]], 1.0)
    with pytest.raises(hgrid.InputError, match="has 3 dimensions, not 2"):
        flat.restore(verlet.grid.save())
    assert flat.count() == 0 and flat.box.dimension == 2
