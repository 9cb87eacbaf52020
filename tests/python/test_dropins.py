# SPDX-License-Identifier: BSD-3-Clause
"""Functions that stand in for other codes' functions, against these codes."""
import weakref

import numpy as np
import pytest
from conftest import keys, system

import hgrid


def systems(rng, count):
    """Positions in and outside of cells of all forms, some axes open."""
    while count > 0:
        cell, pbc, n = rng.normal(size=(3, 3)) * 3, rng.random(3) < 0.6, int(rng.integers(1, 30))
        if abs(np.linalg.det(cell)) > 3:
            count -= 1
            yield (3 * rng.random((n, 3)) - 1) @ cell, cell, pbc, rng.uniform(0.5, 5)


def test_as_ase(rng):
    ase, lists = pytest.importorskip("ase"), pytest.importorskip("ase.neighborlist")
    for number, (x, cell, pbc, cutoff) in enumerate(systems(rng, 60)):
        atoms = ase.Atoms("H" * len(x), positions=x, cell=cell, pbc=pbc)
        for limit in (cutoff, rng.uniform(0.1, cutoff / 2, len(x))):
            itself = bool(number % 2)
            theirs = lists.neighbor_list("ijSdD", atoms, limit, self_interaction=itself)
            for ours in (hgrid.neighbor_list("ijSdD", atoms, limit, itself),
                         hgrid.neighbor_list("ijSdD", positions=x, cell=cell, pbc=pbc, cutoff=limit, self_interaction=itself)):
                i, j, S, d, D = ours
                assert [a.dtype for a in ours] == [a.dtype for a in theirs]
                assert keys(i, j, S) == keys(*theirs[:3]) and (np.diff(i) >= 0).all()
                np.testing.assert_allclose(D, x[j] - x[i] + S @ cell, rtol=0, atol=1e-12)
                np.testing.assert_allclose(d, np.linalg.norm(D, axis=1))
    assert isinstance(hgrid.neighbor_list("i", atoms, 1.0), np.ndarray)


def test_cutoffs_by_element():
    build, lists = pytest.importorskip("ase.build"), pytest.importorskip("ase.neighborlist")
    salt = build.bulk("NaCl", "rocksalt", a=5.64)
    for cutoff in ({("Na", "Cl"): 3.0}, {(11, 17): 3.0, (11, 11): 6.0}, {("Cl", "Cl"): 12.0}):
        assert keys(*hgrid.neighbor_list("ijS", salt, cutoff)) == keys(*lists.neighbor_list("ijS", salt, cutoff))
    with pytest.raises(hgrid.InputError, match="'Xy', which is no element"):
        hgrid.neighbor_list("i", salt, {("Xy", "Na"): 1.0})


def test_cells_far_smaller_than_the_cutoff():
    build, lists = pytest.importorskip("ase.build"), pytest.importorskip("ase.neighborlist")
    for atoms in (build.bulk("Al"), build.graphene(vacuum=None), build.bulk("Ti")):
        for cutoff in (3, 11.0, 20.0):
            theirs = keys(*lists.neighbor_list("ijS", atoms, cutoff))
            assert keys(*hgrid.neighbor_list("ijS", atoms, cutoff)) == theirs
            half = keys(*hgrid.NeighborList(cutoff=cutoff, full_list=False).compute(atoms.positions, atoms.cell, atoms.pbc, "ijS"))
            assert keys(*np.array([(i, j, a, b, c) for i, j, a, b, c in half] +
                                  [(j, i, -a, -b, -c) for i, j, a, b, c in half]).T) == theirs
    with pytest.raises(hgrid.InputError, match="spans so many periods") as caught:
        hgrid.neighbor_list("i", build.bulk("Al"), 2000.0)
    assert caught.value.code == "box_too_small"


def test_as_matscipy(rng):
    matscipy = pytest.importorskip("matscipy_neighbours")
    for x, cell, pbc, cutoff in systems(rng, 30):
        for limit in (cutoff, rng.uniform(0.1, cutoff / 2, len(x))):
            asked = dict(positions=x, cell=cell, pbc=pbc, cutoff=limit)
            assert keys(*hgrid.neighbor_list("ijS", **asked)) == keys(*matscipy.neighbour_list("ijS", **asked))


def test_as_vesin(rng):
    vesin = pytest.importorskip("vesin")
    for x, cell, pbc, cutoff in systems(rng, 30):
        theirs = vesin.NeighborList(cutoff=cutoff, full_list=True)
        for skin in (0.0, 0.3):
            ours = hgrid.NeighborList(cutoff=cutoff, full_list=True, skin=skin)
            moved = x.copy()
            for _ in range(4):  # the kept list serves, or is built again
                assert keys(*ours.compute(moved, cell, pbc, "ijSdD")[:3]) == keys(*theirs.compute(moved, cell, pbc, "ijS"))
                moved += rng.uniform(-0.06, 0.06, moved.shape)
            both = [lists.compute(x, cell, pbc, "ijPSdD") for lists in (ours, theirs)]
            assert [(a.dtype.type, a.ndim) for a in both[0]] == [(a.dtype.type, a.ndim) for a in both[1]]
        half = vesin.NeighborList(cutoff=cutoff, full_list=False).compute(x, cell, pbc, "ijSD")
        for skin in (0.0, 0.3):
            ours = hgrid.NeighborList(cutoff=cutoff, full_list=False, skin=skin).compute(x, cell, pbc, "ijSD")
            assert type(ours) is type(half) and keys(*ours[:3]) == keys(*half[:3])
            np.testing.assert_allclose(ours[3], x[ours[1]] - x[ours[0]] + ours[2] @ cell, rtol=0, atol=1e-11)
    single = hgrid.NeighborList(cutoff=1.5, full_list=True).compute(np.float32(x), np.float32(cell), pbc, "PdD")
    assert [a.dtype for a in single] == [np.uint64, np.float32, np.float32] and single[0].shape == (len(single[1]), 2)


def test_as_scipy_and_freud(rng):
    scipy, freud = pytest.importorskip("scipy.spatial"), pytest.importorskip("freud")
    x = rng.random((2000, 3))
    pairs = scipy.cKDTree(x).query_pairs(0.07, output_type="ndarray")
    assert keys(*hgrid.Grid().build(x, 0.035).pairs("ij")) == keys(*pairs.T)
    periodic = scipy.cKDTree(x, boxsize=1.0).query_pairs(0.07, output_type="ndarray")
    assert keys(*hgrid.Grid((np.zeros(3), np.ones(3)), periodic=True).build(x, 0.035).pairs("ij")) == keys(*periodic.T)
    found = freud.locality.AABBQuery(freud.box.Box.cube(1), x - 0.5).query(x - 0.5, dict(r_max=0.07, exclude_ii=True)).toNeighborList()
    i, j = hgrid.neighbor_list("ij", positions=x - 0.5, cell=np.eye(3), pbc=True, cutoff=0.07)
    assert keys(i, j) == keys(found.query_point_indices, found.point_indices)


@pytest.mark.parametrize("cell, pbc", [(None, None), (np.eye(3) * 10, True), (np.eye(3)[[1, 2, 0]] * 10, True)])
def test_a_pair_at_the_cutoff_is_none(cell, pbc):
    x, above = np.array([[1.0, 1, 1], [2, 1, 1]]), np.nextafter(1, 2)
    box = np.eye(3) * 10 if cell is None else cell
    for cutoff, entries in ((1.0, 0), (above, 2)):
        assert len(hgrid.neighbor_list("i", positions=x, cell=cell, pbc=pbc, cutoff=cutoff)) == entries
        assert len(hgrid.neighbor_list("i", positions=x, cell=cell, pbc=pbc, cutoff=np.full(2, cutoff / 2))) == entries
        assert len(hgrid.NeighborList(cutoff=cutoff, full_list=True).compute(x, box, bool(pbc))[0]) == entries
        assert hgrid.radius_graph(x, cutoff).shape == (2, entries)
    assert hgrid.Grid().build(x, 0.5).count() == 1  # hgrid's own contacts touch


def test_a_cutoff_is_that_of_the_distance_as_it_is_measured(rng):
    """Beyond the rounding of places that are wrapped and turned, in cells of all forms."""
    for x, cell, pbc, cutoff in systems(rng, 200):
        S, d = hgrid.neighbor_list("Sd", positions=x, cell=cell, pbc=pbc, cutoff=cutoff)
        if len(d) == 0 or np.abs(S).max() > 3:  # several cells side by side are measured from other places
            continue
        for limit in rng.choice(d, 3):
            for most, found in ((limit, d < limit), (np.nextafter(limit, np.inf), d <= limit)):
                assert len(hgrid.neighbor_list("i", positions=x, cell=cell, pbc=pbc, cutoff=most)) == found.sum()


def test_radius_graph(rng):
    scipy = pytest.importorskip("scipy.spatial")
    x, batch = rng.random((900, 3)).astype(np.float32), np.sort(rng.integers(0, 6, 900))
    edges = hgrid.radius_graph(x, 0.2, batch=batch)
    assert edges.dtype == np.int64 and edges.flags.c_contiguous and (np.diff(edges[1]) >= 0).all()
    both = scipy.cKDTree(x.astype(float)).query_pairs(0.2, output_type="ndarray")
    both = both[batch[both[:, 0]] == batch[both[:, 1]]]
    assert keys(*edges) == keys(*np.concatenate([both, both[:, ::-1]]).T)
    turned = hgrid.radius_graph(x, 0.2, batch=batch, flow="target_to_source")
    assert np.array_equal(turned, edges[::-1])
    loops = hgrid.radius_graph(x, 0.2, batch=batch, loop=True)
    assert loops.shape[1] == edges.shape[1] + 900 and (loops[0] == loops[1]).sum() == 900
    most = np.bincount(edges[1]).max()
    assert np.array_equal(hgrid.radius_graph(x, 0.2, batch=batch, max_num_neighbors=most), edges)
    with pytest.raises(hgrid.InputError) as caught:
        hgrid.radius_graph(x, 0.2, batch=batch, max_num_neighbors=most - 1)
    assert caught.value.needed == most
    radii = system(rng, 900)[1]
    i, j = hgrid.neighbor_list("ij", positions=x.astype(float), cutoff=radii)
    assert keys(*hgrid.radius_graph(x, radii)) == keys(j, i)
    assert hgrid.radius_graph(np.zeros((0, 2)), 1.0).shape == (2, 0)


@pytest.mark.parametrize("name", ["numpy", "array_api_strict", "torch", "jax.numpy"])
def test_entries_come_in_the_framework_of_the_points(rng, name):
    framework = pytest.importorskip(name)
    x, batch, given = rng.random((60, 3)), rng.integers(0, 3, 60), type(framework.asarray([0.5]))
    points, lists = framework.asarray(x), hgrid.NeighborList(cutoff=0.4, full_list=True)
    x = np.asarray(points).astype(np.float64)  # jax rounds to float32
    for found, expected in (((hgrid.radius_graph(points, 0.4, batch=framework.asarray(batch)),), (hgrid.radius_graph(x, 0.4, batch=batch),)),
                            (hgrid.neighbor_list("ijSd", positions=points, cutoff=0.4), hgrid.neighbor_list("ijSd", positions=x, cutoff=0.4)),
                            (lists.compute(points, np.eye(3), True, "ijPS"), lists.compute(x, np.eye(3), True, "ijPS"))):
        for ours, numpys in zip(found, expected, strict=True):
            assert type(ours) is given and np.asarray(ours).dtype.kind == numpys.dtype.kind  # 32 bits in jax by default
            assert np.array_equal(np.asarray(ours), numpys.astype(np.asarray(ours).dtype)) and numpys.size > 0


@pytest.mark.parametrize("call, message", [
    (lambda x: hgrid.neighbor_list("ijk", positions=x, cutoff=1), "quantities is 'ijk'"),
    (lambda x: hgrid.neighbor_list("i", positions=x), "cutoff is needed"),
    (lambda x: hgrid.neighbor_list("i", cutoff=1), "atoms or positions"),
    (lambda x: hgrid.neighbor_list("i", positions=x, cutoff=np.nan), "cutoff is nan"),
    (lambda x: hgrid.neighbor_list("i", positions=x, cutoff=[1, 2]), "cutoff has shape (2,)"),
    (lambda x: hgrid.neighbor_list("i", positions=x, cutoff=1, pbc=True), "pbc needs a cell"),
    (lambda x: hgrid.neighbor_list("i", positions=x, cutoff=1, cell=np.eye(2)), "cell has 2 vectors"),
    (lambda x: hgrid.primitive_neighbor_list("i", None, None, x, 1, use_scaled_positions=True), "use_scaled_positions needs a cell"),
    (lambda x: hgrid.radius_graph(x, 1, flow="up"), "flow is 'up'"),
    (lambda x: hgrid.radius_graph(x, 1, batch=[0]), "batch has shape (1,)"),
    (lambda x: hgrid.NeighborList(cutoff=1, full_list=True, algorithm="brute_force"), "algorithm is 'brute_force'"),
])
def test_errors_name_the_argument(call, message):
    with pytest.raises(hgrid.InputError) as caught:
        call(np.zeros((3, 3)))
    assert message in str(caught.value)


def test_a_kept_grid_serves_any_call(rng):
    """The stand-ins build the grid of a thread's last call again, for any arguments."""
    for number in range(40):
        dimension, n = int(rng.integers(2, 4)), int(rng.choice([0, 1, 10, 300]))
        side = rng.uniform(1, 20)
        x, cutoff = rng.random((n, dimension)) * side * (10.0 ** rng.integers(-3, 4)), rng.uniform(0.1, 0.4) * side
        cell = np.eye(dimension) * side if number % 3 else None
        found = keys(*hgrid.neighbor_list("ijS", positions=x, cell=cell, pbc=cell is not None, cutoff=cutoff))
        grid = hgrid.Grid(hgrid.Box(cell=cell, dimension=dimension))
        both = []
        if n > 0:
            for i, j, *S in keys(*grid.build(x, cutoff / 2).pairs("ijS")):
                both += [(i, j, *S), (j, i, *(-s for s in S))]
        assert found == sorted(both)
        if number % 5 == 0:
            with pytest.raises(hgrid.InputError):
                hgrid.neighbor_list("ij", positions=[[0.0, 0.0, np.nan]], cutoff=1.0)
        if number % 7 == 0:
            assert hgrid.radius_graph(x, cutoff, batch=np.arange(n) % 3).shape[0] == 2


def test_a_kept_grid_holds_no_array_of_the_user(rng):
    class Array(np.ndarray):
        pass

    for kind in (np.ndarray, Array):
        for cutoff in (0.3, np.full(50, 0.15)):
            x = rng.random((50, 3)).view(kind)
            gone = weakref.ref(x)
            hgrid.neighbor_list("ijSd", positions=x, cutoff=cutoff)
            del x
            assert gone() is None


def test_no_grid_of_too_much_memory_is_kept(rng, monkeypatch):
    from hgrid import _lists

    x = rng.random((50, 3))
    for most, kept in ((10_000, False), (10**6, True)):
        monkeypatch.setattr(_lists.Kept, "MOST_BYTES", most)
        assert len(hgrid.neighbor_list("i", positions=x, cutoff=0.5)) > 10
        assert (_lists.kept._engine is not None) is kept
        hgrid.release()
        assert _lists.kept._engine is None
    monkeypatch.setattr(_lists.Kept, "MOST_BYTES", 100_000)  # for few points with many entries, or more with few, and not for both
    for points, cutoff, kept in ((50, 0.5, True), (120, 0.01, True), (600, 1e-6, False)):
        hgrid.neighbor_list("i", positions=rng.random((points, 3)), cutoff=cutoff)
        assert (_lists.kept._engine is not None) is kept, points
