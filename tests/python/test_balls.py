# SPDX-License-Identifier: BSD-3-Clause
"""`KDTree`'s answers by distance, against scipy's tree, and trees that are pickled and copied."""
import copy
import pickle

import numpy as np
import pytest

import hgrid

spatial = pytest.importorskip("scipy.spatial")


def trees(rng, dimension, box):
    x = rng.random((200, dimension))
    x[50:60] = x[40:50]  # at one place
    boxsize = {"open": None, "periodic": 1.0, "slit": [1.0] + [0.0] * (dimension - 1)}[box]
    return hgrid.KDTree(x, boxsize=boxsize), spatial.cKDTree(x, boxsize=boxsize)


@pytest.mark.parametrize("box", ["open", "periodic", "slit"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_as_scipys(rng, dimension, box):
    ours, theirs = trees(rng, dimension, box)
    x = rng.random((3, 7, dimension))
    for r in (0.0, 0.1, 0.45, 3.0 if box == "open" else 0.7, rng.random((3, 7)) / 3):
        found, expected = ours.query_ball_point(x, r), theirs.query_ball_point(x, r, return_sorted=True)
        assert found.shape == expected.shape == (3, 7) and found.tolist() == expected.tolist()
        assert np.array_equal(ours.query_ball_point(x, r, return_length=True), theirs.query_ball_point(x, r, return_length=True))
    one = ours.query_ball_point(x[0, 0], 0.3)
    assert isinstance(one, list) and one == sorted(theirs.query_ball_point(x[0, 0], 0.3)) and ours.query_ball_point(x[0, 0], 0.3, return_length=True) == len(one)
    assert box == "slit" or ours.query_ball_point(x[0, 0], np.inf) == list(range(200))
    assert ours.query_ball_point(x[0, 0], -1.0) == [] and ours.query_pairs(-1.0) == set()  # scipy takes the square
    for r in (0.0, 0.2):
        assert ours.query_pairs(r) == theirs.query_pairs(r)
        assert set(map(tuple, ours.query_pairs(r, output_type="ndarray").tolist())) == theirs.query_pairs(r)
    ours2, theirs2 = trees(rng, dimension, box)
    assert ours.query_ball_tree(ours2, 0.2) == [sorted(some) for some in theirs.query_ball_tree(theirs2, 0.2)]
    radii = np.array([0.0, 0.1, 0.3])
    for cumulative in (True, False):
        assert np.array_equal(ours.count_neighbors(ours2, radii, cumulative=cumulative), theirs.count_neighbors(theirs2, radii, cumulative=cumulative))
    assert ours.count_neighbors(ours, 0.2) == theirs.count_neighbors(theirs, 0.2)
    for kind in ("dok_matrix", "coo_matrix"):
        mine, other = (tree.sparse_distance_matrix(of, 0.2, output_type=kind) for tree, of in ((ours, ours2), (theirs, theirs2)))
        assert type(mine) is type(other) and mine.shape == other.shape
        np.testing.assert_allclose(mine.toarray(), other.toarray(), rtol=1e-14)
    for kind in ("dok_array", "coo_array"):  # of scipy 1.18
        assert (ours.sparse_distance_matrix(ours2, 0.2, output_type=kind).toarray() == mine.toarray()).all()
    mine, other = (tree.sparse_distance_matrix(of, 0.2, output_type="dict") for tree, of in ((ours, ours), (theirs, theirs)))
    assert mine.keys() == other.keys() and mine == pytest.approx(other)
    records = ours.sparse_distance_matrix(ours, 0.2, output_type="ndarray")
    assert records.dtype == theirs.sparse_distance_matrix(theirs, 0.2, output_type="ndarray").dtype and len(records) == len(mine)
    assert np.array_equal(ours.maxes, theirs.maxes) and np.array_equal(ours.mins, theirs.mins) and (ours.n, ours.m) == (theirs.n, theirs.m)


def test_a_tree_is_copied_and_pickled(rng):
    tree = hgrid.KDTree(rng.random((50, 3)), 8, boxsize=1.0, threads="serial")
    for again in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), copy.copy(tree)):
        assert np.array_equal(again.query(tree.data, k=3)[1], tree.query(tree.data, k=3)[1])
        assert (again.leafsize, again.boxsize, again.n) == (8, 1.0, 50) and again.query_pairs(0.2) == tree.query_pairs(0.2)


def test_of_none_and_refusals():
    empty = hgrid.KDTree(np.zeros((0, 3)))
    assert empty.query_pairs(1.0) == set() and empty.query_ball_point([[0, 0, 0]], 1.0).tolist() == [[]] and (empty.maxes == 0).all()
    tree = hgrid.KDTree([[0.0, 0, 0], [1, 0, 0]])
    for call, argument in ((lambda: tree.query_ball_point([0, 0], 1), "x"), (lambda: tree.query_pairs(1, p=1), "p"), (lambda: tree.query_pairs(1, output_type="list"), "output_type"),
                           (lambda: tree.count_neighbors(tree, 1, weights=1), "weights"), (lambda: tree.query_ball_tree(1, 1), "other"),
                           (lambda: tree.query_ball_point([np.nan, 0, 0], 1), "x"), (lambda: tree.query_ball_point([0, 0, 0], "far"), "r")):
        with pytest.raises(hgrid.InputError) as error:
            call()
        assert error.value.argument == argument, error.value
