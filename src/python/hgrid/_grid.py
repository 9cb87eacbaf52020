# SPDX-License-Identifier: BSD-3-Clause
"""The grid."""
from __future__ import annotations

import threading
from typing import Any, Sequence

import numpy as np

from . import _core
from ._arrays import AnyArray, fail, integers, like, reals
from ._box import Box, Periodic, as_box
from ._errors import StateError
from ._particles import particles, positions
from ._results import QUANTITIES, Level, Neighbors, Pairs, Plan


def threads_of(threads: int | str | None) -> int:
    """As the core takes them: 0 OpenMP's choice, -1 the calling thread alone."""
    if threads is None:
        return 0
    if threads == "serial":
        return -1
    if isinstance(threads, (int, np.integer)) and not isinstance(threads, bool) and 1 <= threads <= 4096:
        return int(threads)
    raise fail("threads", f"is {threads!r}; it must be None, 'serial', or a number from 1 to 4096")


class Grid:
    """Finds all contacts of particles of any sizes: spheres in 3-D, discs in 2-D.

    box: (lo, hi), a Box, or None for an open one. `periodic`, `tilt` and `cell` are those of Box.
    skin: pairs with a gap up to this are listed, too.
    rule: "sum" (within r_i + r_j), "max" (the larger of the two), "gather" (r_i; full lists only).
    threads: None for as many as OpenMP gives, a number, or "serial". Results do not depend on it.
    levels: (radius_max, cell_size along x, y[, z]) each, finest first; planned from the radii unless given. `direction`
    ("top-down", "bottom-up"), `keys` ("row", "morton") and `table` ("dense", "compacted") are planned, too.

    All lengths are in one unit of your choice. Threads of Python may share a grid; they wait for each other.
    """

    def __init__(self, box: Any = None, *, periodic: Periodic | None = None, tilt: Any = None, cell: Any = None, skin: float = 0.0,
                 rule: str = "sum", threads: int | str | None = None, levels: Sequence[Sequence[float]] = (),
                 direction: str = "", keys: str = "", table: str = "") -> None:
        self.skin = float(skin)
        self._options = (threads_of(threads), rule, [[float(size) for size in level] for level in levels], direction, keys, table)
        self._box: Box | None = None
        self._handle: _core.Grid | None = None
        self._first = threading.Lock()
        self._like: Any = None
        self._real: Any = np.float64
        made = box if isinstance(box, Box) else Box(box, periodic=periodic, tilt=tilt, cell=cell)
        if box is not None or cell is not None:
            self._box = made
            self._core_of(made.dimension)

    def _core_of(self, dimension: int) -> _core.Grid:
        """The grid, whose dimension an open box does not say."""
        with self._first:
            if self._handle is None:
                box = self._box or Box(dimension=dimension)
                self._handle, self._box = _core.Grid(dimension, box._core, *self._options), box
            return self._handle

    @property
    def box(self) -> Box | None:
        """The box of the builds that follow; None if it is open and nothing was built."""
        return self._box

    def _built(self) -> tuple[_core.Grid, Box]:
        if self._handle is None or self._box is None:
            raise StateError("the grid is not built", "not_built")
        return self._handle, self._box

    def set_box(self, box: Any = None, *, periodic: Periodic | None = None, tilt: Any = None, cell: Any = None) -> None:
        """The box of the builds that follow, such as one that shears. Lists are then judged by where it takes their particles."""
        new = box if isinstance(box, Box) else Box(box, periodic=periodic, tilt=tilt, cell=cell)
        self._core_of(new.dimension).set_box(new._core)
        self._box = new

    def set_boxes(self, boxes: Sequence[Any]) -> None:
        """A box for each world of the builds that follow, Boxes or (lo, hi); an empty list: all share the grid's box."""
        all_boxes = [as_box(box) for box in boxes]
        self._core_of(all_boxes[0].dimension if all_boxes else 3).set_boxes([box._core for box in all_boxes])

    def build(self, x: Any, r: Any, *, extra: Any = None, group: Any = None, active: Any = None, owned: int | None = None,
              nonfinite: str = "error", radius_scale: float = 1.0, exclude: Any = None, types: Any = None, cutoffs: Any = None,
              world: Any = None, worlds: int | None = None) -> Grid:
        """Sorts particles into the cells, and returns the grid.

        x: [n, 2] or [n, 3] positions, float64 or float32, of numpy or any array on the host that speaks DLPack; results come
        back in the same framework. r: [n] radii, or one for all.
        extra: [n] distance beyond the radius. group: [n] particles of one group >= 0 never pair. active: [n] flags; False leaves
        a particle out. owned: particles from this number on are ghosts, which do not pair with each other.
        nonfinite: "error", or "skip" to leave out particles with a nan or inf. radius_scale: 0.5 for diameters.
        exclude: pairs [m, 2] that are never reported, or lists (offsets, indices), or a result of hgrid's.
        types, cutoffs: [n] and [t, t]: pairs within the cut-off of their types; radii must be at least half of it.
        world, worlds: [n] numbers and how many there are: only particles of one world pair.

        No array is copied unless its type, byte order or alignment asks for it. Distances ("d", "D") are those of x as it is when
        they are asked for. Raises InputError with the first particle that is wrong; the grid is then as it was.
        """
        array = positions(x)
        core = self._core_of(array.shape[1])
        core.build(particles(array, r, extra=extra, group=group, active=active, owned=owned, nonfinite=nonfinite,
                             radius_scale=radius_scale, exclude=exclude, types=types, cutoffs=cutoffs, world=world, worlds=worlds),
                   self.skin)
        self._like, self._real = x, array.dtype
        return self

    def _give(self, result: AnyArray | None) -> Any:
        return None if result is None else like(result, self._like)

    def pairs(self, quantities: str = "ij", *, order: str = "fixed") -> Pairs:
        """All contacts, each once, as Pairs.

        quantities: letters of "ijPSdD", in the order in which you want to unpack them. order: "sorted" by i, j, S, the same
        bytes everywhere; "fixed" as found, the same bytes for any number of threads, and faster.
        """
        core, box = self._built()
        strange = set(quantities) - set(QUANTITIES)
        if strange:
            raise fail("quantities", f"has {sorted(strange)[0]!r}; letters of {QUANTITIES!r} are known")
        ij, S, d, D = core.pairs(order, "d" in quantities, "D" in quantities, box.dimension)
        if S is None and "S" in quantities:
            S = np.zeros((len(ij), box.dimension), np.int32)
        distances, vectors = (None if v is None else v.astype(self._real, copy=False) for v in (d, D))
        return Pairs(quantities, self._give(ij), self._give(S), self._give(distances), self._give(vectors), box, self.skin)

    def neighbors(self, *, full: bool = True) -> Neighbors:
        """The neighbors of each particle: full, or each contact with its smaller id only."""
        core, box = self._built()
        offsets, indices, shifts = core.neighbors("full" if full else "half", box.dimension)
        return Neighbors(self._give(offsets), self._give(indices), self._give(shifts), full, box, self.skin)

    def matrix(self, max_neighbors: int | None = None, *, full: bool = True, padding: int = -1,
               shifts: bool = False) -> tuple[Any, ...]:
        """(indices [n, w] int32, counts [n] int32): neighbors in a padded matrix, for code that is compiled for its shape.

        max_neighbors: w; None: as many as the particle with the most has. Raises InputError ("capacity", with `needed`) if a
        particle has more. shifts: also give S, [n, w, D] int32, zeros in an open box.
        """
        core, box = self._built()
        kind = "full" if full else "half"
        offsets = core.neighbors(kind, box.dimension)[0]
        n = len(offsets) - 1
        width = int(np.diff(offsets).max(initial=0)) if max_neighbors is None else int(max_neighbors)
        if width < 0:
            raise fail("max_neighbors", f"is {width}", -1, width)
        indices, counts = np.empty((n, width), np.int32), np.empty(n, np.int32)
        images = np.zeros((n, width, 3), np.int32) if shifts or core.is_periodic() else None
        core.matrix(kind, indices, counts, images if core.is_periodic() else None, padding)
        result: tuple[Any, ...] = (self._give(indices), self._give(counts))
        return (*result, self._give(np.ascontiguousarray(images[..., :box.dimension]))) if images is not None and shifts else result

    def count(self) -> int:
        """The number of contacts, without a list."""
        return self._built()[0].count()

    def query(self, points: Any = None, *, lo: Any = None, hi: Any = None, radius: Any = None, world: Any = None,
              take: str = "touching") -> Neighbors:
        """The particles of regions, as Neighbors with a list for each region.

        points: [q, D], with radius (one or [q]) spheres; or boxes from lo to hi, [q, D] each.
        take: "touching", particles whose spheres touch the region, or "centres" for those whose centers lie in it.
        world: [q] the world that each asks; the first one unless given.
        """
        core, box = self._built()
        if (points is None) == (lo is None) or (lo is None) != (hi is None):
            raise fail("points", "or lo and hi are needed")
        given = points if points is not None else lo
        low = reals(given, "points" if points is not None else "lo", None, box.dimension)
        high = low if hi is None else reals(hi, "hi", len(low), box.dimension)
        round_by = None
        if radius is not None:
            round_by = np.full(len(low), radius, np.float64) if np.ndim(radius) == 0 else reals(radius, "radius", len(low))
        of = None if world is None else integers(world, "world", len(low))
        offsets, indices, shifts = core.query(low, high, round_by, of, take)
        return Neighbors(self._give(offsets), self._give(indices), self._give(shifts), False, box)

    def valid(self, x: Any, r: Any, **more: Any) -> bool:
        """Whether lists of this build still hold every contact of the particles as they are now; arguments as for `build`."""
        return bool(self._built()[0].validity(particles(positions(x), r, **more))[0])

    @property
    def plan(self) -> Plan:
        """Levels, predicted and counted work, memory. It runs one search to count."""
        core, box = self._built()
        report = core.report()
        levels = tuple(Level(largest, bound, sizes[:box.dimension], n) for largest, bound, sizes, n in report["levels"])
        return Plan(levels, report["direction"], report["keys"], report["table"], report["cost"], report["candidates"],
                    report["rows"], report["particles"], report["skipped"], report["skin"], report["bytes"], report["threads"],
                    report["instructions"])
