# SPDX-License-Identifier: BSD-3-Clause
"""The functions that stand in for MDAnalysis' capped distances, against its comparison of all pairs, and all images of each."""
import itertools

import numpy as np
import pytest

import hgrid

BOXES = None, [4, 5, 6, 90, 90, 90], [4, 5, 0, 90, 90, 90], [5, 4, 6, 70, 80, 100], [8, 8, 8, 109.47, 109.47, 109.47], [9, 9, 3, 60, 60, 90]


def sets(rng, box):
    lengths = np.full(3, 5.0) if box is None else np.maximum(box[:3], 3)
    return [(rng.uniform(-0.5, 1.5, (int(rng.integers(1, 60)), 3)) * lengths).astype(np.float32) for _ in range(2)]


@pytest.mark.parametrize("box", BOXES)
def test_as_mdanalysis(rng, box):
    theirs = pytest.importorskip("MDAnalysis.lib.distances")
    box = None if box is None else np.array(box, np.float32)
    for number in range(30):
        a, b = sets(rng, box)
        most = rng.uniform(0.1, 2.2) if box is None or box[3] == 90 else rng.uniform(0.1, 1.2)
        least = most / 2 if number % 2 else None
        for name, given in (("capped_distance", (a, b)), ("capped_distance", (a[0], b)), ("self_capped_distance", (a,))):
            pairs, d = getattr(hgrid, name)(*given, most, least, box)
            expected = getattr(theirs, name)(*given, most, least, box, method="bruteforce")
            assert (pairs.dtype.type, d.dtype.type) == (np.intp, np.float64) and pairs.flags.c_contiguous
            assert np.array_equal(pairs, expected[0])
            np.testing.assert_allclose(d, expected[1], rtol=1e-5, atol=1e-6)
            assert np.array_equal(getattr(hgrid, name)(*given, most, least, box, return_distances=False), pairs)


@pytest.mark.parametrize("box", BOXES[1:2] + BOXES[3:])
@pytest.mark.parametrize("most", [3.0, 50.0])
def test_a_distance_is_that_of_the_nearest_images(rng, box, most):
    """Also for cutoffs far above half of the box, of which each pair is at most once in the list."""
    a, b = sets(rng, box)
    lengths, (alpha, beta, gamma) = np.array(box[:3], float), np.radians(box[3:])
    x, y = np.cos(beta), (np.cos(alpha) - np.cos(beta) * np.cos(gamma)) / np.sin(gamma)
    cell = np.array([[1, 0, 0], [np.cos(gamma), np.sin(gamma), 0], [x, y, np.sqrt(1 - x * x - y * y)]]) * lengths[:, None]
    shifts = np.array(list(itertools.product(range(-5, 6), repeat=3))) @ cell
    for name, given, others in (("capped_distance", (a, b), b), ("self_capped_distance", (a,), a)):
        d = np.min([np.linalg.norm(others[None] - a[:, None] + shift, axis=2) for shift in shifts], axis=0)
        chosen = d <= most if others is b else np.triu(d <= most, 1)
        pairs, found = getattr(hgrid, name)(*given, most, box=box)
        assert np.array_equal(pairs, np.argwhere(chosen)) and len(pairs) > 0
        np.testing.assert_allclose(found, d[chosen], rtol=1e-5, atol=1e-5)


def test_pairs_at_the_cutoffs():
    a, b = [0, 0, 0], [[0.5, 0, 0], [1, 0, 0], [0, 0, 0], [0, 2, 0]]
    assert hgrid.capped_distance(a, b, 1.0, 0.5, return_distances=False).tolist() == [[0, 1]]
    assert hgrid.capped_distance(a, b, 1.0, 0.0)[1].tolist() == [0.5, 1]
    assert hgrid.capped_distance(a, b, 0.0)[0].tolist() == [[0, 2]]
    assert hgrid.capped_distance(a, [[1e-15, 0, 0]], 5e-16)[0].shape == (0, 2) == hgrid.self_capped_distance(a, 1.0)[0].shape
    assert hgrid.self_capped_distance(np.zeros((0, 3)), 1.0)[1].shape == (0,)


def test_atom_groups(rng):
    mdanalysis = pytest.importorskip("MDAnalysis")
    atoms = mdanalysis.Universe.empty(40, trajectory=True).atoms
    atoms.positions = rng.random((40, 3))
    assert np.array_equal(hgrid.self_capped_distance(atoms, 0.4)[0], hgrid.self_capped_distance(atoms.positions, 0.4)[0])
    assert np.array_equal(hgrid.capped_distance(atoms[:9], atoms, 0.4)[0], hgrid.capped_distance(atoms.positions[:9], atoms.positions, 0.4)[0])


@pytest.mark.parametrize("given, message", [
    ({"configuration": [[0, 0, 0], [0, np.nan, 0]]}, "configuration[1] is nan"),
    ({"reference": [0, 0, 1e39]}, "reference[0] is inf"),
    ({"reference": [[0, 0]]}, "reference has shape (1, 2); (n, 3) or (3,) is needed"),
    ({"reference": None}, "reference is None"),
    ({"max_cutoff": -1.0}, "max_cutoff is -1.0"),
    ({"max_cutoff": 1000.0, "box": [1, 1, 1000, 90, 90, 90]}, "max_cutoff: "),
    ({"min_cutoff": "a"}, "min_cutoff is 'a'"),
    ({"box": [1, 1, 1]}, "box has shape (3,)"),
    ({"box": [1, -1, 1, 90, 90, 90]}, "lengths above 0 and angles between 0 and 180"),
    ({"box": [1, 1, 1, 30, 30, 80]}, "no three vectors have these angles"),
    ({"method": "best"}, "method is 'best'"),
    ({"backend": 3}, "backend is 3"),
    ({"return_distances": 2}, "return_distances is 2"),
])
def test_errors_name_the_argument(given, message):
    with pytest.raises(hgrid.InputError) as caught:
        hgrid.capped_distance(**{"reference": [0, 0, 0], "configuration": [[0, 0, 0]], "max_cutoff": 1.0, **given})
    assert message in str(caught.value) and caught.value.argument == next(iter(given))
