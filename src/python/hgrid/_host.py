# SPDX-License-Identifier: BSD-3-Clause
"""The engine on the host, over the compiled core. Other threads of Python that ask it wait."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _core
from ._arrays import AnyArray, as_numpy, fail, integers, like, reals
from ._box import Box
from ._given import Given, ListOptions, Options
from ._particles import particles, positions, real_type
from ._results import Counters, Entries, Level, Plan


class HostGrid:
    def __init__(self, box: Box, options: Options) -> None:
        threads, rule, levels, direction, keys, table, _ = options
        self.dimension = box.dimension
        self.core = _core.Grid(box.dimension, box._core, threads, rule, [list(level) for level in levels], direction, keys, table)
        self._like: Any = None
        self._real: Any = np.float64

    def set_box(self, box: Box) -> None:
        self.core.set_box(box._core)

    def set_boxes(self, boxes: Sequence[Box]) -> None:
        self.core.set_boxes([box._core for box in boxes])

    def build(self, given: Given, skin: float) -> None:
        array = positions(given.x)
        self.core.build(particles(array, given), skin)
        self._like, self._real = given.x, array.dtype

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
        indices, counts = np.empty((n, width), np.int32), np.empty(n, np.int32)
        images = np.zeros((n, width, 3), np.int32) if shifts or self.core.is_periodic() else None
        self.core.matrix(_kind(full), indices, counts, images if self.core.is_periodic() else None, padding)
        given = self._give(indices), self._give(counts)
        return given if images is None or not shifts else (
            *given, self._give(np.ascontiguousarray(images[..., :self.dimension])))

    def query(self, lo: Any, hi: Any, radius: Any, world: Any, take: str, radius_scale: float) -> tuple[Any, Any, Any]:
        low = reals(lo, "points" if hi is None else "lo", None, self.dimension)
        high = low if hi is None else reals(hi, "hi", len(low), self.dimension)
        round_by = None
        if radius is not None:
            round_by = np.full(len(low), radius, np.float64) if np.ndim(radius) == 0 else reals(radius, "radius", len(low))
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


class HostList:
    def __init__(self, grid: HostGrid, options: ListOptions) -> None:
        self.core = _core.Verlet(grid.core, _kind(options.full), *options[1:])
        self._dimension = grid.dimension
        self._like: Any = None

    def update(self, now: Given, margin: Any) -> bool:
        array = positions(now.x)
        core = particles(array, now)
        widened = core
        if margin is not None:
            room = np.asarray(as_numpy(margin, "margin"), np.float64)
            extra = room if now.extra is None else room + as_numpy(now.extra, "extra")
            widened = particles(array, now._replace(extra=extra.astype(real_type(array, now))))
        rebuilt = self.core.update(core, widened)
        self._like = now.x
        return rebuilt

    def build(self, given: Given) -> None:
        self.core.build(particles(positions(given.x), given))
        self._like = given.x

    def neighbors(self) -> tuple[Any, Any, Any]:
        offsets, indices, shifts = self.core.neighbors(self._dimension)
        return like(offsets, self._like), like(indices, self._like), None if shifts is None else like(shifts, self._like)

    def origins(self) -> Any:
        return like(self.core.origins()[0], self._like)

    def carry(self, values: Any, fresh: Any) -> Any:
        origins, before = self.core.origins()
        old = np.zeros(0) if values is None else as_numpy(values, "values")
        if len(old) != before:
            raise fail("values", f"has {len(old)} entries; the list before this one had {before}", -1, len(old), "size_mismatch")
        new = np.full((len(origins), *old.shape[1:]), fresh, old.dtype)
        kept = origins >= 0
        new[kept] = old[origins[kept]]
        return like(new, self._like if values is None else values)

    def counters(self) -> Counters:
        return Counters(*self.core.counters())

    def save(self) -> bytes:
        return self.core.save()

    def restore(self, checkpoint: bytes) -> None:
        self.core.restore(checkpoint)


def _kind(full: bool) -> str:
    return "full" if full else "half"
