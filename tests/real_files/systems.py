# SPDX-License-Identifier: BSD-3-Clause
"""Random particles in random boxes, and their contacts by all pairs."""
import itertools
from typing import NamedTuple

import numpy as np
from contacts import MARGIN, require_contacts

COUNT = 30
KEPT = None


class System(NamedTuple):
    """Positions [n, D] in a box, radii [n], vectors of the box in rows, where it begins, and along which axes it repeats."""

    x: np.ndarray
    r: np.ndarray
    cell: np.ndarray
    origin: np.ndarray
    periodic: np.ndarray

    @property
    def dimension(self):
        return self.x.shape[1]

    @property
    def x3(self):
        """The positions in three dimensions; z is 0 in two."""
        return np.pad(self.x, ((0, 0), (0, 3 - self.dimension)))

    @property
    def axes(self):
        return "".join(axis for axis, along in zip("xyz", self.periodic) if along)

    def contacts(self):
        """(i, j, overlap) of all that touch, and the least distance from touching."""
        ranges = [(-1, 0, 1) if along else (0,) for along in self.periodic]
        i, j = np.triu_indices(len(self.x), 1)
        found, least = [], np.inf
        for image in itertools.product(*ranges):
            overlap = self.r[i] + self.r[j] - np.linalg.norm(self.x[i] - self.x[j] - np.array(image) @ self.cell, axis=1)
            least = min(least, np.abs(overlap).min())
            found += [*zip(i[overlap > 0].tolist(), j[overlap > 0].tolist(), overlap[overlap > 0].tolist())]
        return sorted(found), least

    def options(self, box=True):
        """Those that say dimensions, periods and box to the tool, where a file does not."""
        cell = "--cell=" + ",".join(map(repr, self.cell.ravel().tolist()))
        return [f"--dim={self.dimension}", *([f"--periodic={self.axes}", *([cell] if box else [])] if self.axes else [])]


def draw(rng, dimensions=(2, 3), shapes=("brick", "tilted", "general"), periodic=None, one_radius=False, centred=False):
    """A system of COUNT particles. Tilts are those that LAMMPS takes: b leans only if it is periodic. General boxes repeat along all axes."""
    while True:
        D, shape = int(rng.choice(dimensions)), rng.choice(shapes)
        along = np.ones(D, bool) if periodic or shape == "general" else rng.random(D) < 0.7
        cell = np.diag(rng.uniform(3, 5, D))
        if shape != "brick":
            for b, a in itertools.combinations(range(D), 2):
                cell[a, b] = rng.uniform(-0.45, 0.45) * cell[b, b] if along[a] else 0
        if shape == "general":
            turn = np.linalg.qr(rng.normal(size=(D, D)))[0]
            turn[:, 0] *= np.linalg.det(turn)
            cell = cell @ turn
        origin = -cell.sum(axis=0) / 2 if centred else rng.uniform(-9, 9, D)
        r = np.full(COUNT, rng.uniform(0.2, 0.4)) if one_radius else rng.uniform(0.05, 0.6, COUNT)
        system = System(origin + rng.uniform(0.01, 0.99, (COUNT, D)) @ cell, r, cell, origin, along)
        if system.contacts()[1] > MARGIN:
            return system


def require_equal(system, path, *options):
    """Raises AssertionError unless the tool finds the contacts of the system in a file of it, and keeps the file if KEPT is a list."""
    expected, options = system.contacts()[0], tuple(map(str, options))
    require_contacts(expected, path, *options)
    if KEPT is not None:
        KEPT.append((path, options, [(i, j, round(overlap, 6)) for i, j, overlap in expected]))
