# SPDX-License-Identifier: BSD-3-Clause
"""Lists that live through a time loop."""
from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import AnyArray, as_numpy, fail, like
from ._errors import StateError
from ._grid import Grid
from ._particles import particles, positions
from ._results import Neighbors


class Counters(NamedTuple):
    """Counts of a list's life."""

    steps: int
    checks: int
    builds: int
    dangerous: int  # builds that came late: only with check_every above 1
    overtaken: int  # builds because somebody else built the grid
    disorder: float  # above 0.5, sorting the particles pays
    skin: float


class VerletList:
    """A neighbor list that is built again only when it may miss a contact.

    grid: a grid of its own. full: each contact with both particles. skin: how far particles may go, together, before the list
    is built anew; the grid's unless given. choose_skin: find the skin that makes the loop fastest, starting there.
    rebuild: False raises StateError ("stale") instead of building anew. check_every: steps from check to check.
    """

    def __init__(self, grid: Grid, *, full: bool = True, skin: float | None = None, choose_skin: bool = False, rebuild: bool = True,
                 check_every: int = 1) -> None:
        self.grid = grid
        self.full = full
        self._options = ("full" if full else "half", grid.skin if skin is None else float(skin), choose_skin, rebuild, check_every)
        self._core: _core.Verlet | None = None
        self._first = threading.Lock()
        self._like: Any = None
        self._neighbors: Neighbors | None = None
        if check_every < 1:
            raise fail("check_every", f"is {check_every}; it counts steps, from 1 on", -1, check_every)
        if choose_skin and not self._options[1] > 0:
            raise fail("skin", "must be above 0 for choose_skin, such as a tenth of a radius", -1, self._options[1])

    def _core_of(self, dimension: int) -> _core.Verlet:
        with self._first:
            if self._core is None:
                self._core = _core.Verlet(self.grid._core_of(dimension), *self._options)
            return self._core

    def _listed(self) -> _core.Verlet:
        if self._core is None or self._core.counters()[2] == 0:
            raise StateError("the list is not built; call update", "not_built")
        return self._core

    def update(self, x: Any, r: Any, *, margin: Any = None, **more: Any) -> bool:
        """Call it at each step, after particles have moved. True if the list is a new one.

        margin: [n] distance that each particle may go beyond half the skin, such as more for fast ones. Other arguments are those
        of `Grid.build`. Do not wrap coordinates between two updates: a wrap counts as a move of one period.
        """
        array = positions(x)
        now = particles(array, r, **more)
        widened = now
        if margin is not None:
            room = np.asarray(as_numpy(margin, "margin"), np.float64)
            extra = more.pop("extra", None)
            extra = room if extra is None else room + as_numpy(extra, "extra")
            widened = particles(array, r, extra=extra.astype(array.dtype), **more)
        self._like = x
        rebuilt = self._core_of(array.shape[1]).update(now, widened)
        if rebuilt:
            self._neighbors = None
        return rebuilt

    def build(self, x: Any, r: Any, **more: Any) -> None:
        """Builds at once, for instance when exclusions have changed, which `update` does not see."""
        array = positions(x)
        self._like = x
        self._core_of(array.shape[1]).build(particles(array, r, **more))
        self._neighbors = None

    def neighbors(self) -> Neighbors:
        """The list, until it is built anew the same object. Pairs may have a gap up to the skin."""
        core, box = self._listed(), self.grid._built()[1]
        if self._neighbors is None:
            offsets, indices, shifts = (None if part is None else like(part, self._like) for part in core.neighbors(box.dimension))
            self._neighbors = Neighbors(offsets, indices, shifts, self.full, box, self.counters.skin)
        return self._neighbors

    @property
    def origins(self) -> AnyArray:
        """Where each entry of the list stood in the one before it, or -1. [m] int64"""
        return self._listed().origins()[0]

    def carry(self, values: Any, fresh: Any = 0) -> Any:
        """Values of the list before, one for each entry, brought to the new list; `fresh` for pairs that are new.

        values: [entries of the list before, ...]; None or an empty array at the first list. Call it each time that `update`
        returns True.
        """
        origins, before = self._listed().origins()
        old = np.zeros(0) if values is None else as_numpy(values, "values")
        if len(old) != before:
            raise fail("values", f"has {len(old)} entries; the list before this one had {before}", -1, len(old), "size_mismatch")
        new = np.full((len(origins), *old.shape[1:]), fresh, old.dtype)
        kept = origins >= 0
        new[kept] = old[origins[kept]]
        return like(new, self._like if values is None else values)

    @property
    def counters(self) -> Counters:
        return Counters(*self._core.counters()) if self._core is not None else Counters(0, 0, 0, 0, 0, 0.0, self._options[1])
