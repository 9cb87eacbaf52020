# SPDX-License-Identifier: BSD-3-Clause
"""What a grid gives: pairs, entries of lists, and a report of its plan. Arrays own their memory."""
from __future__ import annotations

import operator
from typing import Any, Iterator, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import described, is_on_device
from ._box import Box
from ._checks import fail, place_in, shown, warn_of_change
from ._errors import counted

QUANTITIES = "ijPSdD"


def lexicographic_sign(S: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """-1, 0, 1: the sign of the first number of each shift that is not zero. [m]"""
    sign = np.zeros(len(S), np.int64)
    for column in S.T:
        sign = np.where(sign == 0, np.sign(column), sign)
    return sign


def place_of_array(array: Any) -> str:
    """In words, where an array lies."""
    return " on device {}:{}".format(*map(int, array.__dlpack_device__())) if is_on_device(array) else ""


def _taken(column: Any, k: Any) -> Any:
    """The rows k of an array."""
    try:
        return column[k]
    except (IndexError, TypeError, ValueError) as error:
        raise fail("index", f"is {shown(k)}; ids of contacts, or a flag for each, are needed ({error})") from None


class Pairs:
    """Contacts, each once: i < j, or i == j for a particle that touches its own image.

    ij: [m, 2] int32. i, j: its columns.
    S: [m, D] int32, the periodic shift: D = x[j] - x[i] + S @ cell.
    d, D: distances [m] and distance vectors from i to j [m, D]; None unless requested.

    Iterating gives the requested quantities: `i, j, S, d = grid.pairs("ijSd")`; `zip(*pairs)` gives contact after contact.
    size: the number of contacts. From 0.4 on `len(pairs)` and `pairs[k]` will count and index the quantities; until then they are `size`
    and `take(k)`, with a FutureWarning.
    """

    __slots__ = ("quantities", "ij", "S", "d", "D", "box", "skin", "_begun")

    def __init__(self, quantities: str, ij: Any, S: Any, d: Any, D: Any, box: Box, skin: float) -> None:
        self.quantities, self.ij, self.S, self.d, self.D, self.box, self.skin = quantities, ij, S, d, D, box, skin
        self._begun: Any = None  # the last iterator

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

    def __bool__(self) -> bool:
        return self.size > 0

    def __len__(self) -> int:
        if operator.length_hint(self._begun or ()) == len(self.quantities) > 0:  # list(pairs) and f(*pairs) ask once they have iter(pairs)
            self._begun = None
            return len(self.quantities)
        warn_of_change("len(pairs) is the number of contacts until hgrid 0.4, and then the number of quantities; take pairs.size")
        return self.size

    def __getitem__(self, k: Any) -> Any:
        warn_of_change("pairs[k] is contact k until hgrid 0.4, and then quantity k; take pairs.take(k), or pairs.d and the like")
        return self.take(k)

    def take(self, k: Any) -> Any:
        """Contact k, a tuple of its quantities; for a slice, ids or flags the Pairs of these."""
        if isinstance(k, slice) or len(getattr(k, "shape", ())) == 1 or isinstance(k, list):
            ij, S, d, D = (None if column is None else _taken(column, k) for column in (self.ij, self.S, self.d, self.D))
            return Pairs(self.quantities, ij, S, d, D, self.box, self.skin)
        k = place_in(k, self.size, "contact")
        return tuple(column[k] for column in self)

    def __iter__(self) -> Iterator[Any]:
        self._begun = iter([getattr(self, letter) for letter in self.quantities])
        begun: Iterator[Any] = self._begun
        return begun

    def __repr__(self) -> str:
        columns = (("ij", self.ij), ("S", self.S), ("d", self.d), ("D", self.D))
        has = ", ".join(f"{name} {described(column)}" for name, column in columns if column is not None)
        return f"<hgrid.Pairs: {counted(self.size, 'contact')}{place_of_array(self.ij)}, {has}, skin {self.skin:g}, {self.box!r}>"


class Level(NamedTuple):
    """A level of a built grid. Radii and extents are with extra distance."""

    radius_max: float  # of the particles on it
    radius_bound: float  # largest radius, with half the skin, that would be put there
    cell_size: tuple[float, ...]
    particles: int
    extent_max: tuple[float, ...]  # largest half extents, the largest of which radius_max is; zeros for spheres


class Plan(NamedTuple):
    """How a grid is laid out, and the work of a search on it. `print` shows it."""

    levels: tuple[Level, ...]  # finest first
    direction: str
    keys: str
    table: str
    predicted: float  # cost of building and searching by the planner's model, nanoseconds unless costs were calibrated otherwise
    candidates: int  # pairs that a search tests, counted
    rows: int  # rows of cells that it looks up, counted
    particles: int
    skipped: int  # left out because they are not finite
    skin: float
    bytes: int
    threads: int  # 0 on a device
    instructions: str

    def __str__(self) -> str:
        n = max(self.particles, 1)
        on = f"{counted(self.particles, 'particle')} on {counted(len(self.levels), 'level')}"
        lines = [f"{on}, {self.direction}, {self.table} table, {self.keys} keys",
                 "level  particles  largest radius  cell size"]
        lines += [f"{h:5}  {level.particles:9}  {level.radius_max:14.6g}  " + " x ".join(f"{size:.6g}" for size in level.cell_size)
                  for h, level in enumerate(self.levels)]
        predicted = f"{self.predicted / n:.3g}" if np.isfinite(self.predicted) else "not predicted"
        lines.append(f"predicted cost a particle: {predicted}")
        lines.append(f"counted a particle: {self.candidates / n:.3g} candidates, {self.rows / n:.3g} rows of cells")
        where = f"{counted(self.threads, 'thread')}, {self.instructions}" if self.threads > 0 else self.instructions
        lines.append(f"{self.bytes} bytes, {where}")
        if self.skipped:
            lines.append(f"{counted(self.skipped, 'particle')} {'is' if self.skipped == 1 else 'are'} not finite and left out")
        return "\n".join(lines)


class Nearest(NamedTuple):
    """The nearest particles of each point, the nearest first."""

    indices: Any  # [m, k] int32; the number of particles where there are no more
    distances: Any  # [m, k] float64; infinite there
    shifts: Any  # [m, k, D] int32, or None in an open box: x[i] - point + S @ cell leads from the point to the particle


class Counters(NamedTuple):
    """Counts of a list's life."""

    steps: int
    checks: int
    builds: int
    dangerous: int  # builds that came late: only with check_every above 1
    overtaken: int  # builds because another caller built the grid
    disorder: float  # above 0.5, sorting the particles pays
    skin: float
    wrapped: int = 0  # builds because coordinates were wrapped; VerletList(wrapped=True) avoids them

    @property
    def note(self) -> str:
        """A sentence on how to make the loop faster; empty if there is no advice."""
        return ("coordinates were wrapped between two builds, and the list was built again for that: make it with wrapped=True, or leave "
                "coordinates unwrapped") if self.wrapped else ""


class Entries(NamedTuple):
    """Entries of the lists of all particles, in the order of the particles, as the drop-in functions give them: [2, m] int64, [m, D] int32,
    [m], [m, D]; None unless requested. offsets: [n + 1], or None."""

    ij: Any
    S: Any
    d: Any
    D: Any
    offsets: Any = None
