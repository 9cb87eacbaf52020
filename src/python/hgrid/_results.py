# SPDX-License-Identifier: BSD-3-Clause
"""What a grid gives: pairs, neighbors, and a report of its plan. Arrays own their memory."""
from __future__ import annotations

from typing import Any, Iterator, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import is_on_device, like
from ._box import Box
from ._device_outputs import list_ids

QUANTITIES = "ijPSdD"


def lexicographic_sign(S: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """-1, 0, 1: the sign of the first number of each shift that is not zero. [m]"""
    sign = np.zeros(len(S), np.int64)
    for column in S.T:
        sign = np.where(sign == 0, np.sign(column), sign)
    return sign


class Pairs:
    """Contacts, each once: i < j, or i == j for a particle that touches its own image.

    ij: [m, 2] int32. i, j: its columns.
    S: [m, D] int32, the periodic shift: D = x[j] - x[i] + S @ cell.
    d, D: distances [m] and distance vectors from i to j [m, D]; only if they were asked for, else None.

    Iterating gives the quantities that were asked for: `i, j, S, d = grid.pairs("ijSd")`. `size` is their number.
    """

    __slots__ = ("quantities", "ij", "S", "d", "D", "box", "skin")

    def __init__(self, quantities: str, ij: Any, S: Any, d: Any, D: Any, box: Box, skin: float) -> None:
        self.quantities, self.ij, self.S, self.d, self.D, self.box, self.skin = quantities, ij, S, d, D, box, skin

    @property
    def i(self) -> Any:
        return self.ij[:, 0]

    @property
    def j(self) -> Any:
        return self.ij[:, 1]

    P = property(lambda self: self.ij, doc="The same as ij, as vesin calls it.")

    @property
    def size(self) -> int:
        return int(self.ij.shape[0])

    def __iter__(self) -> Iterator[Any]:
        return iter([getattr(self, letter) for letter in self.quantities])

    def __repr__(self) -> str:
        return f"<hgrid.Pairs: {self.size} contacts>"


class Neighbors:
    """Neighbors of each particle, one list after the other (CSR), sorted by id, then shift; or the particles of each region.

    offsets: [n + 1] int64. indices: [m] int32: those of particle i are indices[offsets[i]:offsets[i + 1]], or `self[i]`.
    shifts: [m, D] int32 as S of Pairs, or None in an open box.
    full: each contact stands with both particles; else with the smaller id.
    """

    __slots__ = ("offsets", "indices", "shifts", "full", "box", "skin", "_i")

    def __init__(self, offsets: Any, indices: Any, shifts: Any, full: bool, box: Box, skin: float = 0.0) -> None:
        self.offsets, self.indices, self.shifts = offsets, indices, shifts
        self.full, self.box, self.skin = full, box, skin
        self._i: Any = None

    def __len__(self) -> int:
        return int(self.offsets.shape[0]) - 1

    def __getitem__(self, i: int) -> Any:
        n = len(self)
        if not -n <= i < n:
            raise IndexError(f"list {i} of {n}")
        i %= n
        return self.indices[int(self.offsets[i]):int(self.offsets[i + 1])]

    @property
    def counts(self) -> Any:
        """How many neighbors each particle has. [n] int64"""
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def i(self) -> Any:
        """The particle of each entry. [m] int32"""
        if self._i is None and is_on_device(self.offsets):
            self._i = list_ids(self.offsets, int(self.indices.shape[0]))
        elif self._i is None:
            self._i = like(np.repeat(np.arange(len(self), dtype=np.int32), np.asarray(self.counts)), self.indices)
        return self._i

    def __repr__(self) -> str:
        return f"<hgrid.Neighbors: {int(self.indices.shape[0])} entries of {len(self)} lists>"


class Level(NamedTuple):
    """A level of a built grid. Radii are with extra distance."""

    radius_max: float  # of the particles on it
    radius_bound: float  # largest radius, with half the skin, that would be put there
    cell_size: tuple[float, ...]
    particles: int


class Plan(NamedTuple):
    """How a grid is laid out, and the work of a search on it. `print` shows it."""

    levels: tuple[Level, ...]  # finest first
    direction: str
    keys: str
    table: str
    predicted: float  # cost of building and searching by the planner's model, nanoseconds unless costs were calibrated otherwise
    candidates: int | None  # pairs that a search tests, counted; None on a device, where nothing counts them
    rows: int | None  # rows of cells that it looks up, counted
    particles: int
    skipped: int  # left out because they are not finite
    skin: float
    bytes: int
    threads: int  # 0 on a device
    instructions: str

    def __str__(self) -> str:
        n = max(self.particles, 1)
        lines = [f"{self.particles} particles on {len(self.levels)} levels, {self.direction}, {self.table} table, {self.keys} keys",
                 "level  particles  largest radius  cell size"]
        lines += [f"{h:5}  {level.particles:9}  {level.radius_max:14.6g}  " + " x ".join(f"{size:.6g}" for size in level.cell_size)
                  for h, level in enumerate(self.levels)]
        predicted = f"{self.predicted / n:.3g}" if np.isfinite(self.predicted) else "not predicted"
        lines.append(f"predicted cost a particle: {predicted}")
        if self.candidates is not None and self.rows is not None:
            lines.append(f"counted a particle: {self.candidates / n:.3g} candidates, {self.rows / n:.3g} rows of cells")
        where = f"{self.threads} threads, {self.instructions}" if self.threads > 0 else self.instructions
        lines.append(f"{self.bytes} bytes, {where}")
        return "\n".join(lines + ([f"{self.skipped} particles are not finite and left out"] if self.skipped else []))


class Counters(NamedTuple):
    """Counts of a list's life."""

    steps: int
    checks: int
    builds: int
    dangerous: int  # builds that came late: only with check_every above 1
    overtaken: int  # builds because somebody else built the grid
    disorder: float  # above 0.5, sorting the particles pays
    skin: float


class Entries(NamedTuple):
    """Entries of the lists of all particles, in the order of the particles, as the drop-in functions give them: [2, m] int64, [m, D] int32,
    [m], [m, D]; None if not asked for. offsets: [n + 1], or None."""

    ij: Any
    S: Any
    d: Any
    D: Any
    offsets: Any = None
