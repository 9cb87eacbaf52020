# SPDX-License-Identifier: BSD-3-Clause
"""scipy's own tests of what docs/python.md offers in the place of its trees, in two and three dimensions."""
import numpy as np
import pytest

import hgrid

tests = pytest.importorskip("scipy.spatial.tests.test_kdtree", reason="this scipy has no tests in it")


class Tree:
    """query_pairs and query_ball_point by the calls that the page names."""

    def __init__(self, data):
        self.data = np.asarray(data, float)

    def query_pairs(self, r, output_type="set"):
        ij = hgrid.Grid().build(self.data, r / 2).pairs().ij
        return ij if output_type == "ndarray" else set(map(tuple, ij.tolist()))

    def query_ball_point(self, points, r, workers=1, return_length=False):
        points = np.asarray(points)
        radius = np.broadcast_to(np.asarray(r, float), len(np.atleast_2d(points)))
        grid = hgrid.Grid(threads="serial" if workers == 1 else None).build(self.data, 0.1)
        found = [list(ids) for ids in grid.query(np.atleast_2d(points), radius=radius, take="centres")]
        rows = np.array(list(map(len, found))) if return_length else found
        return rows if points.ndim == 2 else rows[0]


@pytest.mark.parametrize("name", [
    "test_kdtree_query_pairs", "test_query_pairs_single_node", "test_query_ball_point_multithreading",
    "test_query_ball_point_vector_r", "test_query_ball_point_length"])
def test_of_scipy(name):
    getattr(tests, name)(Tree)
