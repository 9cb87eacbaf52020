# SPDX-License-Identifier: BSD-3-Clause
"""hgrid.ase beside ASE: lists, and calculators that stand on them."""
import numpy as np
import pytest

import hgrid

ase = pytest.importorskip("ase")
from ase import neighborlist  # noqa: E402
import hgrid.ase  # noqa: E402
from ase import Atoms  # noqa: E402
from ase.build import bulk, molecule  # noqa: E402
from ase.calculators.emt import EMT  # noqa: E402
from ase.calculators.lj import LennardJones  # noqa: E402
from ase.calculators.morse import MorsePotential  # noqa: E402


def gas(rng, n=40):
    cell = np.array([[4, 0.3, 0], [-0.2, 5, 0.4], [0, 0.5, 6]])
    return Atoms(numbers=rng.integers(1, 20, n), cell=cell, positions=(3 * rng.random((n, 3)) - 1) @ cell)


def entries(nl, a):
    return sorted(map(tuple, np.column_stack([*nl.get_neighbors(a)]).tolist()))


@pytest.mark.parametrize("pbc", [True, (1, 0, 1), False])
@pytest.mark.parametrize("bothways", [False, True])
@pytest.mark.parametrize("self_interaction", [False, True])
def test_lists_are_those_of_ase(rng, pbc, bothways, self_interaction):
    atoms = gas(rng)
    atoms.pbc = pbc
    kinds = hgrid.ase.PrimitiveNeighborList, neighborlist.NewPrimitiveNeighborList, neighborlist.PrimitiveNeighborList
    if ase.__version__ < "3.23" and bothways and self_interaction:
        kinds = kinds[:2]  # ASE 3.22's older kind has each atom twice in its own list, its newer kind once
    more = {"skin": 0.2, "bothways": bothways, "self_interaction": self_interaction}
    cutoffs = 0.3 + 0.5 * rng.random(len(atoms))
    # ASE's new lists mix atoms up when they sort fewer pairs than there are atoms.
    lists = [neighborlist.NeighborList(cutoffs, primitive=kind, sorted=kind is kinds[0], **more) for kind in kinds]
    updates = []
    for _ in range(6):
        found = {nl.update(atoms) for nl in lists}
        assert len(found) == 1
        updates += found
        for a in range(len(atoms)):
            assert entries(lists[0], a) == entries(lists[1], a)
            assert len(lists[0].get_neighbors(a)[0]) == len(lists[0].nl.neighbors[a]) == len(lists[0].nl.displacements[a])
            if bothways:
                assert entries(lists[0], a) == entries(lists[-1], a)
        atoms.positions += 0.05 * rng.normal(size=(len(atoms), 3))
    assert updates[0] and True in updates[1:] and False in updates, "some updates keep the list, others do not"
    assert {nl.nupdates for nl in lists} == {sum(updates)}
    indices, offsets = lists[0].get_neighbors(-1)
    assert indices.tolist() == sorted(indices.tolist()) == lists[0].get_neighbors(len(atoms) - 1)[0].tolist() and offsets.dtype == int
    assert sum(map(len, lists[0].nl.neighbors)) == sum(len(lists[-1].get_neighbors(a)[0]) for a in range(len(atoms)))
    assert (lists[0].get_connectivity_matrix() != lists[1].get_connectivity_matrix()).nnz == 0
    atoms.set_cell(atoms.cell * 1.01)
    assert lists[0].update(atoms) and not lists[0].update(atoms)


def test_wrong_numbers(rng):
    nl = neighborlist.NeighborList([0.5] * 3, primitive=hgrid.ase.PrimitiveNeighborList)
    with pytest.raises(RuntimeError, match="Must call update"):
        nl.get_neighbors(0)
    with pytest.raises(ValueError, match="cutoff has shape"):
        nl.update(gas(rng))
    nl = neighborlist.NeighborList([], primitive=hgrid.ase.PrimitiveNeighborList)
    assert nl.update(Atoms()) and nl.nl.neighbors == []


@pytest.mark.parametrize("atoms, make", [
    (bulk("Cu", cubic=True) * (2, 2, 2), EMT),
    (bulk("Cu", cubic=True) * (2, 2, 2), lambda: LennardJones(sigma=2.2, epsilon=0.3, rc=5.0)),
    (bulk("Ar", "fcc", a=5.3, orthorhombic=True) * (2, 2, 3), lambda: MorsePotential(r0=3.8, rho0=5.0)),
    (molecule("CH3CH2OH"), EMT),
], ids=["EMT", "LJ", "Morse", "molecule"])
def test_calculators_compute_the_same(rng, monkeypatch, atoms, make):
    calls = []
    monkeypatch.setattr(hgrid.ase, "primitive_neighbor_list", lambda *given, **named: (
        calls.append(given), hgrid.primitive_neighbor_list(*given, **named))[1])

    def computed():
        system = atoms.copy()
        system.rattle(0.1, seed=5)
        system.calc = make()
        return system.get_potential_energy(), system.get_forces()

    energy, forces = computed()
    assert not calls and np.abs(forces).max() > 0.01
    with hgrid.ase.install():
        found = computed()
    assert len(calls) == 1
    assert np.isclose(found[0], energy, rtol=1e-12) and np.allclose(found[1], forces, atol=1e-10)
    computed()
    assert len(calls) == 1


def test_install_can_be_undone():
    own = neighborlist.primitive_neighbor_list, neighborlist.NeighborList.__init__.__defaults__
    def undone():
        return own == (neighborlist.primitive_neighbor_list, neighborlist.NeighborList.__init__.__defaults__)

    for times in (1, 2):  # installed twice, it is undone by once
        for _ in range(times):
            installed = hgrid.ase.install()
        assert neighborlist.primitive_neighbor_list is hgrid.primitive_neighbor_list
        assert type(neighborlist.NeighborList([1.0]).nl) is hgrid.ase.PrimitiveNeighborList
        installed.undo()
        assert undone() and type(neighborlist.NeighborList([1.0]).nl) is neighborlist.PrimitiveNeighborList
    with pytest.raises(KeyError), hgrid.ase.install():
        assert not undone()
        raise KeyError
    assert undone()
