# SPDX-License-Identifier: BSD-3-Clause
"""Compiled predicates within the search: functions of ctypes, their addresses, and numba's where it is installed."""
import ctypes

import numpy as np
import pytest

import hgrid


class Contact(ctypes.Structure):
    _fields_ = [("i", ctypes.c_int32), ("j", ctypes.c_int32), ("image", ctypes.c_int32 * 3)]


ASK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(Contact), ctypes.c_int64, ctypes.POINTER(ctypes.c_uint8))
SIDE = 8.0


def confirmed(i, j, shift, weights):
    """Returns the predicates' answers."""
    return (weights[i] + weights[j] + 5 * shift[0] + 3 * shift[1]) % 3 == 0


@ASK
def ask(context, contacts, count, touch):
    weights = ctypes.cast(context, ctypes.POINTER(ctypes.c_int64))
    for k in range(count):
        c = contacts[k]
        touch[k] = confirmed(c.i, c.j, c.image, weights)
    return 0


@pytest.fixture(name="grid")
def fixture_grid():
    random = np.random.default_rng(5)
    return hgrid.Grid(hgrid.Box([[0, 0, 0], [SIDE] * 3], periodic=True), threads=2).build(random.uniform(0, SIDE, (600, 3)), 0.5)


@pytest.fixture(name="weights")
def fixture_weights():
    return np.random.default_rng(6).integers(0, 100, 600)


def kept(grid, weights):
    """The sorted pairs of the grid that the predicate confirms."""
    i, j, shift, d = grid.pairs("ijSd", order="sorted")
    keep = confirmed(i, j, shift.T, weights)
    assert 0.2 < keep.mean() < 0.5
    return i[keep], j[keep], shift[keep], d[keep]


def test_pairs(grid, weights):
    expected = kept(grid, weights)
    for predicate in (ask, ctypes.cast(ask, ctypes.c_void_p).value):
        for context in (weights, weights.ctypes.data, (ctypes.c_int64 * 600)(*weights.tolist())):
            found = grid.pairs("ijSd", order="sorted", predicate=predicate, context=context)
            for value, right in zip(found, expected):
                np.testing.assert_array_equal(value, right)
    assert grid.pairs(predicate=ask, context=weights).size == len(expected[0])


def test_neighbors(grid, weights):
    i, j, shift, _ = kept(grid, weights)
    for full in (False, True):
        lists = grid.neighbors(full=full, predicate=ask, context=weights)
        rows = np.repeat(np.arange(600), np.diff(lists.offsets))
        found = np.column_stack([rows, lists.indices, lists.shifts])
        pairs = np.column_stack([i, j, shift])
        both = np.concatenate([pairs, np.column_stack([j, i, -shift])]) if full else pairs
        np.testing.assert_array_equal(found, both[np.lexsort(both.T[::-1])])


def test_a_predicate_may_stop(grid):
    @ASK
    def stops(context, contacts, count, touch):
        return 1

    with pytest.raises(hgrid.Error) as error:
        grid.pairs(predicate=stops)
    assert error.value.code == "stopped"
    assert grid.pairs().size == grid.count()


@pytest.mark.parametrize("arguments, argument", [
    ({"predicate": lambda i, j: True}, "predicate"), ({"predicate": "touch"}, "predicate"), ({"predicate": 0}, "predicate"),
    ({"predicate": 1.5}, "predicate"), ({"context": np.zeros(3)}, "context"), ({"predicate": ask, "context": np.zeros(6)[::2]}, "context"),
    ({"predicate": ask, "context": [1, 2]}, "context"), ({"predicate": ask, "context": -1}, "context")])
def test_refusals(grid, arguments, argument):
    for call in (grid.pairs, grid.neighbors):
        with pytest.raises(hgrid.InputError) as error:
            call(**arguments)
        assert error.value.argument == argument


def test_numba(grid, weights):
    numba = pytest.importorskip("numba")
    # [docs: numba]
    contact = numba.from_dtype(np.dtype([("i", np.int32), ("j", np.int32), ("image", np.int32, 3)]))
    types = numba.types

    @numba.cfunc(types.int32(types.voidptr, types.CPointer(contact), types.int64, types.CPointer(types.uint8)))
    def compiled(context, contacts, count, touch):
        w, batch = numba.carray(context, 600, np.int64), numba.carray(contacts, count)
        for k in range(count):
            c = batch[k]
            touch[k] = (w[c.i] + w[c.j] + 5 * c.image[0] + 3 * c.image[1]) % 3 == 0
        return 0
    # [docs: end]

    for value, right in zip(grid.pairs("ijSd", order="sorted", predicate=compiled, context=weights), kept(grid, weights)):
        np.testing.assert_array_equal(value, right)
