# SPDX-License-Identifier: BSD-3-Clause
"""The nearest particles, against all pairs and scipy's trees."""
import concurrent.futures
import threading

import numpy as np
import pytest

import hgrid


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def all_pairs(x, r, points, k, box, by):
    """(indices, distances) with the nearest image of each along each axis."""
    D = x[None, :, :] - points[:, None, :]
    if box is not None:
        D -= box * np.rint(D / box)
    d = np.linalg.norm(D, axis=2) - (r if by == "surfaces" else 0)
    order = np.argsort(d, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(d, order, axis=1)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("by", ["centres", "surfaces"])
def test_all_pairs(rng, dimension, periodic, by):
    length = 10.0
    x, r = rng.uniform(0, length, (500, dimension)), rng.uniform(0.01, 1, 500)
    points = rng.uniform(-3, 14, (200, dimension))
    box = hgrid.Box(((0,) * dimension, (length,) * dimension), periodic=True) if periodic else hgrid.Box(dimension=dimension)
    grid = hgrid.Grid(box).build(x, r)
    indices, distances, shifts = grid.nearest(points, 5, by=by)
    expected, d = all_pairs(x, r, points, 5, length if periodic else None, by)
    assert np.array_equal(indices, expected) and np.allclose(distances, d, atol=1e-12)
    assert (shifts is None) == (not periodic)
    if periodic:
        D = x[indices] - points[:, None] + shifts @ box.cell
        assert np.allclose(np.linalg.norm(D, axis=2) - (r[indices] if by == "surfaces" else 0), d)
    others = grid.nearest(k=3, by=by, within=0.5)
    expected, d = all_pairs(x, r, x, 500, length if periodic else None, by)
    for i in range(0, 500, 17):
        near = [(j, e) for j, e in zip(expected[i], d[i]) if j != i and e <= 0.5][:3]
        assert others.indices[i].tolist() == [j for j, _ in near] + [500] * (3 - len(near))
        assert np.isinf(others.distances[i][len(near):]).all()


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("boxsize", [None, 1.0, "mixed"])
def test_scipy(rng, dimension, boxsize):
    spatial = pytest.importorskip("scipy.spatial")
    boxsize = [1.0, 0.0, 2.0][:dimension] if boxsize == "mixed" else boxsize
    data = rng.uniform(0, 1, (300, dimension))
    ours, theirs = hgrid.KDTree(data, boxsize=boxsize), spatial.cKDTree(data, boxsize=boxsize)
    for shape in [(dimension,), (7, dimension), (3, 4, dimension), (0, dimension)]:
        x = rng.uniform(-0.5, 1.5, shape)
        for k in [1, 2, 9, 301, [1], [2, 5], [301]]:
            for bound in [np.inf, 0.2]:
                d, i = ours.query(x, k, distance_upper_bound=bound)
                e, j = theirs.query(x, k, distance_upper_bound=bound)
                assert np.shape(d) == np.shape(e) and np.shape(i) == np.shape(j)
                assert np.asarray(d).dtype == np.asarray(e).dtype and np.asarray(i).dtype == np.asarray(j).dtype
                assert np.allclose(d, e) and np.array_equal(i, j)
    assert [type(one) for one in ours.query(data[0])] == [type(one) for one in theirs.query(data[0])]
    d, _ = theirs.query(data[3], 2)
    assert ours.query(data[3], 2, distance_upper_bound=d[1])[1][1] == 300  # just at the bound it is missing


def test_points_far_outside(rng):
    spatial = pytest.importorskip("scipy.spatial")
    far = np.concatenate([rng.uniform(0, 1, (300, 3)), [[1e6, 0.5, 0.5]]])
    unwrapped = rng.uniform(0, 1, (200, 3)) + rng.integers(-100, 101, (200, 3))
    for data, boxsize in [(far, None), (far, [0, 1, 1]), (unwrapped, 1.0), (np.array([[0.0, 0, 0]]), 1e-3)]:
        at = rng.uniform(-2, 2, (50, 3))
        wrapped = data if boxsize is None else np.where(np.asarray(boxsize) > 0, data % np.where(boxsize, boxsize, 1), data)
        d, i = hgrid.KDTree(data, boxsize=boxsize).query(at, 2)
        e, _ = spatial.cKDTree(wrapped, boxsize=boxsize).query(at, 2)
        assert np.allclose(d, e) and (i[np.isfinite(d)] < len(data)).all()


def test_another_thread_builds(rng):
    few, many = rng.uniform(0, 1, (10, 3)), rng.uniform(0, 1, (20000, 3))
    grid = hgrid.Grid().build(few, 0.01)
    done = threading.Event()

    def build():
        while not done.is_set():
            grid.build(many, 0.01).build(few, 0.01)

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        built = pool.submit(build)
        sizes = {len(grid.nearest().indices) for _ in range(30)}
        done.set()
        built.result()
    assert sizes <= {10, 20000}


def test_forms_of_data(rng):
    for data in [np.zeros((5, 3)), rng.uniform(0, 1, (4, 2)) * [1, 0], np.empty((0, 3)), rng.normal(size=(50, 3)) * 1e6]:
        d, i = hgrid.KDTree(data).query(np.ones((2, data.shape[1])), 3)
        expected, e = all_pairs(data, 0, np.ones((2, data.shape[1])), 3, None, "centres")
        n = expected.shape[1]
        assert np.array_equal(i[:, :n], expected) and np.allclose(d[:, :n], e)
        assert (i[:, n:] == len(data)).all() and np.isinf(d[:, n:]).all()


def test_worlds(rng):
    x, world = rng.uniform(0, 1, (200, 3)), np.arange(200, dtype=np.int32) % 4
    grid = hgrid.Grid().build(x, 0.05, world=world)
    asked = rng.integers(0, 4, 50).astype(np.int32)
    points = rng.uniform(0, 1, (50, 3))
    found = grid.nearest(points, 2, world=asked)
    assert (world[found.indices] == asked[:, None]).all()
    with pytest.raises(hgrid.InputError, match=r"world\[3\]: 4 is none of the worlds"):
        grid.nearest(points[:4], world=[0, 1, 2, 4])


def test_errors(rng):
    grid = hgrid.Grid()
    with pytest.raises(hgrid.StateError, match="not built"):
        grid.nearest()
    grid.build(rng.uniform(0, 1, (9, 3)), 0.1)
    for k in [0, -1, 1.5, None]:
        with pytest.raises(hgrid.InputError, match="^k "):
            grid.nearest(k=k)
    with pytest.raises(hgrid.InputError, match=r"points\[1\]: nan is not finite"):
        grid.nearest([[0, 0, 0], [0, np.nan, 0]])
    with pytest.raises(hgrid.InputError, match="by is"):
        grid.nearest(by="faces")
    with pytest.raises(hgrid.InputError, match="within is"):
        grid.nearest(within=np.nan)
    with pytest.raises(hgrid.InputError, match="world"):
        grid.nearest(world=[0])
    tree = hgrid.KDTree(rng.uniform(0, 1, (9, 3)))
    for call, what in [(lambda: tree.query([0, 0]), "x has the shape"), (lambda: tree.query([0, 0, 0], p=1), "p must be 2"),
                       (lambda: tree.query([0, 0, np.nan]), "x"), (lambda: tree.query([0, 0, 0], k=[0]), "k is 0"),
                       (lambda: tree.query([0, 0, 0], k=None), "^k "), (lambda: tree.query([0, 0, 0], k=True), "^k "),
                       (lambda: hgrid.KDTree(np.zeros((3, 4))), "data has the shape"), (lambda: hgrid.KDTree([[np.nan, 0]]), "data")]:
        with pytest.raises(hgrid.InputError, match=what):
            call()


def test_a_ball_as_wide_as_the_nearest_is_far(rng):
    """The distance is rounded, so that ball may leave it out; by nextafter it never does, as docs/python.md says."""
    x, points = rng.random((500, 3)), rng.random((2000, 3))
    grid, tree = hgrid.Grid().build(x, 0.05), hgrid.KDTree(x)
    d, i = tree.query(points)
    within = [len(grid.query(points, radius=radius, take="centres").indices) for radius in (d, np.nextafter(d, np.inf))]
    assert within[0] < len(points) == within[1]
    assert [some[0] for some in tree.query_ball_point(points, np.nextafter(d, np.inf))] == i.tolist()
