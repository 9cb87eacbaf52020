# SPDX-License-Identifier: BSD-3-Clause
"""scipy's own tests of its trees that know two and three dimensions and the usual distance, with ours in their place; and scipy's answers where
density varies."""
import numpy as np
import pytest

import hgrid

spatial = pytest.importorskip("scipy.spatial")
tests = pytest.importorskip("scipy.spatial.tests.test_kdtree", reason="this scipy has no tests in it")


@pytest.mark.parametrize("name, more", [
    ("test_ball_point_ints", ()), ("test_discontiguous", ()), ("test_kdtree_box_lower_bounds", ()), ("test_kdtree_count_neighbous_multiple_r", ()),
    ("test_kdtree_empty_input", (True, False)), ("test_kdtree_list_k", ()), ("test_kdtree_query_pairs", ()), ("test_len0_arrays", ()),
    ("test_query_ball_point_length", ()), ("test_query_ball_point_multithreading", ()), ("test_query_ball_point_multithreaded_workers", ()), ("test_query_ball_point_vector_r", ()),
    ("test_query_pairs_single_node", ()), ("test_short_knn", ())])
def test_of_scipy(name, more):
    if not hasattr(tests, name):
        pytest.skip("this scipy has no test of that name")
    getattr(tests, name)(hgrid.KDTree, *more)


def densities(n):
    """(name, points) whose density varies, so that the tree is looked into and not the cells."""
    rng = np.random.default_rng(1)
    away = rng.normal(size=(n, 3))
    away /= np.linalg.norm(away, axis=1)[:, None]
    strays, same = rng.random((n, 3)), rng.random((n, 3))
    strays[::50] *= 1e6
    same[::2] = same[0]
    yield "density r^-3", away * 10.0 ** rng.uniform(-6, 0, n)[:, None]
    yield "shells", away * (1 + rng.integers(0, 2, n))[:, None]
    yield "strays", strays
    yield "half at one place", same
    yield "log-normal", np.exp(2 * rng.normal(size=(n, 3)))


@pytest.mark.parametrize("name, x", densities(2000))
@pytest.mark.parametrize("k", [1, 8, 64])
def test_any_density(name, x, k):
    points = np.concatenate([x[::3], x[::3] + 1e-3, [[0.0, 0.0, 0.0], [1e7, 0.0, 0.0]]])
    distances, ids = hgrid.KDTree(x).query(points, k)
    np.testing.assert_allclose(distances, spatial.cKDTree(x).query(points, k)[0], rtol=1e-12, atol=0)
    np.testing.assert_allclose(np.linalg.norm(points.reshape(-1, *[1] * (ids.ndim - 1), 3) - x[ids], axis=-1), distances, rtol=1e-12, atol=0)
    assert k == 1 or (np.diff(np.sort(ids, axis=1), axis=1) > 0).all()
