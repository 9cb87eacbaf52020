# SPDX-License-Identifier: BSD-3-Clause
"""Each argument of a peer's function is one of ours, by an equal name, and in an equal place if the place may be used."""
import importlib
import inspect

import numpy as np
import pytest

import hgrid

# The peer, its function, ours, and the arguments that ours does not take, each for a reason.
INSTALLED = [
    ("ase.neighborlist", "neighbor_list", hgrid.neighbor_list, ()), ("ase.neighborlist", "primitive_neighbor_list", hgrid.primitive_neighbor_list, ()),
    ("matscipy_neighbours", "neighbour_list", hgrid.neighbor_list, ("device", "array_namespace")),  # results come where the positions lie
    ("vesin", "NeighborList", hgrid.NeighborList, ()), ("vesin", "NeighborList.compute", hgrid.NeighborList.compute, ()),
    ("MDAnalysis.lib.distances", "capped_distance", hgrid.capped_distance, ()),
    ("MDAnalysis.lib.distances", "self_capped_distance", hgrid.self_capped_distance, ()), ("scipy.spatial", "KDTree", hgrid.KDTree, ())]
INSTALLED += [("scipy.spatial", f"KDTree.{name}", getattr(hgrid.KDTree, name), ())
              for name in ("query", "query_ball_point", "query_ball_tree", "query_pairs", "sparse_distance_matrix", "count_neighbors")]
# Signatures of peers that pip does not bring, or whose signature cannot be read: as they are in the version beside.
BY_HAND = {
    "torch_geometric 2.7 radius_graph": (hgrid.radius_graph, "x r batch loop max_num_neighbors flow num_workers batch_size"),
    "matscipy 1.3.1 neighbour_list": (hgrid.neighbor_list, "quantities atoms cutoff positions cell pbc numbers cell_origin"),
    "scipy 1.17 cKDTree": (hgrid.KDTree, "data leafsize compact_nodes copy_data balanced_tree boxsize")}


def names_of(function):
    return [p.name for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD and p.name != "self"]


@pytest.mark.parametrize("module, name, ours, left_out", INSTALLED, ids=lambda value: value if isinstance(value, str) else "")
def test_of_those_installed(module, name, ours, left_out):
    theirs = pytest.importorskip(module)
    for part in name.split("."):
        theirs = getattr(theirs, part)
    missing = [argument for argument in names_of(theirs) if argument not in names_of(ours)]
    assert missing == list(left_out)
    places = [p.name for p in inspect.signature(theirs).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "self"]
    same = [argument for argument in names_of(ours)[:len(places)]]
    assert [a if a != "atoms" or "atoms" in places else "a" for a in same] == places


@pytest.mark.parametrize("name", BY_HAND)
def test_of_others(name):
    ours, arguments = BY_HAND[name]
    assert set(arguments.split()) <= set(names_of(ours))


def test_arguments_of_no_use_change_nothing(rng):
    x = rng.random((60, 3))
    plain = hgrid.neighbor_list("ijS", positions=x, cell=np.eye(3), pbc=True, cutoff=0.3)
    for more in ({"max_nbins": 10}, {"max_nbins": 1e6}, {"cell_origin": np.zeros(3)}, {"cell_origin": [5.0, 0, -1]}):
        assert all(map(np.array_equal, plain, hgrid.neighbor_list("ijS", positions=x, cell=np.eye(3), pbc=True, cutoff=0.3, **more)))
    assert np.array_equal(hgrid.radius_graph(x, 0.3, None, False, None, "source_to_target", 4), hgrid.radius_graph(x, 0.3))
    assert np.array_equal(hgrid.KDTree(x, 3, False, True, False).query(x, k=2)[1], hgrid.KDTree(x).query(x, k=2)[1])
    zeros = hgrid.self_capped_distance(x, 0.3, box=np.zeros(6))
    assert all(map(np.array_equal, zeros, hgrid.self_capped_distance(x, 0.3)))


def test_cutoffs_as_a_matrix_by_numbers(rng):
    x, numbers = rng.random((60, 3)), rng.integers(1, 3, 60)
    matrix = np.array([[9, 9, 9], [9, 0.2, 0.3], [9, 0.3, 0.1]])
    by_types = hgrid.neighbor_list("ij", positions=x, numbers=numbers, cutoff={(1, 1): 0.2, (1, 2): 0.3, (2, 2): 0.1})
    assert all(map(np.array_equal, by_types, hgrid.neighbor_list("ij", positions=x, numbers=numbers, cutoff=matrix)))
    for wrong, argument in ((matrix[:2, :2], "cutoff"), (matrix[:, :2], "cutoff"), (matrix + [[0, 0, 0], [0, 0, 1], [0, 0, 0]], "cutoff")):
        with pytest.raises(hgrid.InputError) as error:
            hgrid.neighbor_list("ij", positions=x, numbers=numbers, cutoff=wrong)
        assert error.value.argument == argument
    with pytest.raises(hgrid.InputError, match="numbers says"):
        hgrid.neighbor_list("ij", positions=x, cutoff=matrix)


def test_ases_name_of_atoms():
    ase = importlib.import_module("ase") if pytest.importorskip("ase") else None
    atoms = ase.Atoms("H2", [[0, 0, 0], [0.5, 0, 0]])
    assert len(hgrid.neighbor_list("i", a=atoms, cutoff=1.0)) == 2
    with pytest.raises(hgrid.InputError, match="a and atoms"):
        hgrid.neighbor_list("i", atoms, 1.0, a=atoms)
