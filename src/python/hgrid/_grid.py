# SPDX-License-Identifier: BSD-3-Clause
"""The grid."""
from __future__ import annotations

import threading
from typing import Any, Sequence, overload

from ._asked import AskedGrid
from ._box import Box, Periodic, box_of, boxes_of
from ._checkpoint import State, closed, opened
from ._checks import choice, flag, letters, number, whole
from ._engine import Engine
from ._errors import StateError, counted
from ._given import Given, Options, given_by, levels_of, threads_of
from ._neighbors import Neighbors, PackedNeighbors, neighbors_of
from ._predicate import asking
from ._results import QUANTITIES, Pairs, Plan

_MOST = (1 << 31) - 1  # ids and what stands in their place have 32 bits


class Grid(AskedGrid):
    """Finds all contacts of particles of any sizes: spheres in 3-D, discs in 2-D, or boxes along the axes.

    box: (lo, hi), a Box, or None for an open one. `periodic`, `tilt` and `cell` are as in Box.
    skin: pairs with a gap up to this are listed, too.
    rule: "sum" (within r_i + r_j), "max" (the larger of the two), "gather" (r_i; full lists only).
    threads: None for OMP_NUM_THREADS or the number of processors, a number, or "serial". Results do not depend on it.
    levels: (radius_max, cell_size along x, y[, z]) each, finest first; planned from the radii unless given. `direction`
    ("top-down", "bottom-up"), `keys` ("row", "morton") and `table` ("dense", "compacted") are planned, too.

    The grid works where the first arrays are, on the host or on a CUDA device, and takes arrays only from there. Results are arrays
    of the framework of `x` there, in their own memory.
    stream: on a device, the address of the cudaStream_t on which all work is ordered; None: the framework's stream at the first
    build (cupy, torch), or the default stream. If the framework later works on another stream, or does not tell which, calls wait.
    hgrid's C library, built with CUDA, does the work there; the environment variable HGRID_C_LIBRARY says where it is, if the
    system does not find it. Raises StateError ("device") without it.

    All lengths are in one unit of your choice. Threads of Python may share a grid; they wait for each other. A grid can be pickled:
    the copy has its options, box and plan, and is not built. It has no `stream`, because an address says nothing elsewhere.
    """

    def __init__(self, box: Any = None, *, periodic: Periodic | None = None, tilt: Any = None, cell: Any = None, skin: float = 0.0,
                 rule: str = "sum", threads: int | str | None = None, levels: Sequence[Sequence[float]] = (),
                 direction: str = "", keys: str = "", table: str = "", stream: int | None = None) -> None:
        self.skin = number(skin, "skin")
        self._options = Options(threads_of(threads), rule, levels_of(levels), direction, keys, table, stream).checked()
        self._box: Box | None = None
        self._boxes: list[Box] = []
        self._engine: Engine | None = None
        self._first = threading.Lock()
        self._checkpoint = b""  # of the engine that is not there yet
        made = box_of(box, periodic=periodic, tilt=tilt, cell=cell)
        if box is not None or cell is not None:
            self._box = made

    def _engine_for(self, x: Any) -> Engine:
        """Where x lies; its dimension an open box does not say."""
        engine = self._engine
        if engine is not None:
            return engine
        with self._first:
            if self._engine is None:
                made = Engine(x, self._box, self._options)
                if self._checkpoint:
                    made.restore(self._checkpoint)
                self._set_boxes_of(made)
                self._box, self._checkpoint, self._engine = self._box or Box(dimension=made.dimension), b"", made
            return self._engine

    def _set_boxes_of(self, engine: Engine) -> None:
        """Sets the boxes of later builds, which may differ from a checkpoint's."""
        if self._box is not None:
            engine.set_box(self._box)
        engine.set_boxes(self._boxes)

    @property
    def box(self) -> Box | None:
        """The box of the builds that follow; None if it is open and nothing was built."""
        return self._box

    def _built(self) -> tuple[Engine, Box]:
        if self._engine is None or self._box is None:
            raise StateError("the grid is not built", "not_built")
        return self._engine, self._box

    def set_box(self, box: Any = None, *, periodic: Periodic | None = None, tilt: Any = None, cell: Any = None) -> None:
        """The box of the builds that follow, such as one that shears. Lists are then judged by where it takes their particles."""
        new = box_of(box, periodic=periodic, tilt=tilt, cell=cell)
        if new.is_open and self._box is not None:
            new = Box(dimension=self._box.dimension)
        if self._engine is not None:
            self._engine.set_box(new)
        self._box = new

    def set_boxes(self, boxes: Sequence[Any]) -> None:
        """A Box for each world of the builds that follow; an empty list: all share the grid's box."""
        new = boxes_of(boxes)
        if self._engine is not None:
            self._engine.set_boxes(new)
        self._boxes = new

    def build(self, x: Any, r: Any = None, *, extra: Any = None, group: Any = None, active: Any = None, active_bits: int | None = None,
              owned: int | None = None, nonfinite: str = "error", radius_scale: float = 1.0, exclude: Any = None, types: Any = None,
              cutoffs: Any = None, world: Any = None, worlds: int | None = None, extents: Any = None, skin: float | None = None) -> Grid:
        """Sorts particles into the cells, and returns the grid.

        x: [n, 2] or [n, 3] positions, float64 or float32, of numpy or any array that speaks DLPack. r: [n] radii, or one for all.
        extra: [n] distance beyond the radius. group: [n] particles of one group >= 0 never pair. active: [n] flags; False leaves
        a particle out. active_bits: `active` is bytes (uint8), and a particle takes part if one of these bits is set. owned: particles
        from this number on are ghosts, which do not pair with each other.
        nonfinite: "error", or "skip" to leave out particles with a nan or inf. radius_scale: 0.5 for diameters.
        exclude: pairs [m, 2] that are never reported, or lists (offsets, indices), or a result of hgrid's.
        types, cutoffs: [n] and [t, t]: pairs within the cut-off of their types; radii must be at least half of it.
        world, worlds: [n] numbers and how many there are: only particles of one world pair.
        extents: instead of r, half extents along the axes: [n, D], a row [D] for all, or one number. Particles are then boxes, which
        touch where they overlap on every axis; a gap is the largest along an axis. The rule is "sum", levels are planned, there are no
        cut-offs, and the grid's box has edges along the axes or tilts ("unsupported"). On a device they are [n, D].
        skin: for this build and later ones; the grid's unless given.

        No array is copied unless its type, byte order or alignment asks for it. On a device all are arrays there, and pairs in `exclude`
        are sorted. Distances ("d", "D") are computed from x as it is at the call that returns them. Raises InputError with the first
        bad particle; the grid is then unchanged.
        """
        now = self.skin if skin is None else number(skin, "skin")
        self._engine_for(x).build(Given(x, r, extra, group, active, active_bits, owned, nonfinite, radius_scale, exclude, types, cutoffs,
                                        world, worlds, extents), now)
        self.skin = now
        return self

    def pairs(self, quantities: str = "ij", *, order: str = "fixed", predicate: Any = None, context: Any = None) -> Pairs:
        """All contacts, each once, as Pairs; with a predicate only contacts that it confirms (docs/shapes.md).

        quantities: letters of "ijPSdD", in the order in which you want to unpack them. order: "sorted" by i, j, S, with equal
        bytes everywhere; "fixed" as found, with equal bytes for any number of threads, and faster.
        predicate: a compiled function as hgrid.h's hgrid_predicate has it: of numba.cfunc, of ctypes, or its address. Threads call
        it at once, with the address of context: an array in one piece, a structure of ctypes, or an address. Host only.
        """
        engine, box = self._built()
        letters(quantities, QUANTITIES, 0)
        with asking(predicate, context) as addresses:
            return Pairs(quantities, *engine.pairs(choice("order", order), quantities, addresses), box, self.skin)

    @overload
    def neighbors(self, *, full: bool = True, predicate: Any = None, context: Any = None) -> Neighbors: ...
    @overload
    def neighbors(self, quantities: str, *, full: bool = True) -> tuple[Any, ...]: ...
    def neighbors(self, quantities: str = "", *, full: bool = True, predicate: Any = None, context: Any = None) -> Any:
        """The neighbors of each particle: full, or each contact with its smaller id only; predicate, context: as for `pairs`.

        quantities: letters of "ijSdD": gives arrays, an entry for each neighbor, in the order of the letters, instead of Neighbors.
        """
        engine, box = self._built()
        return neighbors_of(engine, letters(quantities, "ijSdD", 0), flag(full, "full"), predicate, context, box, self.skin)

    def packed_neighbors(self, *, full: bool = True) -> PackedNeighbors:
        """The neighbors with 8 bytes per entry, which are 16 in Neighbors of a periodic box."""
        engine, box = self._built()
        full = flag(full, "full")
        return PackedNeighbors(*engine.packed_neighbors(full), full, box, self.skin)

    def matrix(self, max_neighbors: int | None = None, *, full: bool = True, padding: int = -1,
               shifts: bool = False) -> tuple[Any, ...]:
        """(indices [n, w] int32, counts [n] int32): neighbors in a padded matrix, for code that is compiled for its shape.

        max_neighbors: w; None: as many as the particle with the most has. Raises InputError ("capacity", with `needed`) if a
        particle has more. shifts: also give S, [n, w, D] int32, zeros in an open box.
        """
        width = None if max_neighbors is None else whole(max_neighbors, "max_neighbors", 0, _MOST)
        padding = whole(padding, "padding", -_MOST - 1, _MOST)
        return self._built()[0].matrix(flag(full, "full"), width, padding, flag(shifts, "shifts"))

    def count(self) -> int:
        """The number of contacts, without a list."""
        return self._built()[0].count()

    def touches(self, x: Any, r: Any, *, world: Any = None) -> Any:
        """Whether each of some more particles would touch one of the build, one inserted since, or its own image: [k] bool.

        x: [k, D]; r: [k] or one for all, extra distances included; world: [k], where there are worlds. Radii alone count: no skin,
        groups, ghosts, exclusions or cut-offs. On the host.
        """
        return self._built()[0].touches(x, r, world)

    def insert(self, x: Any, r: Any, *, world: Any = None, if_free: bool = True) -> Any:
        """Inserts particles one after the other, and returns their ids, [k] int32: with if_free, -1 for a particle that touches another.

        Ids continue after the build's. The next build forgets inserted particles: pass it all particles. Bad input raises InputError
        with the first bad particle, and none is inserted then; if memory or ids run out, the particles before are inserted.
        """
        return self._built()[0].insert(x, r, world, flag(if_free, "if_free"))

    def valid(self, x: Any, r: Any = None, **more: Any) -> bool:
        """Whether lists of this build still hold every contact of the present particles; arguments as for `build`."""
        return self._built()[0].valid(given_by(x, r, more))

    @property
    def plan(self) -> Plan:
        """Levels, predicted and counted work, memory. It runs one search to count."""
        return self._built()[0].plan()

    def save(self) -> bytes:
        """The checkpoint of skin, box, options and plan, without particles. A restored grid makes bit-identical lists."""
        core = self._checkpoint if self._engine is None else self._engine.save()
        return closed({"kind": "Grid", **self._state().facts()}, core)

    def restore(self, checkpoint: bytes) -> None:
        """Gives the grid the state of a checkpoint; build it then. Raises InputError ("format") for bytes that are not a checkpoint, or
        damaged: the grid is then unchanged."""
        facts, core = opened(checkpoint, "Grid")
        state = self._state().of(facts, core, self._engine)
        if core:
            (self._engine or state.on_host()).restore(core)
        self._take(state, core)
        self._checkpoint = core if self._engine is None else b""

    def _state(self) -> State:
        return State(self.skin, self._box, self._boxes, self._options)

    def _take(self, state: State, core: bytes) -> None:
        """When nothing can fail any more. A grid that was never built has no bytes of the core."""
        self.skin, self._box, self._boxes, self._options = state
        if not core:
            self._engine = None
        if self._engine is not None:
            self._set_boxes_of(self._engine)

    def __repr__(self) -> str:
        engine, given = self._engine, self._options
        parts = [f"rule {given.rule!r}", "open box" if self._box is None else repr(self._box)]
        if self._boxes:
            parts.append(f"{counted(len(self._boxes), 'box', 'boxes')} of worlds")
        held = "not built"
        if engine is not None and engine.particles is not None:
            held = counted(engine.particles, "particle") + engine.place.where
        return f"<hgrid.Grid: {held}, skin {self.skin:g}, {', '.join(parts)}>"

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self._options._replace(stream=None), "checkpoint": self.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        options: Options = state["options"]
        self.__init__(threads="serial" if options.threads < 0 else options.threads or None)  # type: ignore[misc]
        self._options = options
        self.restore(state["checkpoint"])
