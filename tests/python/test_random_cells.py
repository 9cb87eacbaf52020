# SPDX-License-Identifier: BSD-3-Clause
"""Stand-ins for other codes, on random systems in cells of all forms, against all pairs, and against ASE.

HGRID_SYSTEMS=20000 takes that many. A failure names its system: `random_cells.draw(NUMBER, DIMENSION)` makes it again.
"""
import os
from collections import Counter

import numpy as np
import pytest
from random_cells import System, draw, truth

import hgrid

SYSTEMS = int(os.environ.get("HGRID_SYSTEMS", 100))


def rows(*columns):
    return Counter(map(tuple, np.column_stack([np.asarray(column) for column in columns]).tolist()))


def require_true(found, expected, name, doubt):
    """found: i, j, S, d, D. Each certain entry stands in it once, and none that cannot be."""
    i, j, S, d, D = found
    i, j = i.astype(np.int64), j.astype(np.int64)  # in NeighborList they are uint64, whose differences have no sign
    entries, possible = rows(i, j, S), rows(expected.i, expected.j, expected.S)
    certain = rows(*(column[expected.certain] for column in expected[:3]))
    assert not certain - entries and not entries - possible, f"{name}: missing {certain - entries}, wrong {entries - possible}"
    others = (i != j) | S.any(axis=1)  # a particle's own entry may be the first one of its list
    steps = np.diff((i * (int(j.max(initial=0)) + 1) + j)[others])
    assert (np.diff(i) >= 0).all() and (steps >= 0).all(), f"{name}: not in the order of i, then of j"
    place = {key: k for k, key in enumerate(possible)}
    of = [place[key] for key in map(tuple, np.column_stack([i, j, S]).tolist())]
    single = 1e-6 * (1 + np.abs(expected.d[of])) if d.dtype == np.float32 else 0
    assert (np.abs(D - expected.D[of]).max(axis=1, initial=0) <= doubt + single).all(), f"{name}: D"
    assert (np.abs(d - expected.d[of]) <= 2 * doubt + 1e-15 * expected.d[of] + single).all(), f"{name}: d"


@pytest.mark.parametrize("dimension", [3, 2])
def test_neighbor_list(dimension):
    entries = 0
    for number in range(SYSTEMS if dimension == 3 else SYSTEMS // 3):
        system, itself = draw(number, dimension), number % 2 == 1
        expected = truth(system, itself)
        given = dict(positions=system.x, cell=system.cell, pbc=system.pbc, numbers=system.numbers, cutoff=system.cutoff)
        found = hgrid.neighbor_list("ijSdD", self_interaction=itself, threads=1 + number % 10 // 9, **given)
        require_true(found, expected, f"system {number}, {dimension}-D", doubt=system.doubt())
        given = system.pbc, system.cell, system.x, system.cutoff, system.numbers, itself
        again = hgrid.primitive_neighbor_list("DdSji", *given, threads=1)[::-1]
        assert all(map(np.array_equal, found, again)), f"system {number}: primitive_neighbor_list differs"
        entries += len(found[0])
    assert entries > 20 * SYSTEMS // 3


def test_small_cells_with_an_open_axis_in_between():
    """Its vector is taken as zero, of which no height of the others may depend."""
    cell, pbc = np.array([[0.3, 0.1, 0], [0, 0, 9], [0.1, 0.25, 0]]), np.array([True, False, True])
    system = System(np.zeros((1, 3)), cell, pbc, 3.0, np.ones(1, int), False)
    found = hgrid.neighbor_list("ijSdD", positions=system.x, cell=cell, pbc=pbc, cutoff=3.0)
    require_true(found, truth(system), "one particle", system.doubt())


@pytest.mark.parametrize("full", [True, False])
def test_lists_of_the_class(full):
    """With a skin one list serves several calls, also where particles move and the cell changes."""
    builds = set()
    for number in range(SYSTEMS // 4):
        system, rng = draw(SYSTEMS + number, kinds=("number", "radii")), np.random.default_rng(number)
        for skin in (0.0, rng.uniform(0.01, 0.5)):
            lists = hgrid.NeighborList(cutoff=system.cutoff, full_list=full, skin=skin, n_threads=1)
            now = system
            for step in range(3):
                found = lists.compute(now.x, now.cell, now.pbc, "ijSdD")
                require_true(found, truth(now, half=not full), f"system {number}, skin {skin}, step {step}", doubt=now.doubt())
                moved = now.x + rng.uniform(-0.2, 0.2, now.x.shape) * skin
                cell = now.cell * (1.001 if step == 1 and number % 3 == 0 else 1.0)
                now = now._replace(x=moved.astype(now.x.dtype), cell=cell, exact=False)
            builds.add(repr(lists).partition("skin ")[2].partition(", ")[2])
    assert {"1 build>", "2 builds>"} <= builds, "some lists were kept, and some built anew"


@pytest.mark.parametrize("dimension", [3, 2])
def test_radius_graph(dimension):
    entries = 0
    for number in range(SYSTEMS // 2):
        rng = np.random.default_rng(number)
        system = draw(2 * SYSTEMS + number, dimension, ("number", "radii"))
        system = system._replace(pbc=np.zeros(dimension, bool))
        loop, turned, batch = bool(rng.random() < 0.5), bool(rng.random() < 0.5), rng.integers(0, 3, len(system.x))
        expected = truth(system, loop)
        batch = None if number % 3 == 0 else batch
        near = np.ones(len(expected.i), bool) if batch is None else batch[expected.i] == batch[expected.j]
        flow = "target_to_source" if turned else "source_to_target"
        edges = hgrid.radius_graph(system.x, system.cutoff, batch, loop, flow=flow, threads=1)
        targets, sources = edges if turned else edges[::-1]
        found, possible = rows(targets, sources), rows(expected.i[near], expected.j[near])
        certain = rows(expected.i[near & expected.certain], expected.j[near & expected.certain])
        assert not certain - found and not found - possible, f"system {number}: {certain - found}, {found - possible}"
        assert (np.diff(targets) >= 0).all(), f"system {number}: not in the order of targets"
        entries += len(targets)
    assert entries > SYSTEMS


def in_reach_of_ase(atoms, cutoff):
    """ASE takes minutes where cells are far smaller than its bins, which are 3 wide or more. It refuses empty systems."""
    inverse = np.linalg.inv(atoms.cell.complete())
    images = np.prod(2 * np.ceil(max(cutoff, 3) * np.linalg.norm(inverse, axis=0)) + 1)
    return len(atoms) > 0 and cutoff > 0 and images * len(atoms) ** 2 < 3e4


def test_as_ase():
    """Entries that only one of the two has are just at the cutoff."""
    ase, lists = pytest.importorskip("ase"), pytest.importorskip("ase.neighborlist")
    compared = 0
    for number in range(SYSTEMS // 4):
        system = draw(3 * SYSTEMS + number)
        atoms = ase.Atoms(system.numbers, system.x, cell=system.cell, pbc=system.pbc)
        if not in_reach_of_ase(atoms, system.limits().max(initial=0)):
            continue
        theirs = rows(*lists.neighbor_list("ijS", atoms, system.cutoff))
        ours = rows(*hgrid.neighbor_list("ijS", atoms, system.cutoff, threads=1))
        rounding, limits = 2.0**-40 * (1 + np.abs(system.x).max() + np.abs(system.cell).max()), system.limits()  # ASE wraps
        for i, j, *S in (theirs - ours) + (ours - theirs):
            d = np.linalg.norm(atoms.positions[j] - atoms.positions[i] + S @ system.cell)
            assert abs(d - limits[i, j]) <= rounding, f"system {number}: {i}, {j}, {S} at {d} of {limits[i, j]}"
        compared += len(theirs)
    assert compared > 2 * SYSTEMS
