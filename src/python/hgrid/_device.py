# SPDX-License-Identifier: BSD-3-Clause
"""Grids on a CUDA device, from arrays of any framework there and into them."""
from __future__ import annotations

import ctypes
from typing import Any, Sequence

import numpy as np

from . import _clib
from ._arrays import fail
from ._box import Box
from ._dlpack import CUDA, MANAGED, Exported, Memory, memory_of
from ._errors import StateError
from ._frameworks import Framework
from ._results import Neighbors, Pairs

_INT32, _INT64 = 32, 64
_CHOICES = {"rule": ("sum", "max", "gather"), "direction": ("", "top-down", "bottom-up"), "keys": ("", "row", "morton"),
            "table": ("", "dense", "compacted"), "order": ("fixed", "sorted"), "take": ("touching", "centres"),
            "nonfinite": ("error", "skip")}


def _choice(name: str, value: str) -> int:
    if value not in _CHOICES[name]:
        raise fail(name, f"is {value!r}; it must be one of {', '.join(repr(other) for other in _CHOICES[name] if other)}")
    return _CHOICES[name].index(value)


def _box_of(box: Box) -> _clib.Box:
    lo, hi, tilt, vectors = box._given
    made = _clib.Box()
    made.lo[:len(lo)], made.hi[:len(hi)], made.tilt[:len(tilt)] = lo, hi, tilt
    made.periodic[:box.dimension] = [int(flag) for flag in box.periodic]
    if vectors:
        made.vectors = (ctypes.c_double * len(vectors))(*vectors)
    return made


class DeviceGrid:
    """Finds all contacts of particles whose arrays lie on a CUDA device. As `Grid`, whose arguments it has.

    Arrays are those of any framework that speaks DLPack, such as cupy, torch and jax, and are not copied. Results are arrays of the
    framework of `x`, on its device, in memory of their own. Work is ordered on `stream`, the address of a cudaStream_t; None: on
    that which the framework uses at the first build (cupy, torch), or the default one. Where the framework then works on another
    stream, or does not tell on which, calls wait. hgrid's C library does it, built with CUDA;
    the environment's HGRID_C_LIBRARY says where it is, if the system does not find it. Raises StateError ("device") without it.
    """

    def __init__(self, box: Any = None, *, periodic: Any = None, tilt: Any = None, cell: Any = None, skin: float = 0.0,
                 rule: str = "sum", levels: Sequence[Sequence[float]] = (), direction: str = "", keys: str = "", table: str = "",
                 stream: int | None = None) -> None:
        made = box if isinstance(box, Box) else Box(box, periodic=periodic, tilt=tilt, cell=cell)
        self.skin, self.box = float(skin), made
        self._is_open = box is None and cell is None
        self._levels = [[float(size) for size in level] for level in levels]
        self._choices = {name: _choice(name, value) for name, value in
                         (("rule", rule), ("direction", direction), ("keys", keys), ("table", table))}
        self._stream = stream
        self._handle: _clib.Handle | None = None
        self._device = (CUDA, 0)
        self._framework: Framework | None = None
        self._built = False

    def _create(self, x: Any) -> _clib.Handle:
        kind, number = (int(part) for part in x.__dlpack_device__())
        if kind not in (CUDA, MANAGED):
            raise fail("x", "is not on a CUDA device; Grid takes arrays on the host", -1, kind, "unsupported")
        dimension = int(x.shape[1]) if len(x.shape) == 2 else 3
        if self._is_open:
            self.box = Box(dimension=dimension)
        if self._stream is None:
            self._stream = Framework(x).stream or 0
        specs = (_clib.LevelSpec * len(self._levels))()
        for spec, level in zip(specs, self._levels):
            spec.radius_max = level[0]
            spec.cell_size[:len(level) - 1] = level[1:]
        options = _clib.Options(dimension=self.box.dimension, device_type=CUDA, device_id=number, levels=specs if specs else None,
                                level_count=len(specs), stream=self._stream or None, **self._choices)
        box = None if self._is_open else ctypes.byref(_box_of(self.box))
        self._device = (CUDA, number)
        return _clib.Handle("hgrid_create", "hgrid_destroy", ctypes.byref(options), box)

    def _of(self, x: Any) -> _clib.Handle:
        if not hasattr(x, "__dlpack_device__"):
            raise fail("x", "is no array on a device; Grid takes arrays on the host", code="unsupported")
        if self._handle is None:
            self._handle = self._create(x)
        return self._handle

    def _particles(self, x: Any, r: Any, *, extra: Any = None, group: Any = None, active: Any = None, owned: int | None = None,
                   nonfinite: str = "error", radius_scale: float = 1.0, exclude: Any = None, types: Any = None,
                   cutoffs: Any = None, world: Any = None, worlds: int = 0) -> tuple[_clib.Particles, list[Memory]]:
        """The particles, and what must live as long as they do."""
        n = int(x.shape[0])
        if owned is not None and not 0 <= owned <= n:
            raise fail("owned", f"is {owned}; there are {n} particles", -1, owned, "size_mismatch")
        p = _clib.Particles(radius_scale=float(radius_scale), ghosts=0 if owned is None else n - owned,
                            nonfinite=_choice("nonfinite", nonfinite), worlds=worlds)
        exclude = getattr(exclude, "ij", exclude)
        begin, ids = exclude if isinstance(exclude, tuple) else (None, None)
        held = []
        for field, name, array in (("positions", "x", x), ("radii", "r", r), ("extra", "extra", extra), ("group", "group", group),
                                   ("active", "active", active), ("excluded_pairs", "exclude", exclude if begin is None else None),
                                   ("excluded_begin", "exclude", begin), ("excluded_ids", "exclude", ids),
                                   ("types", "types", types), ("cutoffs", "cutoffs", cutoffs), ("world", "world", world)):
            if array is not None:
                held.append(self._memory(array, name))
                setattr(p, field, _clib.Array.of(held[-1]))
        return p, held

    def _memory(self, array: Any, name: str) -> Memory:
        if not hasattr(array, "__dlpack__"):
            raise fail(name, "is no array on a device", code="unsupported")
        if int(array.__dlpack_device__()[0]) not in (CUDA, MANAGED):
            raise fail(name, "is not on the device of the grid", -1, int(array.__dlpack_device__()[0]), "unsupported")
        return memory_of(array, self._stream or 0)

    def build(self, x: Any, r: Any, **more: Any) -> DeviceGrid:
        """Sorts particles into the cells, and returns the grid. As Grid.build, but all are arrays on the device, of the types that
        it names: `r` and `extra` of the type of `x`, ids int32, `active` uint8 or bool, `exclude` int32 pairs [m, 2] that are
        sorted, or (offsets int64, indices int32), `cutoffs` float64. `worlds` must be said where there is a `world`.
        """
        handle = self._of(x)
        p, held = self._particles(x, r, **more)
        _clib.call("hgrid_build", handle.pointer, ctypes.byref(p), ctypes.c_double(self.skin))
        self._after(x, held)
        return self

    def _after(self, x: Any, held: list[Memory]) -> None:
        """What is left to do when the library has been given the particles."""
        self._framework, self._built = Framework(x), True
        self._let_go(held)

    def _let_go(self, held: list[Memory]) -> None:
        """Memory that a framework gets back may be written to at once, on its own stream."""
        if self._on_another_stream():
            self.wait()
        held.clear()

    def _on_another_stream(self) -> bool:
        return self._framework is None or self._framework.stream != self._stream

    def set_box(self, box: Any = None, *, periodic: Any = None, tilt: Any = None, cell: Any = None) -> None:
        """The box of the builds that follow, such as one that shears."""
        self.box = box if isinstance(box, Box) else Box(box, periodic=periodic, tilt=tilt, cell=cell)
        self._is_open = False
        if self._handle is not None:
            _clib.call("hgrid_set_box", self._handle.pointer, ctypes.byref(_box_of(self.box)))

    def _ready(self) -> ctypes.c_void_p:
        if self._handle is None or not self._built:
            raise StateError("the grid is not built", "not_built")
        return self._handle.pointer

    def wait(self) -> None:
        """Waits for all work of the grid on its stream."""
        _clib.call("hgrid_wait", self._ready())

    def _give(self, address: int | None, number: int, *shape: int, shown: int | None = None) -> Any:
        """That memory as an array of the user's framework, copied. In a table of rows `shown` columns are seen."""
        strides = (shape[1], 1) if len(shape) == 2 else (1,)
        seen = shape if shown is None else (shape[0], shown)
        memory = Memory(address or 0, number, seen, strides, self._device, self)
        assert self._framework is not None
        exported = Exported(memory, self._stream or 0, self.wait)
        return self._framework.copy_of(exported, self._on_another_stream())  # the next call writes there

    def _lists(self, found: _clib.NeighbourList, full: bool, skin: float) -> Neighbors:
        shifts = self._give(found.images, _INT32, found.size, 3, shown=self.box.dimension) if found.images else None
        return Neighbors(self._give(found.offsets, _INT64, found.lists + 1), self._give(found.neighbours, _INT32, found.size),
                         shifts, full, self.box, skin)

    def pairs(self, quantities: str = "ij", *, order: str = "fixed") -> Pairs:
        """All contacts, each once. quantities: letters of "ijPS". order: as for Grid."""
        strange = set(quantities) - set("ijPS")
        if strange:
            raise fail("quantities", f"has {sorted(strange)[0]!r}; letters of 'ijPS' are known on a device")
        found = _clib.PairList()
        _clib.call("hgrid_pairs", self._ready(), _choice("order", order), ctypes.byref(found))
        shifts = self._give(found.images, _INT32, found.size, 3, shown=self.box.dimension) if found.images else None
        return Pairs(quantities, self._give(found.pairs, _INT32, found.size, 2), shifts, None, None, self.box, self.skin)

    def neighbors(self, *, full: bool = True) -> Neighbors:
        """The neighbors of each particle: full, or each contact with its smaller id only."""
        found = _clib.NeighbourList()
        _clib.call("hgrid_neighbours", self._ready(), int(full), ctypes.byref(found))
        return self._lists(found, full, self.skin)

    def count(self) -> int:
        """The number of contacts, without a list."""
        number = ctypes.c_int64()
        _clib.call("hgrid_count", self._ready(), ctypes.byref(number))
        return number.value

    def query(self, points: Any = None, *, lo: Any = None, hi: Any = None, radius: Any = None, world: Any = None,
              take: str = "touching") -> Neighbors:
        """The particles of regions, as Neighbors with a list for each region. As Grid.query, from arrays on the device."""
        if (points is None) == (lo is None) or (lo is None) != (hi is None):
            raise fail("points", "or lo and hi are needed")
        regions, held = _clib.Regions(take=_choice("take", take)), []
        for field, name, array in (("lo", "points" if lo is None else "lo", points if lo is None else lo), ("hi", "hi", hi),
                                   ("radius", "radius", radius), ("world", "world", world)):
            if array is not None:
                held.append(self._memory(array, name))
                setattr(regions, field, _clib.Array.of(held[-1]))
        found = _clib.NeighbourList()
        _clib.call("hgrid_query", self._ready(), ctypes.byref(regions), ctypes.byref(found))
        self._let_go(held)
        return self._lists(found, False, 0.0)

    def valid(self, x: Any, r: Any, **more: Any) -> bool:
        """Whether lists of this build still hold every contact of the particles as they are now; arguments as for `build`."""
        p, held = self._particles(x, r, **more)
        report = _clib.Validity()
        _clib.call("hgrid_validity", self._ready(), ctypes.byref(p), ctypes.byref(report))  # waits
        held.clear()
        return bool(report.holds)


class DeviceVerletList:
    """A neighbor list on a device that is built again only when it may miss a contact. As VerletList; the grid is its own."""

    def __init__(self, grid: DeviceGrid, *, full: bool = True, skin: float | None = None, rebuild: bool = True,
                 check_every: int = 1) -> None:
        self.grid, self.full, self.skin = grid, full, grid.skin if skin is None else float(skin)
        self._options = _clib.VerletOptions(skin=self.skin, kind=int(full), no_rebuild=int(not rebuild), check_every=check_every)
        self._handle: _clib.Handle | None = None

    def update(self, x: Any, r: Any, **more: Any) -> bool:
        """Call it at each step, after particles have moved. True if the list is a new one. Arguments as for `build`."""
        handle = self.grid._of(x)
        if self._handle is None:
            self._handle = _clib.Handle("hgrid_verlet_create", "hgrid_verlet_destroy", handle.pointer, ctypes.byref(self._options))
        p, held = self.grid._particles(x, r, **more)
        rebuilt = ctypes.c_int()
        _clib.call("hgrid_verlet_update", self._handle.pointer, ctypes.byref(p), None, ctypes.byref(rebuilt))
        self.grid._after(x, held)
        return bool(rebuilt.value)

    def _listed(self) -> ctypes.c_void_p:
        if self._handle is None or not self.grid._built:
            raise StateError("the list is not built; call update", "not_built")
        return self._handle.pointer

    def neighbors(self) -> Neighbors:
        """As they were listed: pairs within the skin are among them."""
        found = _clib.NeighbourList()
        _clib.call("hgrid_verlet_neighbours", self._listed(), ctypes.byref(found))
        return self.grid._lists(found, self.full, self.skin)

    def origins(self) -> Any:
        """Where each entry stood in the list before, or -1 for a new one. [m] int64, so that values follow their pairs."""
        found = _clib.History()
        _clib.call("hgrid_verlet_history", self._listed(), ctypes.byref(found))
        return self.grid._give(found.from_, _INT64, found.size)
