# SPDX-License-Identifier: BSD-3-Clause
"""Neighbors of each particle. Arrays own their memory."""
from __future__ import annotations

import weakref
from typing import Any, Callable, Iterator

import numpy as np

from ._arrays import described, is_on_device, like
from ._box import Box
from ._checks import fail, place_in
from ._device import list_ids
from ._engine import Engine
from ._errors import StateError, counted
from ._predicate import asking
from ._results import Entries, place_of_array


class Neighbors:
    """Neighbors of each particle, one list after the other (CSR), sorted by id, then shift; or the particles of each region.

    offsets: [n + 1] int64. indices: [m] int32: neighbors of particle i are indices[offsets[i]:offsets[i + 1]], or `self[i]`; a
    slice gives a list of such arrays. `len` is the number of lists.
    shifts: [m, D] int32 as S of Pairs, or None in an open box.
    d, D: [m] distances and [m, D] vectors from each particle to its neighbor, computed at their first use, in lists of a grid.
    full: each contact is listed at both particles; else at the smaller id.
    """

    __slots__ = ("offsets", "indices", "shifts", "full", "box", "skin", "_i", "_kind", "_measure", "_measured")

    def __init__(self, offsets: Any, indices: Any, shifts: Any, full: bool, box: Box, skin: float = 0.0, kind: str = "",
                 measure: Callable[[], Entries] | None = None) -> None:
        self.offsets, self.indices, self.shifts = offsets, indices, shifts
        self.full, self.box, self.skin = full, box, skin
        self._i: Any = None
        self._kind = kind or ("full" if full else "each contact once")
        self._measure = measure
        self._measured: Entries | None = None

    def __len__(self) -> int:
        return int(self.offsets.shape[0]) - 1

    def __getitem__(self, i: int | slice) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        n = len(self)
        if type(i) is not int or not 0 <= i < n:
            i = place_in(i, n, "list")
        return self.indices[int(self.offsets[i]):int(self.offsets[i + 1])]

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    @property
    def counts(self) -> Any:
        """How many neighbors each particle has. [n] int64"""
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def d(self) -> Any:
        """The distance of each entry. [m]"""
        return self._entries().d

    @property
    def D(self) -> Any:
        """The vector of each entry, from the particle to its neighbor: x[j] - x[i] + shift @ cell. [m, D]"""
        return self._entries().D

    def _entries(self) -> Entries:
        if self._measured is None:
            if self._measure is None:
                raise StateError("distances are known of lists that a grid gives of its own build, without a predicate; ask a VerletList for neighbors('d')", "unsupported", "d")
            self._measured = self._measure()
        return self._measured

    @property
    def i(self) -> Any:
        """The particle of each entry. [m] int32"""
        if self._i is None and is_on_device(self.offsets):
            self._i = list_ids(self.offsets, int(self.indices.shape[0]))
        elif self._i is None:
            self._i = like(np.repeat(np.arange(len(self), dtype=np.int32), np.asarray(self.counts)), self.indices)
        return self._i

    def __repr__(self) -> str:
        entries, lists = counted(int(self.indices.shape[0]), "entry", "entries"), counted(len(self), "list")
        has = f"indices {described(self.indices)}" + ("" if self.shifts is None else f", shifts {described(self.shifts)}")
        kind = self._kind
        where = place_of_array(self.indices)
        return f"<hgrid.Neighbors: {entries} of {lists}{where}, {kind}, {has}, skin {self.skin:g}, {self.box!r}>"


class PackedNeighbors:
    """Neighbors of each particle like Neighbors, with a neighbor and its shift in 64 bits.

    offsets: [n + 1] int64. entries: [m] int64, the entries of particle i from offsets[i] on: the neighbor times 2**33, plus for
    each axis the shift's number plus 1024, the first one times 2**22, the second times 2**11; it is the shift between the two
    particles inside the box. periods: [n, 3] int32, by how many periods each particle lies outside; may be None if none does.
    periodic: False: all shifts are zeros. `self[i]` are the entries of particle i.
    """

    __slots__ = ("offsets", "entries", "periods", "periodic", "full", "box", "skin")

    def __init__(self, offsets: Any, entries: Any, periods: Any, periodic: bool, full: bool, box: Box, skin: float) -> None:
        self.offsets, self.entries, self.periods, self.periodic = offsets, entries, periods, periodic
        self.full, self.box, self.skin = full, box, skin

    def __len__(self) -> int:
        return int(self.offsets.shape[0]) - 1

    def __getitem__(self, i: int | slice) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        i = place_in(i, len(self), "list")
        return self.entries[int(self.offsets[i]):int(self.offsets[i + 1])]

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    @property
    def indices(self) -> Any:
        """The neighbor of each entry. [m] int64"""
        return self.entries >> 33

    @property
    def counts(self) -> Any:
        """How many neighbors each particle has. [n] int64"""
        return self.offsets[1:] - self.offsets[:-1]

    def unpacked(self) -> Neighbors:
        """These neighbors as a Neighbors, with its arrays on the host."""
        offsets, entries = np.asarray(self.offsets), np.asarray(self.entries)
        indices = (entries >> 33).astype(np.int32)
        shifts: Any = None
        if self.periodic:
            D = self.box.dimension
            shifts = (np.stack([entries >> 22 - 11 * axis for axis in range(D)], axis=1) & 2047).astype(np.int32) - 1024
            if self.periods is not None:
                periods = np.asarray(self.periods)[:, :D]
                shifts += np.repeat(periods, np.diff(offsets), axis=0) - periods[indices]
        return Neighbors(offsets, indices, shifts, self.full, self.box, self.skin)

    def __repr__(self) -> str:
        entries, lists = counted(int(self.entries.shape[0]), "entry", "entries"), counted(len(self), "list")
        kind = "full" if self.full else "each contact once"
        return f"<hgrid.PackedNeighbors: {entries} of {lists}{place_of_array(self.entries)}, {kind}, skin {self.skin:g}, {self.box!r}>"


def neighbors_of(engine: Engine, quantities: str, full: bool, predicate: Any, context: Any, box: Box, skin: float) -> Any:
    """Neighbors of a grid, or arrays of the requested quantities."""
    if quantities:
        if predicate is not None:
            raise fail("quantities", "belong to all neighbors; leave out the predicate, or take grid.pairs", code="unsupported")
        return columns_of(engine.entries(full, False, 0, quantities, nearer=False), quantities)
    with asking(predicate, context) as addresses:
        rows = engine.neighbors(full, addresses)
    return Neighbors(*rows, full, box, skin, measure=_Measure(engine, full) if predicate is None else None)


def columns_of(found: Entries, quantities: str) -> tuple[Any, ...]:
    columns = {"i": found.ij[0], "j": found.ij[1], "S": found.S, "d": found.d, "D": found.D}
    return tuple(columns[letter] for letter in quantities)


class _Measure:
    """Distances of the lists that a grid gives of its last build. It holds no grid, and a pickle has none."""

    def __init__(self, engine: Engine, full: bool) -> None:
        self._engine, self._builds, self._full = weakref.ref(engine), engine.builds, full

    def __call__(self) -> Entries:
        engine = self._engine()
        if engine is None or engine.builds != self._builds:
            raise StateError("the grid is gone, or was built since it gave this list; ask for distances before", "stale", "d")
        return engine.entries(self._full, False, 0, "dD", nearer=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()
