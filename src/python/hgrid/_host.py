# SPDX-License-Identifier: BSD-3-Clause
"""The engine on the host, over the compiled core. Other threads of Python that ask it wait."""
from __future__ import annotations

import warnings
from typing import Any, Sequence

import numpy as np

from . import _core
from ._arrays import AnyArray, as_numpy, integers, like, reals
from ._box import Box
from ._checks import LARGEST, fail, is_number, number, shown
from ._errors import OutOfMemoryError, counted
from ._given import Given, ListOptions, Options
from ._particles import particles, positions, real_type
from ._results import Counters, Entries, Level, Plan


class HostGrid:
    where = " on the host"

    def __init__(self, box: Box, options: Options) -> None:
        threads, rule, levels, direction, keys, table, _ = options
        self.dimension = box.dimension
        self.core = _core.Grid(box.dimension, box._core, threads, rule, [list(level) for level in levels], direction, keys, table)
        self._like: Any = None
        self._real: Any = np.float64
        self.particles: int | None = None

    def set_box(self, box: Box) -> None:
        self.core.set_box(box._core)

    def set_boxes(self, boxes: Sequence[Box]) -> None:
        self.core.set_boxes([box._core for box in boxes])

    def build(self, given: Given, skin: float) -> None:
        array = positions(given.x)
        self.core.build(particles(array, given), skin)
        self.took(given.x, array)

    def took(self, x: Any, array: AnyArray) -> None:
        """What is left to do after a build of x, whose numbers the array has."""
        self._like, self._real, self.particles = x, array.dtype, len(array)

    def valid(self, given: Given) -> bool:
        return self.core.validity(particles(positions(given.x), given))[0]

    def _give(self, result: AnyArray | None) -> Any:
        return None if result is None else like(result, self._like)

    def count(self) -> int:
        return self.core.count()

    def pairs(self, order: str, shifts: bool, distances: bool, vectors: bool) -> tuple[Any, Any, Any, Any]:
        ij, S, d, D = self.core.pairs(order, distances, vectors, self.dimension)
        if S is None and shifts:
            S = np.zeros((len(ij), self.dimension), np.int32)
        measured = (None if v is None else self._give(v.astype(self._real, copy=False)) for v in (d, D))
        return (self._give(ij), self._give(S), *measured)

    def neighbors(self, full: bool) -> tuple[Any, Any, Any]:
        offsets, indices, shifts = self.core.neighbors(_kind(full), self.dimension)
        return self._give(offsets), self._give(indices), self._give(shifts)

    def matrix(self, full: bool, width: int | None, padding: int, shifts: bool) -> tuple[Any, ...]:
        offsets = self.core.neighbors(_kind(full), self.dimension)[0]
        n = len(offsets) - 1
        if width is None:
            width = int(np.diff(offsets).max(initial=0))
        try:
            indices, counts = np.empty((n, width), np.int32), np.empty(n, np.int32)
            images = np.zeros((n, width, 3), np.int32) if shifts or self.core.is_periodic() else None
        except (MemoryError, ValueError):
            raise OutOfMemoryError(f"max_neighbors is {width}; memory for {n} times that could not be had", "out_of_memory",
                                   "max_neighbors", -1, width, n) from None
        self.core.matrix(_kind(full), indices, counts, images if self.core.is_periodic() else None, padding)
        given = self._give(indices), self._give(counts)
        return given if images is None or not shifts else (
            *given, self._give(np.ascontiguousarray(images[..., :self.dimension])))

    def query(self, lo: Any, hi: Any, radius: Any, world: Any, take: str, radius_scale: float) -> tuple[Any, Any, Any]:
        low = reals(lo, "points" if hi is None else "lo", None, self.dimension)
        high = low if hi is None else reals(hi, "hi", len(low), self.dimension)
        round_by = None
        if radius is not None:
            round_by = np.full(len(low), number(radius, "radius")) if is_number(radius) else reals(radius, "radius", len(low))
        of = None if world is None else integers(world, "world", len(low))
        offsets, indices, shifts = self.core.query(low, high, round_by, of, take, radius_scale)
        return self._give(offsets), self._give(indices), self._give(shifts)

    def entries(self, full: bool, itself: bool, row_of_centre: int, wanted: str, nearer: bool = True) -> Entries:
        found = self.core.entries(_kind(full), itself, nearer, row_of_centre, "S" in wanted, "d" in wanted, "D" in wanted,
                                  self.dimension)
        return Entries(*(self._give(column) for column in found))

    def plan(self) -> Plan:
        report = self.core.report()
        levels = tuple(Level(largest, bound, sizes[:self.dimension], n) for largest, bound, sizes, n in report["levels"])
        return Plan(levels, report["direction"], report["keys"], report["table"], report["cost"], report["candidates"],
                    report["rows"], report["particles"], report["skipped"], report["skin"], report["bytes"], report["threads"],
                    report["instructions"])

    def make_list(self, options: ListOptions) -> HostList:
        return HostList(self, options)

    def save(self) -> bytes:
        return self.core.save()

    def restore(self, checkpoint: bytes) -> None:
        self.core.restore(checkpoint)
        self.particles = None  # none are built


class HostList:
    def __init__(self, grid: HostGrid, options: ListOptions) -> None:
        self.core = _core.Verlet(grid.core, _kind(options.full), *options[1:])
        self._grid = grid
        self._dimension = grid.dimension
        self._like: Any = None

    def update(self, now: Given, margin: Any) -> bool:
        array = positions(now.x)
        core = particles(array, now)
        widened = core
        if margin is not None:
            widened = particles(array, now._replace(extra=self._widened(array, now, margin)))
        rebuilt = self.core.update(core, widened)
        self._like = now.x
        if rebuilt:
            self._grid.took(now.x, array)
        return rebuilt

    @staticmethod
    def _widened(array: AnyArray, now: Given, margin: Any) -> AnyArray:
        room = reals(margin, "margin") if not is_number(margin) else np.asarray(number(margin, "margin"))
        if room.shape not in ((), (len(array),)):
            raise fail("margin", f"has shape {room.shape}; ({len(array)},) is needed", code="size_mismatch")
        bad = np.flatnonzero(~((room >= 0) & (room <= LARGEST)))
        if len(bad) > 0:
            k = int(bad[0])
            raise fail(f"margin[{k}]", f"is {room[k]}; margins are from 0 to {LARGEST:g}", k, float(room[k]))
        extra = room if now.extra is None else room + as_numpy(now.extra, "extra")
        return np.asarray(extra, real_type(array, now))

    def build(self, given: Given) -> None:
        array = positions(given.x)
        self.core.build(particles(array, given))
        self._like = given.x
        self._grid.took(given.x, array)

    def neighbors(self) -> tuple[Any, Any, Any]:
        offsets, indices, shifts = self.core.neighbors(self._dimension)
        return like(offsets, self._like), like(indices, self._like), None if shifts is None else like(shifts, self._like)

    def origins(self) -> Any:
        return like(self.core.origins()[0], self._like)

    def carry(self, values: Any, fresh: Any) -> Any:
        origins, before = self.core.origins()
        old = np.zeros(0) if values is None else as_numpy(values, "values")
        n = len(old) if old.ndim > 0 else -1
        if n != before:
            had = f"has {counted(n, 'entry', 'entries')}" if n >= 0 else f"is one number, {shown(values)}"
            raise fail("values", f"{had}; the list before this one had {before}", -1, n, "size_mismatch")
        new = np.empty((len(origins), *old.shape[1:]), old.dtype)
        try:
            np.copyto(new, _of_type(fresh, old.dtype), casting="unsafe")
        except (TypeError, ValueError, OverflowError):
            raise fail("fresh", f"is {shown(fresh)}, which is none of the values: these are of {old.dtype} and of shape "
                       f"{old.shape[1:]}") from None
        kept = origins >= 0
        new[kept] = old[origins[kept]]
        return like(new, self._like if values is None else values)

    def counters(self) -> Counters:
        return Counters(*self.core.counters())

    def save(self) -> bytes:
        return self.core.save()

    def restore(self, checkpoint: bytes) -> None:
        self.core.restore(checkpoint)
        self._grid.particles = None  # its builds are not restored


def _of_type(fresh: Any, dtype: np.dtype[Any]) -> AnyArray:
    """A value as one of that type; ValueError if it would be another one, such as 0 for 0.5."""
    if dtype.kind not in "biufc":  # of several fields, dates, ...: numpy's own rules
        return np.full((), fresh, dtype)
    given = np.asarray(fresh)
    if np.can_cast(given.dtype, dtype, "same_kind"):
        return given
    with warnings.catch_warnings():  # of numpy's, about parts that are lost
        warnings.simplefilter("ignore")
        cast = given.astype(dtype)
    if not np.array_equal(cast, given):
        raise ValueError
    return cast


def _kind(full: bool) -> str:
    return "full" if full else "half"
