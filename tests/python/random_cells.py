# SPDX-License-Identifier: BSD-3-Clause
"""Random systems in cells of all forms, and their entries by the definition: all pairs under all images within reach."""
from typing import Any, NamedTuple

import numpy as np

ELEMENTS = 1, 6, 8  # H, C, O
MOST_TESTS = 20_000  # pairs and images that one system may have, because all are looked at


class System(NamedTuple):
    """x: [n, D]; cell: its vectors in rows; cutoff: a distance, radii [n] or a dictionary; numbers: [n] of elements.

    exact: all numbers are few eighths, so no rounding excuses an entry.
    """

    x: Any
    cell: Any
    pbc: Any
    cutoff: Any
    numbers: Any
    exact: bool

    def limits(self):
        """[n, n]: how near each pair must be."""
        if isinstance(self.cutoff, dict):
            table = np.zeros((119, 119))
            for (a, b), distance in self.cutoff.items():
                table[a, b] = table[b, a] = distance
            return table[self.numbers][:, self.numbers]
        if np.ndim(self.cutoff) == 0:
            return np.full((len(self.x),) * 2, float(self.cutoff))
        return np.add.outer(*[np.asarray(self.cutoff, float)] * 2)

    def doubt(self):
        """How far a measured distance may be off: some last bits of the largest number that it is made of."""
        if self.exact or len(self.x) == 0:
            return 0.0
        return 2.0**-47 * (np.abs(self.x).max() + np.abs(self.cell).max() + self.limits().max())


class Truth(NamedTuple):
    """i, j [m], S, D [m, D], d [m] of all pairs that may be entries, and which of them must be."""

    i: Any
    j: Any
    S: Any
    D: Any
    d: Any
    certain: Any


def _spans(system):
    """How many steps along each axis see all images within reach, from the nearest one on. [D]"""
    inverse = np.linalg.pinv(system.cell[system.pbc])
    spans = np.zeros(len(system.cell), int)
    spans[system.pbc] = np.floor(np.linalg.norm(inverse, axis=0) * system.limits().max(initial=0) + 0.5).astype(int) + 1
    return spans


def truth(system, itself=False, half=False):
    """A half list has i < j, and of one particle's images the ones on vesin's positive side."""
    x, n = np.asarray(system.x, float), len(system.x)
    limits = system.limits()
    steps = np.stack(np.meshgrid(*(np.arange(-k, k + 1) for k in _spans(system)), indexing="ij"), -1).reshape(-1, x.shape[1])
    i, j = np.divmod(np.arange(n * n), max(n, 1))
    nearest = np.zeros((n * n, x.shape[1]), int)
    nearest[:, system.pbc] = -np.rint((x[j] - x[i]) @ np.linalg.pinv(system.cell[system.pbc]))
    i, j = np.repeat(i, len(steps)), np.repeat(j, len(steps))
    S = (nearest[:, None] + steps).reshape(-1, x.shape[1])
    D = x[j] - x[i] + S @ system.cell
    d, own = np.sqrt((D * D).sum(axis=1)), (i == j) & ~S.any(axis=1)
    possible = (d < limits[i, j] + system.doubt()) & ~own
    if half:
        side = np.stack([S.sum(axis=1), *S.T[:0:-1]])
        positive = np.take_along_axis(side, (side != 0).argmax(axis=0)[None], axis=0)[0] > 0
        possible &= (i < j) | (i == j) & positive
    certain = d < limits[i, j] - system.doubt()
    if itself:
        nearer = own & (limits[i, j] > 0)
        possible, certain = possible | nearer, certain & ~own | nearer
    return Truth(*(column[possible] for column in (i, j, S, D, d, certain)))


def _cell(rng, dimension, exact):
    if exact:
        while True:
            cell = rng.integers(-4, 9, (dimension, dimension)) / 4 * (np.eye(dimension) if rng.random() < 0.5 else 1)
            if abs(np.linalg.det(cell)) > 0.2:
                return cell
    if rng.random() < 0.25:  # along the axes, in any order and to both sides
        return np.diag(rng.uniform(1, 5, dimension) * rng.choice([-1, 1], dimension))[rng.permutation(dimension)]
    cell = rng.normal(size=(dimension, dimension)) * 2
    if rng.random() < 0.3:  # sheared far: vectors that are not short
        cell[-1] += rng.integers(-3, 4) * cell[0]
    return cell


def _cutoff(rng, kind, largest, n, exact):
    def number(low, high):
        return np.rint(8 * rng.uniform(low, high)) / 8 if exact else rng.uniform(low, high)

    if kind == "number":
        return float(number(0.5 * largest, largest))
    if kind == "radii":
        return np.array([number(0, largest / 2) * (rng.random() < 0.9) for _ in range(n)])
    pairs = [(a, b) for a in ELEMENTS for b in ELEMENTS if a <= b]
    chosen = rng.choice(len(pairs), rng.integers(1, len(pairs)), replace=False)
    return {pairs[k]: float(number(0.2 * largest, largest)) for k in chosen}


def draw(number, dimension=3, kinds=("number", "radii", "types")):
    """System of that number; always the same."""
    rng = np.random.default_rng([20261125, number, dimension])
    exact, n = bool(rng.random() < 0.3), int(rng.integers(0, 4) if rng.random() < 0.1 else rng.integers(1, 25))
    cell, pbc = _cell(rng, dimension, exact), rng.random(dimension) < 0.65
    scaled = rng.uniform(-1, 2, (n, dimension)) if rng.random() < 0.5 else rng.random((n, dimension))
    x = np.rint(8 * scaled @ cell) / 8 if exact else scaled @ cell
    twins = rng.integers(0, max(n, 1), (2, n // 4))
    x[twins[0]] = x[twins[1]]
    if rng.random() < 0.25:  # far outside, also by different numbers of periods
        x += (rng.integers(-1000, 1000, (n if rng.random() < 0.5 else 1, dimension)) * pbc) @ cell
    if rng.random() < 0.3:
        cell[~pbc] = 0
    if rng.random() < 0.2 and not exact:
        x = x.astype(np.float32)
    if rng.random() < 0.7:
        largest = rng.uniform(0.3, 6)
    else:  # the cell is far smaller
        largest = 2 * rng.uniform(1, 12) * np.linalg.norm(cell, axis=1).min(initial=1)
    numbers = rng.choice(ELEMENTS, n)
    while True:
        cutoff = _cutoff(rng, kinds[int(rng.integers(len(kinds)))], largest, n, exact)
        system = System(x, cell, pbc, cutoff, numbers, exact)
        if np.prod(2.0 * _spans(system) + 1) * n * n <= MOST_TESTS:
            return system
        largest *= 0.7
