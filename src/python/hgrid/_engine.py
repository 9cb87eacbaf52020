# SPDX-License-Identifier: BSD-3-Clause
"""What does the work of grids and lists: the core, with arrays of the place where the first ones lie. Arrays come as the user has them,
and go in the same framework."""
from __future__ import annotations

from typing import Any, Generic, Protocol, Sequence, TypeVar

import numpy as np

from . import _core
from ._arrays import is_on_device
from ._box import Box
from ._checks import choice, fail, shown
from ._device import Device
from ._errors import OutOfMemoryError
from ._given import Given, ListOptions, Options
from ._host import Host
from ._results import Counters, Entries, Level, Plan


Core = TypeVar("Core", _core.List, _core.Mesh)


class Place(Protocol):
    """Where arrays lie: on the host or on a device. What is not there is None."""

    library: str  # that works there; none on the host
    number: int  # of the device
    stream: int
    where: str  # in words

    def columns_of(self, x: Any) -> int: ...
    def particles(self, given: Given, dimension: int) -> tuple[_core.Particles, int]: ...
    def widened(self, given: Given, margin: Any) -> Given: ...
    def regions(self, lo: Any, hi: Any, radius: Any, world: Any, dimension: int) -> tuple[Any, Any, Any, float, Any]: ...
    def excluded(self, exclude: Any, n: int) -> dict[str, Any]: ...
    def single(self, x: Any, r: Any, world: Any, dimension: int) -> tuple[Any, Any, Any]: ...
    def points(self, points: Any, world: Any, dimension: int) -> tuple[Any, Any]: ...
    def took(self, x: Any, grid: _core.Grid) -> None: ...
    def give(self, result: Any, grid: _core.Grid) -> Any: ...
    def give_all(self, results: tuple[Any, ...], grid: _core.Grid) -> tuple[Any, ...]: ...
    def carry(self, grid: _core.Grid, core: _core.List | _core.Mesh, values: Any, fresh: Any) -> Any: ...
    def put(self, array: Any, grid: _core.Grid) -> Any: ...


class Engine:
    """The engine of a grid, with the methods of `Grid`. None stands for quantities that were not requested, or do not exist in an open box."""

    def __init__(self, x: Any, box: Box | None, options: Options) -> None:
        """For arrays in the place of x. No box: an open one with as many dimensions as x has columns."""
        self.place: Place = Device(x, options.stream) if is_on_device(x) else Host()
        self.dimension = box.dimension if box is not None else self.place.columns_of(x)
        chosen = [choice(name, getattr(options, name)) for name in ("rule", "direction", "keys", "table")]
        self.core = _core.Grid(self.place.library, self.place.number, self.place.stream, self.dimension,
                               None if box is None else box._core, options.threads, chosen, [list(level) for level in options.levels])
        self.particles: int | None = None  # of the last build; None before it
        self.builds = 0
        self.most_bytes = 0, 0  # of the entries and points of a call, for keepers of the engine

    def _fitting(self, box: Box) -> _core.Box:
        if box.dimension != self.dimension and not box.is_open:
            raise fail("box", f"has {box.dimension} axes, the grid {self.dimension}", -1, box.dimension, "invalid_box")
        return box._core

    def set_box(self, box: Box) -> None:
        self.core.set_box(self._fitting(box))

    def set_boxes(self, boxes: Sequence[Box]) -> None:
        self.core.set_boxes([self._fitting(box) for box in boxes])

    def inputs(self, given: Given) -> tuple[_core.Particles, int]:
        """The particles as the core reads them, and their number. Callers hold them in a variable while the core works: freeing an array of
        a framework, such as Warp, may run Python code, which must not run while an exception is on its way."""
        return self.place.particles(given, self.dimension)

    def took(self, x: Any, n: int) -> None:
        """What is left to do after a build of x, n particles."""
        self.particles, self.builds = n, self.builds + 1
        self.place.took(x, self.core)

    def give(self, result: Any) -> Any:
        return self.place.give(result, self.core)

    def give_rows(self, rows: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        offsets, indices, shifts = self.place.give_all(rows, self.core)
        return offsets, indices, shifts

    def build(self, given: Given, skin: float) -> None:
        particles, n = self.inputs(given)
        self.core.build(particles, skin)
        self.took(given.x, n)

    def forget(self) -> None:
        """Lets go of the user's arrays."""
        self.core.forget()
        self.place.took(None, self.core)

    def valid(self, given: Given) -> bool:
        particles, _ = self.inputs(given)
        return self.core.valid(particles)

    def count(self) -> int:
        return self.core.count()

    def pairs(self, order: int, wanted: str, predicate: tuple[int, int] = (0, 0)) -> tuple[Any, Any, Any, Any]:
        found = self.core.pairs(order, "S" in wanted, "d" in wanted, "D" in wanted, *predicate, self.dimension)
        ij, S, d, D = self.place.give_all(found, self.core)
        return ij, S, d, D

    def neighbors(self, full: bool, predicate: tuple[int, int] = (0, 0)) -> tuple[Any, Any, Any]:
        return self.give_rows(self.core.neighbors(int(full), *predicate, self.dimension))

    def packed_neighbors(self, full: bool) -> tuple[Any, Any, Any, bool]:
        offsets, entries, periods, periodic = self.core.packed_neighbors(int(full))
        return self.give(offsets), self.give(entries), self.give(periods), periodic

    def matrix(self, full: bool, width: int | None, padding: int, shifts: bool) -> tuple[Any, ...]:
        try:
            found = self.core.matrix(int(full), -1 if width is None else width, padding, shifts, self.dimension)
        except OutOfMemoryError as error:
            if width is None or error.code != "out_of_memory":
                raise
            n = self.particles or 0
            raise OutOfMemoryError(f"max_neighbors is {width}; memory for {n} times that could not be had", "out_of_memory",
                                   "max_neighbors", -1, width, n) from None
        return tuple(self.give(result) for result in found[:3 if shifts else 2])

    def query(self, lo: Any, hi: Any, radius: Any, world: Any, take: str, radius_scale: float, counts: bool) -> tuple[Any, Any, Any]:
        if radius_scale == 0:  # particles of no size touch what their centers lie in
            take, radius_scale = "centres", 1.0
        regions = self.place.regions(lo, hi, radius, world, self.dimension)
        return self.give_rows(self.core.query(*regions, choice("take", take), radius_scale, counts, self.dimension))

    def between(self, asking: Engine, exclude: Any, counts: bool) -> tuple[Any, Any, Any]:
        here, there = ((e.dimension, e.place.library, e.place.number, e.place.stream) for e in (self, asking))
        if here != there:
            raise fail("asking", "is a grid of another dimension, or lies elsewhere")
        named = {} if asking.particles is None else self.place.excluded(exclude, asking.particles)  # none: the core says so
        pairs, begin, ids = (named.get(name) for name in ("excluded_pairs", "excluded_begin", "excluded_ids"))
        return self.give_rows(self.core.between(asking.core, pairs, begin, ids, counts, self.dimension))

    def nearest(self, points: Any, k: int, by_surfaces: bool, within: float, images: bool, world: Any, counts: bool) -> tuple[Any, Any, Any]:
        """Indices, distances and images of the k nearest of each point, or of each particle if there are none; or their numbers alone."""
        x, of = self.place.points(points, world, self.dimension)
        return self.give_rows(self.core.nearest(x, of, k, by_surfaces, within, images, counts, self.dimension))

    def touches(self, x: Any, r: Any, world: Any) -> Any:
        found = self.core.touches(*self.place.single(x, r, world, self.dimension))
        return self.give(found.view(np.bool_))

    def insert(self, x: Any, r: Any, world: Any, if_free: bool) -> Any:
        return self.give(self.core.insert(*self.place.single(x, r, world, self.dimension), if_free))

    def entries(self, full: bool, itself: bool, row_of_centre: int, wanted: str, nearer: bool = True, bits: int = 32) -> Entries:
        """bits: of the numbers of S."""
        found = self.core.entries(int(full), itself, nearer, bool(row_of_centre), bits if "S" in wanted else 0, "d" in wanted,
                                  "D" in wanted, self.dimension)
        return Entries(*self.place.give_all(found, self.core))

    def near(self, box: Box, x: Any, cutoff: float, full: bool, itself: bool, row_of_centre: int, wanted: str, bits: int,
             offsets: bool) -> Entries:
        """Builds the grid of points of numpy in that box, gives the entries nearer than the cutoff, and holds no array."""
        lengths = cutoff + box.longest if box.longest >= 0 else -1.0
        return Entries(*self.core.near(box._core, x, 0.5 * cutoff, lengths, int(full), itself, bool(row_of_centre), bits if "S" in wanted else 0,
                                       "d" in wanted, "D" in wanted, offsets, self.dimension))

    def plan(self) -> Plan:
        levels, direction, keys, table, *more = self.core.plan()
        return Plan(tuple(Level(largest, bound, sizes[:self.dimension], n, extents[:self.dimension]) for largest, bound, sizes, n, extents in levels),
                    ("top-down", "bottom-up")[direction - 1], ("row", "morton")[keys - 1], ("dense", "compacted")[table - 1], *more)

    def save(self) -> bytes:
        return self.core.save()

    def restore(self, checkpoint: bytes) -> None:
        self.core.restore(checkpoint)
        self.particles = None  # none are built


class Followed(Generic[Core]):
    """A list, and where its entries stood in the one before it."""

    def __init__(self, grid: Engine, core: Core) -> None:
        self._grid = grid
        self.core: Core = core

    def origins(self) -> Any:
        return self._grid.give(self.core.origins()[0])

    def carry(self, values: Any, fresh: Any) -> Any:
        return self._grid.place.carry(self._grid.core, self.core, values, fresh)

    def sizes(self) -> tuple[int, int]:
        """The entries of the list, and of the one before it."""
        return self.core.sizes()

    def full(self, n: int, shape: tuple[int, ...], dtype: Any, value: Any) -> Any:
        """So many values, where the list works."""
        try:
            made = np.full((n, *shape), value, dtype)
        except (TypeError, ValueError) as error:
            raise fail("followers", f"cannot be of {dtype!r} with {shown(value)} for new pairs: {error}") from None
        return self._grid.place.put(made, self._grid.core)

    def builds(self) -> int:
        """How many lists there were."""
        raise NotImplementedError


class MeshEngine(Followed[_core.Mesh]):
    """A wall of triangles that asks a grid."""

    def __init__(self, grid: Engine, vertices: Any, corners: Any) -> None:
        super().__init__(grid, _core.Mesh(grid.core, vertices, corners))
        self._builds = 0

    def contacts(self, now: Given, margin: float) -> tuple[Any, Any, Any, Any]:
        grid = self._grid
        particles, _ = grid.inputs(now)
        offsets, indices, shifts, points = grid.place.give_all(self.core.contacts(particles, margin), grid.core)
        self._builds += 1
        return offsets, indices, shifts, points

    def vertices(self) -> Any:
        return self._grid.give(self.core.vertices())

    def builds(self) -> int:
        return self._builds


class ListEngine(Followed[_core.List]):
    """The engine of a list for a time loop."""

    def __init__(self, grid: Engine, options: ListOptions) -> None:
        super().__init__(grid, _core.List(grid.core, int(options.full), *options[1:]))

    def update(self, now: Given, margin: Any = None) -> bool:
        grid = self._grid
        particles, n = grid.inputs(now)
        widened = None if margin is None else grid.inputs(grid.place.widened(now, margin))[0]
        rebuilt = self.core.update(particles, widened)
        grid.took(now.x, n)
        return rebuilt

    def build(self, given: Given) -> None:
        particles, n = self._grid.inputs(given)
        self.core.build(particles)
        self._grid.took(given.x, n)

    def enqueue(self, now: Given) -> None:
        """Captures an update in a graph; neither waits nor allocates there."""
        particles, _ = self._grid.inputs(now)
        self.core.enqueue(particles)

    def wait(self, now: Given) -> bool:
        """Learns what graphs have done. True: updates must be captured, at first or again."""
        particles, n = self._grid.inputs(now)
        again = self.core.wait(particles)
        self._grid.took(now.x, n)
        return again

    def in_graphs(self) -> tuple[Any, Any, Any, Any, int]:
        """The memory of the list, with room behind its entries, the status of its graphs there, and which of them are valid."""
        *arrays, graph = self.core.in_graphs(self._grid.dimension)
        offsets, indices, shifts, status = self._grid.place.give_all(tuple(arrays), self._grid.core)
        return offsets, indices, shifts, status, graph

    def neighbors(self) -> tuple[Any, Any, Any]:
        return self._grid.give_rows(self.core.neighbors(self._grid.dimension))

    def periods(self) -> Any:
        return self._grid.give(self.core.periods(self._grid.dimension))

    def entries(self, now: Given, wanted: str, nearer: bool = True) -> Entries:
        """The entries of the list, or only those that are nearer than the limit now."""
        particles, _ = self._grid.inputs(now)
        found = self.core.entries(particles, nearer, 32 if "S" in wanted else 0, "d" in wanted, "D" in wanted, self._grid.dimension)
        return Entries(*self._grid.place.give_all(found, self._grid.core))

    def counters(self) -> Counters:
        return Counters(*self.core.counters())

    def builds(self) -> int:
        return self.counters().builds

    def save(self) -> bytes:
        return self.core.save()

    def restore(self, checkpoint: bytes) -> None:
        self.core.restore(checkpoint)
        self._grid.particles = None  # its builds are not restored
