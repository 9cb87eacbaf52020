# SPDX-License-Identifier: BSD-3-Clause
"""Checkpoints and pickles: a loop that continues from them makes equal lists, bit for bit, at equal steps."""
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
    assert pickle.loads(pickle.dumps(hgrid.VerletList(grid))).grid.save() == grid.save(), "a list that is not built has no plan"
    flat = pickle.loads(pickle.dumps(hgrid.Grid(skin=0.5)))
    assert flat.box is None and flat.build([[0, 0], [1, 0]], 0.25).count() == 1
    assert same(pickle.loads(pickle.dumps(expected)), expected)
    lists = pickle.loads(pickle.dumps(grid.neighbors()))
    assert same(lists_of(lists), lists_of(grid.neighbors())) and repr(lists.box) == repr(grid.box)


def test_boxes_of_worlds_are_kept(rng):
    x, r = system(rng, 300)
    world = np.arange(300) % 2
    grid = hgrid.Grid(((0, 0, 0), (1, 1, 1)), periodic=True)
    grid.set_boxes([hgrid.Box(((0, 0, 0), hi), periodic=True) for hi in ((1, 1, 1), (2, 1, 1))])
    expected = grid.build(x, r, world=world).pairs("ijS")
    assert same(pickle.loads(pickle.dumps(grid)).build(x, r, world=world).pairs("ijS"), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_box_may_change_before_the_first_build(rng, dtype):
    x, r = system(rng, 300)
    x = x.astype(dtype)
    sheared = {"cell": [[1, 0, 0], [0.4, 1, 0], [0, 0, 1]]}
    world = np.arange(300) % 2
    boxes = [hgrid.Box(((0, 0, 0), hi), periodic=True) for hi in ((1, 1, 1), (2, 1, 1))]

    def of_grid(grid):
        return grid.build(x, r).pairs("ijSD")

    def of_list(verlet):
        verlet.update(x, r)
        assert verlet.neighbors().box is verlet.grid.box
        return lists_of(verlet.neighbors())

    for make, of in ((hgrid.Grid, of_grid), (lambda **box: hgrid.VerletList(hgrid.Grid(**box)), of_list)):
        saved = make(**TILTED)
        of(saved)
        for at_work in (False, True):
            restored, fresh = make(), make(**sheared)
            if at_work:  # a grid, whose list is not
                getattr(restored, "grid", restored).build(x, r)
            restored.restore(saved.save())
            getattr(restored, "grid", restored).set_box(**sheared)
            assert same(of(restored), of(fresh)) and not same(of(make(**TILTED)), of(fresh))
    grid, fresh = hgrid.Grid(), hgrid.Grid(**TILTED)
    grid.restore(fresh.build(x, r).save())
    for one in (grid, fresh):
        one.set_boxes(boxes)
    assert same(grid.build(x, r, world=world).pairs("ijS"), fresh.build(x, r, world=world).pairs("ijS"))


PLANNED = {"rule": "gather", "levels": [[0.2, 0.5, 0.5, 0.5]], "direction": "bottom-up", "keys": "morton", "table": "compacted"}


def test_what_was_never_built_is_restored(rng):
    x, r = system(rng, 200)
    r = r * 0.2 / r.max()
    for make in (hgrid.Grid, lambda **options: hgrid.VerletList(hgrid.Grid(**options))):
        def grid_of(what):
            return getattr(what, "grid", what)

        def built(what):
            return grid_of(what).build(x, r) if what is grid_of(what) else what.build(x, r)

        never, other = make(skin=0.03, **TILTED, **PLANNED), make(rule="max")
        at_work, pending, twice = make(), make(), make()
        built(at_work), built(other)
        pending.restore(other.save()), twice.restore(other.save())
        twice.restore(never.save()), twice.restore(twice.save())
        for what in (at_work, pending, twice, make(), pickle.loads(pickle.dumps(never))):
            what.restore(never.save())
            with pytest.raises(hgrid.StateError, match="not built"):
                what.neighbors()
            with pytest.raises(hgrid.StateError, match="not built"):
                grid_of(what).count()
            assert what.save() == never.save()
        built(never), built(at_work), built(pending)
        for what in (at_work, pending):
            assert same(lists_of(what.neighbors()), lists_of(never.neighbors()))
            plan = grid_of(what).plan
            assert (plan.direction, plan.keys, plan.table) == ("bottom-up", "morton", "compacted") and plan == grid_of(never).plan
            assert [level.cell_size for level in plan.levels] == [(0.5, 0.5, 0.5)]
    verlet = hgrid.VerletList(hgrid.Grid(skin=0.03))
    verlet.update(x, r)
    verlet.grid.restore(hgrid.Grid(**TILTED).save())
    assert verlet.update(x, r) and verlet.counters.builds == 1 and verlet.neighbors().shifts.any()


@pytest.mark.parametrize("kind", ["Grid", "VerletList"])
def test_a_restore_that_fails_changes_nothing(rng, kind):
    """Facts that do not fit the engine's bytes, under a sum that is right."""
    x, r = system(rng, 100)

    def make(**options):
        return hgrid.Grid(**options) if kind == "Grid" else hgrid.VerletList(hgrid.Grid(**options))

    def build(what):
        what.build(x, r)
        return what

    at_work, saved = build(make(skin=0.02, **TILTED)), build(make(cell=np.eye(3))).save()
    facts, engine = _checkpoint.opened(saved, kind)
    flat = hgrid.Box(((0, 0), (1, 1)), periodic=True).facts()
    for wrong in ({"box": flat}, {"boxes": [flat]}, {"box": [[0, 0, 0], [-1, 1, 1], [], [], [True] * 3, 3]}, {"box": None}, {"rule": "none"}):
        for what in (at_work, make(skin=0.02, **TILTED)):
            before, box = what.save(), getattr(what, "grid", what).box
            with pytest.raises(hgrid.InputError) as caught:
                what.restore(_checkpoint.closed({**facts, **wrong}, engine))
            assert (caught.value.code, caught.value.argument) == ("format", "checkpoint")
            assert what.save() == before and getattr(what, "grid", what).box is box
    assert same(lists_of(at_work.neighbors()), lists_of(build(make(skin=0.02, **TILTED)).neighbors()))


def test_an_open_box_has_the_dimension_of_the_grid():
    grid = hgrid.Grid(((0, 0), (1, 1)), periodic=True).build([[0.1, 0.1], [0.95, 0.1]], 0.1)
    assert grid.count() == 1
    grid.set_box()
    assert grid.box.dimension == 2
    for again in (grid, pickle.loads(pickle.dumps(grid))):
        assert again.build([[0.1, 0.1], [0.95, 0.1]], 0.1).count() == 0


def test_a_stream_is_not_pickled():
    grid = pickle.loads(pickle.dumps(hgrid.Grid(stream=12345, keys="morton")))
    assert grid._options.stream is None and grid._options.keys == "morton"


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
    facts, engine = _checkpoint.opened(verlet.grid.save(), "Grid")
    with pytest.raises(hgrid.InputError, match="is none, or of another version") as caught:  # the version of the library below
        hgrid.Grid().restore(_checkpoint.closed(facts, b"\0" + engine[1:]))
    assert caught.value.code == "format"
    with pytest.raises(hgrid.InputError, match="is of a VerletList, not of a Grid"):
        verlet.grid.restore(verlet.save())
    flat = hgrid.Grid().build([[0.0, 0.0]], 1.0)
    with pytest.raises(hgrid.InputError, match="has 3 dimensions, not 2"):
        flat.restore(verlet.grid.save())
    assert flat.count() == 0 and flat.box.dimension == 2
