# SPDX-License-Identifier: BSD-3-Clause
"""The engine on a CUDA device: from arrays of any framework there and into them."""
from __future__ import annotations

import ctypes
import threading
from typing import Any, Sequence

import numpy as np

from . import _clib, _device_inputs
from ._box import Box
from ._checks import choice, fail, is_number, number
from ._device_inputs import FLOAT32, FLOAT64, INT32, INT64
from ._device_list import DeviceList
from ._device_outputs import Outputs, in_turn
from ._dlpack import CUDA, Memory
from ._errors import InputError
from ._frameworks import Framework
from ._given import Given, ListOptions, Options
from ._results import Entries, Level, Plan


class DeviceGrid:
    def __init__(self, x: Any, box: Box | None, options: Options) -> None:
        self.dimension = box.dimension if box is not None else _device_inputs.columns_of(x)
        self._stream = options.stream if options.stream is not None else Framework(x).stream or 0
        self._device = CUDA, int(x.__dlpack_device__()[1])
        self.particles: int | None = None
        self.where = " on device {}:{}".format(*self._device)
        levels = (_clib.LevelSpec * len(options.levels))()
        for spec, level in zip(levels, options.levels):
            spec.radius_max = level[0]
            spec.cell_size[:len(level) - 1] = level[1:]
        chosen = {name: choice(name, getattr(options, name)) for name in ("rule", "direction", "keys", "table")}
        made = _clib.Options(dimension=self.dimension, device_type=CUDA, device_id=self._device[1], levels=levels if levels else None,
                             level_count=len(levels), stream=self._stream or None, **chosen)
        self.handle = _clib.Handle("hgrid_create", "hgrid_destroy", ctypes.byref(made),
                                   None if box is None else ctypes.byref(_device_inputs.box_of(box, self.dimension)))
        self.turn = threading.RLock()
        self._given: Given | None = None  # those of the last build
        self._wraps, self._will_wrap = False, box is not None and any(box.periodic)  # in that build, and in the next one
        self.outputs = Outputs(Framework(x), self.handle, self._stream, self._device)

    def call(self, function: str, *arguments: Any) -> None:
        _clib.call(function, self.handle.pointer, *arguments)

    @in_turn
    def set_box(self, box: Box) -> None:
        self.call("hgrid_set_box", ctypes.byref(_device_inputs.box_of(box, self.dimension)))
        self._will_wrap = any(box.periodic)

    @in_turn
    def set_boxes(self, boxes: Sequence[Box]) -> None:
        made = (_clib.Box * len(boxes))(*(_device_inputs.box_of(box, self.dimension) for box in boxes))
        self.call("hgrid_set_boxes", made, ctypes.c_int64(len(boxes)))
        self._will_wrap = self._will_wrap or any(any(box.periodic) for box in boxes)

    def inputs(self, given: Given) -> _device_inputs.Inputs:
        return _device_inputs.Inputs(given, self.there)

    def there(self, array: Any, name: str, *types: int) -> Memory:
        """An array's memory, of one of these types."""
        return _device_inputs.memory_there(array, name, self._device, self._stream, types)

    def took(self, now: _device_inputs.Inputs) -> None:
        """What is left to do when the library has been given particles. Arrays that the user gets back may be written to at once, on
        the stream of their framework."""
        self._given, self.outputs.framework, self._wraps = now.given, Framework(now.given.x), self._will_wrap
        self.particles = now.count
        if self.outputs.on_another_stream():
            self.outputs.wait()

    @in_turn
    def build(self, given: Given, skin: float) -> None:
        now = self.inputs(given)
        self.call("hgrid_build", ctypes.byref(now.particles), ctypes.c_double(skin))
        self.took(now)

    @in_turn
    def valid(self, given: Given) -> bool:
        now, report = self.inputs(given), _clib.Validity()
        self.call("hgrid_validity", ctypes.byref(now.particles), ctypes.byref(report))  # waits
        return bool(report.holds)

    @in_turn
    def count(self) -> int:
        number = ctypes.c_int64()
        self.call("hgrid_count", ctypes.byref(number))
        return number.value

    def shifts(self, address: int | None, *shape: int) -> Any:
        """None in an open box. Without pairs a periodic one has no address either."""
        if address is None and not (self._wraps and shape[0] == 0):
            return None
        return self.outputs.give(address, INT32, *shape, 3, shown=self.dimension)

    @in_turn
    def pairs(self, order: str, shifts: bool, distances: bool, vectors: bool) -> tuple[Any, Any, Any, Any]:
        found, out = _clib.PairList(), self.outputs
        self.call("hgrid_pairs", choice("order", order), ctypes.byref(found))
        n, d = found.size, self.dimension
        ij, S = out.give(found.pairs, INT32, n, 2), self.shifts(found.images, n)
        if S is None and shifts:
            S = out.give(out.scratch(4 * d * n)[0], INT32, n, d)
        if not distances and not vectors:
            return ij, S, None, None
        assert self._given is not None
        x = self.there(self._given.x, "x", FLOAT64, FLOAT32)
        real = FLOAT32 if x.type == FLOAT32 else FLOAT64
        of = out.scratch(8 * n, 8 * d * n)
        measured = _clib.Measured(positions=_clib.Array.of(x), pairs=out.array(found.pairs, INT32, n, 2),
                                  distances=out.array(of[0], real, n), vectors=out.array(of[1], real, n, d))
        if found.images:
            measured.images = out.array(found.images, INT32, n, 3)
        self.call("hgrid_measure", ctypes.byref(measured))
        return (ij, S, out.give(of[0], real, n) if distances else None, out.give(of[1], real, n, d) if vectors else None)

    def lists(self, found: _clib.NeighbourList) -> tuple[Any, Any, Any]:
        give = self.outputs.give
        return give(found.offsets, INT64, found.lists + 1), give(found.neighbours, INT32, found.size), self.shifts(found.images, found.size)

    @in_turn
    def neighbors(self, full: bool) -> tuple[Any, Any, Any]:
        found = _clib.NeighbourList()
        self.call("hgrid_neighbours", int(full), ctypes.byref(found))
        return self.lists(found)

    @in_turn
    def matrix(self, full: bool, width: int | None, padding: int, shifts: bool) -> tuple[Any, ...]:
        report = _clib.PlanReport()
        self.call("hgrid_plan", ctypes.byref(report))
        n, out, longest = report.particles, self.outputs, ctypes.c_int64()

        def fill(columns: int) -> list[int]:
            of = out.scratch(4 * n * columns, 4 * n, 12 * n * columns)
            made = _clib.Matrix(neighbours=out.array(of[0], INT32, n, columns), counts=out.array(of[1], INT32, n),
                                images=out.array(of[2], INT32, n, columns, 3), padding=padding)
            self.call("hgrid_matrix", int(full), ctypes.byref(made), ctypes.byref(longest))
            return of

        try:
            of = fill(width or 0)
        except InputError as error:
            if width is not None or error.code != "capacity":
                raise
            of = fill(longest.value)
        columns = longest.value if width is None else width
        given = out.give(of[0], INT32, n, columns), out.give(of[1], INT32, n)
        return (*given, self.shifts(of[2], n, columns)) if shifts else given

    @in_turn
    def query(self, lo: Any, hi: Any, radius: Any, world: Any, take: str, radius_scale: float) -> tuple[Any, Any, Any]:
        if not 0 < radius_scale:
            raise fail("radius_scale", f"is {radius_scale}; on a device it must be above 0", -1, radius_scale)
        regions, held = _clib.Regions(take=choice("take", take), radius_scale=radius_scale), []
        if radius is not None and is_number(radius):
            regions.one_radius, radius = number(radius, "radius"), None
        for field, name, array in (("lo", "points" if hi is None else "lo", lo), ("hi", "hi", hi), ("radius", "radius", radius),
                                   ("world", "world", world)):
            if array is not None:
                held.append(self.there(array, name, *((INT32,) if field == "world" else (FLOAT64, FLOAT32))))
                setattr(regions, field, _clib.Array.of(held[-1]))
        found = _clib.NeighbourList()
        self.call("hgrid_query", ctypes.byref(regions), ctypes.byref(found))  # waits
        return self.lists(found)

    @in_turn
    def entries(self, full: bool, itself: bool, row_of_centre: int, wanted: str, nearer: bool = True) -> Entries:
        assert self._given is not None
        now, found, out = self.inputs(self._given), _clib.EntryList(), self.outputs
        options = _clib.EntryOptions(kind=int(full), all=int(not nearer), itself=int(itself), swapped=row_of_centre,
                                     images=int("S" in wanted), distances=int("d" in wanted), vectors=int("D" in wanted))
        self.call("hgrid_entries", ctypes.byref(now.particles), ctypes.byref(options), ctypes.byref(found))
        n = found.size
        return Entries(out.give(found.ids, INT64, 2, n), out.give(found.images, INT32, n, 3, shown=self.dimension) if "S" in wanted else None,
                       out.give(found.distances, FLOAT64, n) if "d" in wanted else None,
                       out.give(found.vectors, FLOAT64, n, self.dimension) if "D" in wanted else None,
                       out.give(found.offsets, INT64, found.lists + 1))

    @in_turn
    def plan(self) -> Plan:
        report = _clib.PlanReport()
        self.call("hgrid_plan", ctypes.byref(report))
        levels = []
        for number in range(report.levels):
            level = _clib.LevelReport()
            self.call("hgrid_level", number, ctypes.byref(level))
            levels.append(Level(level.radius_max, level.radius_bound, tuple(level.cell_size[:self.dimension]), level.particles))
        table = ("dense", "compacted")[report.table - 1]
        return Plan(tuple(levels), ("top-down", "bottom-up")[report.direction - 1], ("row", "morton")[report.keys - 1], table,
                    report.dense_cost if table == "dense" else report.compacted_cost, None, None, report.particles, report.skipped,
                    report.skin, report.bytes, 0, "cuda")

    def make_list(self, options: ListOptions) -> DeviceList:
        return DeviceList(self, options)

    @in_turn
    def save(self) -> bytes:
        return self.handle.save("hgrid_save")

    @in_turn
    def restore(self, checkpoint: bytes) -> None:
        self.handle.restore("hgrid_restore", checkpoint)
        self.particles = None  # none are built
