# SPDX-License-Identifier: BSD-3-Clause
"""Functions that a grid calls, and that use that grid: calls that change nothing work, all others are refused, and nothing hangs."""
import ctypes
import os
import signal
import threading
import time

import numpy as np
import pytest

import hgrid

ASK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.POINTER(ctypes.c_uint8))
X = np.random.default_rng(1).random((200, 3))

# Each gets the grid and another one, and some the list of the grid. Calls that change nothing work.
WORK = {
    "touches": lambda g, other: g.touches([[0.5, 0.5, 0.5]], 0.1), "repr": lambda g, other: repr(g), "box": lambda g, other: g.box,
    "skin": lambda g, other: g.skin, "another grid": lambda g, other: other.pairs(), "release": lambda g, other: hgrid.release(),
    "neighbor_list": lambda g, other: hgrid.neighbor_list("ij", positions=X, cutoff=0.1), "a new grid": lambda g, other: hgrid.Grid().build(X, 0.1).count(),
}
REFUSED = {
    "build": lambda g, other: g.build(X, 0.1), "count": lambda g, other: g.count(), "pairs": lambda g, other: g.pairs("d"),
    "neighbors": lambda g, other: g.neighbors(), "packed": lambda g, other: g.packed_neighbors(), "matrix": lambda g, other: g.matrix(),
    "query": lambda g, other: g.query(lo=[[0, 0, 0]], hi=[[1, 1, 1]]), "between": lambda g, other: g.between(other), "between of it": lambda g, other: other.between(g),
    "nearest": lambda g, other: g.nearest(k=1), "insert": lambda g, other: g.insert([[0, 0, 0]], 0.1, if_free=False), "plan": lambda g, other: g.plan,
    "save": lambda g, other: g.save(), "restore": lambda g, other: g.restore(other.save()),
    "restore of one not built": lambda g, other: g.restore(hgrid.Grid().save()), "valid": lambda g, other: g.valid(X, 0.1),
    "predicate": lambda g, other: g.neighbors(predicate=yes), "list": lambda g, other: hgrid.VerletList(g, skin=0.1).update(X, 0.1),
    "set_box": lambda g, other: g.set_box(((0, 0, 0), (2, 2, 2)), periodic=True), "set_boxes": lambda g, other: g.set_boxes([]),
}
LISTED = {
    "full": lambda l: l.full, "repr": lambda l: repr(l), "neighbors": lambda l: l.neighbors(), "counters": lambda l: l.counters,
    "periods": lambda l: l.periods,
}
LIST_REFUSED = {
    "update": lambda l: l.update(X, 0.1), "build": lambda l: l.build(X, 0.1), "carry": lambda l: l.carry(None), "save": lambda l: l.save(),
    "restore": lambda l: l.restore(EMPTY), "origins": lambda l: l.origins,
}
EMPTY = hgrid.VerletList(hgrid.Grid(), skin=0.1).save()


@ASK
def yes(context, contacts, count, touch):
    for k in range(count):
        touch[k] = 1
    return 0


@pytest.mark.parametrize("kind, calls", [(hgrid.Grid, [WORK, REFUSED]), (hgrid.VerletList, [LISTED, LIST_REFUSED])])
def test_every_public_name_is_called(kind, calls):
    called = {name for call in {**calls[0], **calls[1]}.values() for name in call.__code__.co_names}
    assert {name for name in dir(kind) if not name.startswith("_")} - called == set()


@pytest.mark.parametrize("call", [*LISTED, *LIST_REFUSED])
def test_a_predicate_that_uses_a_list_of_its_grid(call):
    grid = hgrid.Grid(threads="serial")
    neighbors = hgrid.VerletList(grid, skin=0.1)
    neighbors.update(X, 0.1)
    said = []

    @ASK
    def ask(context, contacts, count, touch):
        try:
            (LISTED | LIST_REFUSED)[call](neighbors)
            said.append(None)
        except hgrid.Error as error:
            said.append(error.code)
        return yes(context, contacts, count, touch)

    before = grid.count()
    if call in LISTED:
        assert grid.pairs("ij", predicate=ask).size == before and set(said) == {None}
    else:
        with pytest.raises(hgrid.StateError) as error:
            grid.pairs("ij", predicate=ask)
        assert error.value.code == "reentrancy" and set(said) == {"reentrancy"}
    assert grid.count() == before and neighbors.counters.builds == 1 and not neighbors.update(X, 0.1)


def grids(threads):
    return hgrid.Grid(threads=threads).build(X, 0.1), hgrid.Grid(threads="serial").build(X + 0.01, 0.1)


@pytest.mark.parametrize("threads", ["serial", 2])
@pytest.mark.parametrize("call", [*WORK, *REFUSED])
def test_a_predicate_that_uses_its_grid(call, threads):
    grid, other = grids(threads)
    said = []

    @ASK
    def ask(context, contacts, count, touch):
        try:
            (WORK | REFUSED)[call](grid, other)
            said.append(None)
        except hgrid.Error as error:
            said.append(error.code)
        return yes(context, contacts, count, touch)

    before = grid.pairs("ij")
    if call in WORK:
        assert len(grid.pairs("ij", predicate=ask).ij) == len(before.ij)
        assert set(said) == {None}
    else:
        for search in (grid.pairs, grid.neighbors):
            with pytest.raises(hgrid.StateError) as error:
                search(predicate=ask)
            assert error.value.code == "reentrancy" and set(said) == {"reentrancy"}
    np.testing.assert_array_equal(grid.pairs("ij").ij, before.ij)
    other.count()


class Enough(Exception):
    pass


@pytest.mark.parametrize("call, raised", [("touches", Enough), ("count", hgrid.StateError), ("build", hgrid.StateError), ("between", hgrid.StateError)])
def test_a_progress_function_that_uses_its_grid(call, raised):
    _, other = grids("serial")
    grid = hgrid.Grid(threads="serial").build(np.random.default_rng(1).random((100_000, 3)), 1.0)  # whose count takes seconds

    def show(share):
        (WORK | REFUSED)[call](grid, other)
        raise Enough

    with pytest.raises(raised) as error, hgrid.progress(show):
        grid.count()
    assert raised is Enough or error.value.code == "reentrancy"


def test_what_a_predicate_of_python_raises_ends_the_search():
    grid, _ = grids("serial")
    parallel, _ = grids(2)

    @ASK
    def fails(context, contacts, count, touch):
        raise ZeroDivisionError("in the predicate")

    for search in (grid.pairs, grid.neighbors, parallel.pairs):
        with pytest.raises(ZeroDivisionError, match="in the predicate"):
            search(predicate=fails)


def test_ctrl_c_ends_a_search_whose_predicate_is_at_work():
    grid, _ = grids("serial")
    calls = []

    @ASK
    def slow(context, contacts, count, touch):
        calls.append(count)
        time.sleep(0.3)
        return yes(context, contacts, count, touch)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's jobs in the background ignore it
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        grid.pairs(predicate=slow)
    timer.join()
    signal.signal(signal.SIGINT, before)
    assert len(calls) == 1
    assert grid.count() > 64
