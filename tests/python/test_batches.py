# SPDX-License-Identifier: BSD-3-Clause
"""neighbor_lists: each system has the lists that it has alone."""
import numpy as np
import pytest

import hgrid


def batch(rng):
    """Arguments of neighbor_lists, and a function that gives neighbor_list's arguments for one system."""
    systems, dimension = int(rng.integers(0, 7)), int(rng.integers(2, 4))
    first = np.concatenate([[0], np.cumsum(rng.integers(0, 30, systems))]).astype(np.int64)
    n = int(first[-1])
    x = 3 * rng.random((n, dimension))
    kind = rng.integers(0, 4)
    cell = pbc = None
    if kind == 1:
        cell, pbc = np.eye(dimension) * rng.uniform(0.2, 3), [True, "y", np.arange(dimension) == 0][rng.integers(0, 3)]
    elif kind > 1:
        cell = rng.normal(size=(systems, dimension, dimension)) * rng.uniform(0.3, 2) + 2 * np.eye(dimension)
        pbc = rng.random((systems, dimension)) < 0.6 if kind == 3 else "xy"[:int(rng.integers(1, 3))]
    cutoff = [1.0, rng.random(n), {(1, 1): 0.5, (1, 2): 1.0}][rng.integers(0, 3)]
    numbers = rng.integers(1, 3, n)
    same = {"self_interaction": bool(rng.random() < 0.5)}

    def alone(k):
        own = slice(first[k], first[k + 1])
        of_own = [given[k] if given is not None and np.ndim(given) == axes else given for given, axes in ((cell, 3), (pbc, 2))]
        return {"positions": x[own], "cell": of_own[0], "pbc": of_own[1], "numbers": numbers[own],
                "cutoff": cutoff[own] if isinstance(cutoff, np.ndarray) else cutoff, **same}

    return {"positions": x, "offsets": first, "cell": cell, "pbc": pbc, "cutoff": cutoff, "numbers": numbers, **same}, alone


def test_each_system_has_what_it_has_alone(rng):
    entries = 0
    for _ in range(150):
        given, alone = batch(rng)
        lists = hgrid.neighbor_lists("ijSdD", **given)
        assert len(lists) == len(given["offsets"]) - 1 == len(list(lists))
        entries += int(lists.entries[-1])
        for k, found in enumerate(lists):
            for own, expected in zip(found, hgrid.neighbor_list("ijSdD", **alone(k))):
                assert own.dtype == expected.dtype and own.shape == expected.shape and (own == expected).all(), (given, k)
        i, j = lists.arrays[:2]  # count through the batch
        system = np.searchsorted(lists.particles, i, side="right")
        assert (system == np.searchsorted(lists.particles, j, side="right")).all() and (np.diff(i) >= 0).all()
    assert entries > 20_000


def test_systems_of_ase(rng):
    ase = pytest.importorskip("ase")
    neighborlist = pytest.importorskip("ase.neighborlist")
    build = pytest.importorskip("ase.build")
    systems = [build.bulk("NaCl", "rocksalt", a=5.64), build.molecule("H2O"), ase.Atoms(), build.bulk("Cu").repeat(2)]
    for atoms in systems:
        atoms.rattle(0.01, rng=np.random)
    lists = hgrid.neighbor_lists("ijSd", systems, 4.0)
    for atoms, found in zip(systems, lists):
        assert sorted(zip(*(column.tolist() for column in found[:2]), map(tuple, found[2].tolist()))) == sorted(
            zip(*(column.tolist() for column in neighborlist.neighbor_list("ij", atoms, 4.0)),
                map(tuple, neighborlist.neighbor_list("S", atoms, 4.0).tolist())))
    assert repr(lists) == f"<hgrid.NeighborLists: 'ijSd' of 4 systems, {len(lists.arrays[0])} entries>"
    assert len(hgrid.neighbor_lists("i", [], 1.0).arrays[0]) == 0


@pytest.mark.parametrize("given, argument, said", [
    ({"offsets": [0, 2, 1, 4]}, "offsets[2]", "below the one before it"),
    ({"offsets": [0, 3]}, "offsets", "end with 4"),
    ({"offsets": None}, "offsets", "are needed"),
    ({"cutoff": None}, "cutoff", "is needed"),
    ({"cutoff": -1.0}, "cutoff", "-1"),
    ({"cell": np.ones((2, 3, 3))}, "cell", "2 lines; there are 3 systems"),
    ({"cell": np.stack([np.eye(3), np.eye(3), np.zeros((3, 3))]), "pbc": True}, "cell[2]", "vector a"),
    ({"cell": np.full((3, 3, 3), np.nan), "pbc": True}, "cell[0]", "not finite"),
    ({"pbc": True}, "pbc", "needs a cell"),
    ({"cell": np.eye(3), "pbc": [[True] * 3] * 2}, "pbc", "2 lines"),
    ({"positions": np.full((4, 3), np.inf)}, "positions[0]", "inf"),
    ({"systems": []}, "systems", "not both"),
    ({"systems": [], "positions": None}, "offsets", "systems have their own"),
    ({"systems": [1], "positions": None, "offsets": None}, "systems[0]", "Atoms of ASE"),
    ({"systems": 1, "positions": None, "offsets": None}, "systems", "a list of Atoms"),
])
def test_what_is_refused(given, argument, said):
    with pytest.raises(hgrid.InputError, match=said) as error:
        hgrid.neighbor_lists(**{"quantities": "ij", "positions": np.zeros((4, 3)), "offsets": [0, 1, 3, 4], "cutoff": 1.0} | given)
    assert str(error.value).startswith(argument)


def test_flags_may_be_numbers():
    """Also where systems are far apart in size, which the longest periodic vector must see."""
    x, first, cells = np.array([[0.1] * 3, [0.9] * 3, [5e5] * 3]), [0, 1, 2, 3], np.eye(3) * np.array([1, 1, 1e6])[:, None, None]
    for pbc in (True, [1, 1, 1], [[1, 1, 1]] * 3, [[1.0] * 3] * 3, np.ones((3, 3), np.int8)):
        assert hgrid.neighbor_lists("i", positions=x, offsets=first, cell=cells, pbc=pbc, cutoff=1.5).entries.tolist() == [0, 18, 36, 36]
    with pytest.raises(hgrid.InputError, match=r"pbc\[1\]\[0\] is 2"):
        hgrid.neighbor_lists("i", positions=x, offsets=first, cell=cells, pbc=[[1, 1, 1], [2, 0, 0], [0, 0, 0]], cutoff=1.5)


def test_a_tiny_cell_beside_a_long_cutoff_of_others():
    given = {"positions": np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0], [400, 0, 0]]), "numbers": [1, 1, 1, 2],
             "cell": np.eye(3) * np.array([2, 2000])[:, None, None], "pbc": True, "cutoff": {(1, 1): 1.9, (1, 2): 500.0}}
    lists = hgrid.neighbor_lists("i", offsets=[0, 2, 4], **given)
    assert np.diff(lists.entries).tolist() == [16, 2]
    given["offsets"] = np.array([0, 2, 4])
    lists = hgrid.neighbor_lists("i", **given)
    given["offsets"][1] = 0  # the user's own
    assert lists.particles.tolist() == [0, 2, 4]
    with pytest.raises(hgrid.InputError, match="^system 0: cutoff"):
        hgrid.neighbor_lists("i", **given | {"offsets": [0, 2, 4], "cutoff": 1000.0})


def test_systems_count_from_both_ends():
    lists = hgrid.neighbor_lists("i", positions=np.zeros((3, 3)), offsets=[0, 1, 3], cutoff=1.0)
    assert lists[-1].tolist() == lists[1].tolist() == [0, 1] and lists[0].tolist() == []
    with pytest.raises(IndexError, match="system 2 of 2"):
        lists[2]
