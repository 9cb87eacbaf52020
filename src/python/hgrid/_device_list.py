# SPDX-License-Identifier: BSD-3-Clause
"""Lists for a time loop on a CUDA device."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _clib, _device_inputs
from ._checks import fail
from ._errors import counted
from ._device_inputs import FLOAT64, INT64
from ._device_outputs import in_turn
from ._dlpack import Memory
from ._given import Given, ListOptions
from ._results import Counters

if TYPE_CHECKING:
    from ._device import DeviceGrid


class DeviceList:
    def __init__(self, grid: DeviceGrid, options: ListOptions) -> None:
        made = _clib.VerletOptions(skin=options.skin, kind=int(options.full), choose_skin=int(options.choose_skin),
                                   no_rebuild=int(not options.rebuild), check_every=options.check_every)
        self._grid, self.turn = grid, grid.turn
        self._handle = _clib.Handle("hgrid_verlet_create", "hgrid_verlet_destroy", grid.handle.pointer, ctypes.byref(made))

    def _call(self, function: str, *arguments: Any) -> None:
        _clib.call(function, self._handle.pointer, *arguments)

    @in_turn
    def update(self, now: Given, margin: Any) -> bool:
        given, rebuilt = self._grid.inputs(now), ctypes.c_int()
        widened = None if margin is None else self._grid.inputs(now._replace(extra=_device_inputs.sum_of(now, margin, given.particles.positions.type)))
        self._call("hgrid_verlet_update", ctypes.byref(given.particles), None if widened is None else ctypes.byref(widened.particles),
                   ctypes.byref(rebuilt))
        self._grid.took(given)
        return bool(rebuilt.value)

    @in_turn
    def build(self, given: Given) -> None:
        now = self._grid.inputs(given)
        self._call("hgrid_verlet_build", ctypes.byref(now.particles))
        self._grid.took(now)

    @in_turn
    def neighbors(self) -> tuple[Any, Any, Any]:
        found = _clib.NeighbourList()
        self._call("hgrid_verlet_neighbours", ctypes.byref(found))
        return self._grid.lists(found)

    def _history(self) -> _clib.History:
        found = _clib.History()
        self._call("hgrid_verlet_history", ctypes.byref(found))
        return found

    @in_turn
    def origins(self) -> Any:
        found = self._history()
        return self._grid.outputs.give(found.from_, INT64, found.size)

    @in_turn
    def carry(self, values: Any, fresh: Any) -> Any:
        found, out = self._history(), self._grid.outputs
        none = Memory(0, FLOAT64, (0,), (1,), out.device, None)
        old = none if values is None else self._grid.there(values, "values")
        n = old.shape[0] if old.shape else 0
        if n != found.size_before:
            raise fail("values", f"has {counted(n, 'entry', 'entries')}; the list before this one had {found.size_before}", -1,
                       n, "size_mismatch")
        each, bytes_of_number = int(np.prod(old.shape[1:])), old.type % 256 // 8
        to = out.scratch(found.size * each * bytes_of_number)[0]
        before, now = out.array(old.address, old.type, n, each), out.array(to, old.type, found.size, each)
        self._call("hgrid_verlet_carry", ctypes.byref(before), ctypes.byref(now), _device_inputs.number_of(fresh, old))
        return out.give(to, old.type, found.size, *old.shape[1:])

    @in_turn
    def counters(self) -> Counters:
        c = _clib.VerletCounters()
        self._call("hgrid_verlet_counts", ctypes.byref(c))
        return Counters(c.steps, c.checks, c.builds, c.dangerous, c.overtaken, c.disorder, c.skin)

    @in_turn
    def save(self) -> bytes:
        return self._handle.save("hgrid_verlet_save")

    @in_turn
    def restore(self, checkpoint: bytes) -> None:
        self._handle.restore("hgrid_verlet_restore", checkpoint)
        self._grid.particles = None  # its builds are not restored
