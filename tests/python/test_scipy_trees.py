# SPDX-License-Identifier: BSD-3-Clause
"""scipy's own tests of its trees that know two and three dimensions and the usual distance, with ours in their place."""
import pytest

import hgrid

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
