# SPDX-License-Identifier: BSD-3-Clause
# mypy: disable-error-code="no-untyped-def, untyped-decorator, valid-type, misc"
"""Neighbor lists of arrays of NVIDIA's Warp, for kernels of your own, by the same lines on the CPU and on a CUDA device.

`VerletList` takes `wp.array`s as they lie. Its `near` is a struct that a kernel takes as an argument:

    @wp.kernel
    def forces(x: wp.array(dtype=wp.vec3), near: hgrid.warp.Neighbors, f: wp.array(dtype=wp.vec3)):
        i = wp.tid()
        for k in range(hgrid.warp.count(near, i)):
            j = hgrid.warp.neighbor(near, i, k)
            f[i] += force(hgrid.warp.separation(near, i, k, x[i], x[j]))

`view` makes this struct of any `hgrid.Neighbors`. Work on a CUDA device is ordered on Warp's stream there, and needs hgrid's C library.
"""
from typing import Any  # Warp reads the annotations of structs and functions, so they are no strings here

import numpy as np
import warp as wp  # type: ignore[import-not-found, import-untyped, unused-ignore]

from . import _grid, _neighbors, _verlet
from ._checks import fail, shown, whole
from ._errors import InputError, StateError
from ._given import given_by

__all__ = ["Neighbors", "VerletList", "count", "holds", "neighbor", "separation", "shift", "view"]


@wp.struct
class Neighbors:
    """The neighbors of each particle, as kernels read them; the fields are the arrays of `hgrid.Neighbors`, and what `holds` reads."""

    offsets: wp.array(dtype=wp.int64)
    indices: wp.array(dtype=wp.int32)
    shifts: wp.array2d(dtype=wp.int32)
    cell: wp.array2d(dtype=wp.float64)
    status: wp.array(dtype=wp.int64)
    graph: wp.int64


@wp.func
def holds(near: Neighbors):
    """Whether the lists have all neighbors. Ask in kernels of a graph that has updates in it: where it is False, sum no forces and move
    nothing; the next `VerletList.wait` goes on from there."""
    return near.status.shape[0] == 0 or (near.status[0] == near.graph and near.status[1] != wp.int64(0))


@wp.func
def count(near: Neighbors, i: int):
    """How many neighbors particle i has."""
    return int(near.offsets[i + 1] - near.offsets[i])


@wp.func
def neighbor(near: Neighbors, i: int, k: int):
    """The k-th neighbor of particle i."""
    return near.indices[near.offsets[i] + wp.int64(k)]


@wp.func
def shift(near: Neighbors, i: int, k: int, axis: int):
    """By how many vectors of that axis of the cell the k-th neighbor of particle i is shifted; 0 in an open box."""
    if near.shifts.shape[0] == 0:
        return 0
    return near.shifts[near.offsets[i] + wp.int64(k), wp.int64(axis)]


@wp.func
def separation(near: Neighbors, i: int, k: int, x_i: Any, x_j: Any):
    """The vector from particle i to its k-th neighbor, x_j - x_i + shift @ cell, of the type of the positions."""
    d = x_j - x_i
    if near.shifts.shape[0] > 0:
        for axis in range(len(d)):
            times = wp.float64(shift(near, i, k, axis))
            for along in range(len(d)):
                d[along] += d.dtype(times * near.cell[axis, along])
    return d


class _OnDevice:
    """An array of Warp on a CUDA device, and the namespace of such arrays, as hgrid's `Device` and `Framework` use them."""

    float32, float64 = "float32", "float64"

    def __init__(self, array: Any) -> None:
        scalar = getattr(array.dtype, "_wp_scalar_type_", array.dtype)
        self.array, self.device, self.dtype = array, array.device, scalar.__name__
        self.shape = (*array.shape, *getattr(array.dtype, "_shape_", ()))

    def __array_namespace__(self) -> Any:
        return _OnDevice

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()

    def __dlpack__(self, stream: int | None = None) -> Any:
        return self.array.__dlpack__(stream=stream)

    def __getitem__(self, where: Any) -> "_OnDevice":
        return self  # rows of three shifts stay whole in two dimensions

    def astype(self, kind: str) -> "_OnDevice":
        return self  # `_given` has looked at its type

    @staticmethod
    def from_dlpack(memory: Any) -> "_OnDevice":
        return _OnDevice(wp.from_dlpack(memory))

    @staticmethod
    def stream_of(device: Any) -> Any:
        return wp.get_stream(device)

    @staticmethod
    def max(given: "_OnDevice") -> Any:
        return given.array.numpy().max()


_TYPES = dict.fromkeys(("group", "types", "world", "exclude"), ("int32",)) | {"active": ("uint8", "bool"), "cutoffs": ("float64",)}


def _given(array: Any, name: str, device: Any, real: str) -> Any:
    """An array of Warp on that device as hgrid takes it, without a copy; anything else as it is."""
    if not isinstance(array, wp.array):
        return array
    if array.device != device:
        raise fail(name, f"is on {array.device}; the list works on {device}", code="unsupported")
    there, types = _OnDevice(array), _TYPES.get(name, (real,))
    if there.dtype not in types:
        raise fail(name, f"is an array of {there.dtype}; it must be of {' or '.join(types)}", code="unsupported")
    return there if device.is_cuda else np.asarray(array)  # DLPack would lose exceptions: findings/warp-dlpack-loses-exceptions.sh


def _warps(array: Any) -> Any:
    """An array of a result as one of Warp, over the same memory."""
    if isinstance(array, (_OnDevice, wp.array)):
        return getattr(array, "array", array)
    return wp.array(data=array, copy=False, device="cpu") if isinstance(array, np.ndarray) else wp.from_dlpack(array)


def view(found: _neighbors.Neighbors) -> Any:
    """The neighbors that a grid or a list gives as a struct for kernels, over the same memory."""
    offsets = _warps(found.offsets)
    return _struct(offsets, found.indices, found.shifts, wp.array(found.box.cell, dtype=wp.float64, device=offsets.device))


_NOTHING: dict[str, Any] = {}  # of each device: no shifts, no status


def _struct(offsets: Any, indices: Any, shifts: Any, cell: Any, status: Any = None, graph: int = 0) -> Any:
    near = Neighbors()
    near.offsets, near.indices, near.cell, near.graph = _warps(offsets), _warps(indices), cell, graph
    device = near.offsets.device
    if device.alias not in _NOTHING:
        _NOTHING[device.alias] = wp.zeros((0, 1), dtype=wp.int32, device=device), wp.zeros(0, dtype=wp.int64, device=device)
    none = _NOTHING[device.alias]
    near.shifts = none[0] if shifts is None else _warps(shifts)
    near.status = none[1] if status is None else _warps(status)
    return near


class VerletList:
    """A `hgrid.VerletList` for Warp's arrays, made of the grid and the options; `list` is the `hgrid.VerletList`.

    capacity: room for that number of entries, in arrays with fixed addresses, so that a graph that was captured with `near`
    (`wp.ScopedCapture`) reads every later list. Without it `near` has the list's own arrays, new ones after each build.

    On a CUDA device updates can be captured, too: `wait` says when, and makes room. The device then decides at each replay whether the
    list is built again.
    """

    def __init__(self, grid: _grid.Grid, *, capacity: int | None = None, **options: Any) -> None:
        self.list = _verlet.VerletList(grid, **options)
        self.capacity = capacity if capacity is None else whole(capacity, "capacity", 0, (1 << 31) - 1)
        self._device: Any = None
        self._stream: Any = grid._options.stream
        self._near: Any = None
        self._box: Any = None  # whose cell is in
        self._cell: Any = None  # which stays where it is, for graphs
        self._behind = False  # `near` is not of the last list

    def update(self, x: Any, r: Any = None, **more: Any) -> bool:
        """Call it at each step, after particles have moved: it waits. Returns True if the list is new.

        x: [n] of vec2 or vec3, float32 or float64. r: [n] radii of that type, or one for all. Other arguments are as for
        `hgrid.VerletList.update`. Raises InputError for arrays of another type, device or stream than before, and for a list that
        exceeds the capacity ("capacity", with `needed`).
        In a capture it does not wait, and takes neither margin nor followers. There it raises StateError ("reentrancy") on the CPU, and if
        no `wait` with these arrays has made room.
        """
        given = self._given(x, r, more)
        if x.device.is_capturing:
            if x.device.is_cpu or self.list._engine is None:
                raise self._no_capture(x.device, "update it before the graph is launched")
            self.list._engine.enqueue(given_by(**given))
            return False
        rebuilt = self.list.update(given["x"], given["r"], **given["more"])
        self._device, self._behind = x.device, self._behind or rebuilt or self.list._options.wrapped
        cell = self._cell_now()
        if self._behind:
            found = self.list.neighbors()
            near = _struct(found.offsets, found.indices, found.shifts, cell)
            self._near, self._behind = near if self.capacity is None else self._filled(near, self.capacity), False
        return rebuilt

    def wait(self, x: Any, r: Any = None, **more: Any) -> bool:
        """Call it before `update` is captured, and then every thousand replays or so: it waits, reads what they have done, and does what they
        could not. Returns True if the update and the kernels that take `near` must be captured, at first or again.

        Arguments are as for `update`, without margin and followers. Raises InputError ("unsupported") on the CPU, where graphs cannot hold an
        update, and for a list with a capacity; and the errors of a replay's particles.
        """
        given = self._given(x, r, more)
        if x.device.is_cpu or self.capacity is not None:
            raise fail("x" if x.device.is_cpu else "capacity", "is on the CPU, where no graph holds an update; call update before each launch"
                       if x.device.is_cpu else "is for graphs without updates; leave it out", code="unsupported")
        if x.device.is_capturing:
            raise self._no_capture(x.device, "wait before it")
        engine = self.list._engine_for(given["x"])
        again = engine.wait(given_by(**given))
        self._device, self._behind, self.list._neighbors = x.device, True, None
        if again:
            offsets, indices, shifts, status, graph = engine.in_graphs()
            self._near = _struct(offsets, indices, shifts, self._cell_now(), status, graph)
        return again

    def _cell_now(self) -> Any:
        """The array of the cell, with the vectors of the box as it is."""
        box = self.list.grid._built()[1]
        if self._cell is None:
            self._cell = wp.array(box.cell, dtype=wp.float64, device=self._device)
        elif box is not self._box:  # one that shears
            self._cell.assign(box.cell)
        self._box = box
        return self._cell

    def _given(self, x: Any, r: Any, more: dict[str, Any]) -> dict[str, Any]:
        """The arguments as hgrid takes them."""
        if not isinstance(x, wp.array):
            raise fail("x", f"is {shown(x)}; a wp.array is needed")
        there = _OnDevice(x)
        if len(there.shape) != 2 or there.shape[1] not in (2, 3) or there.dtype not in ("float32", "float64"):
            raise fail("x", f"is an array of {x.dtype.__name__} of shape {x.shape}; vec2 or vec3 of float32 or float64 are needed", code="unsupported")
        if self.list.grid._boxes:
            raise fail("grid", "has a box for each world, and `near` has one cell", code="unsupported")
        device = self._device or x.device
        if device.is_cuda:
            now = wp.get_stream(device).cuda_stream or 0
            if self._stream not in (None, now):
                raise fail("stream", f"of Warp is {now:#x}; the list works on {self._stream:#x}", code="unsupported")
            self._stream = now
        return {"x": _given(x, "x", device, there.dtype), "r": _given(r, "r", device, there.dtype),
                "more": {name: _given(array, name, device, there.dtype) for name, array in more.items()}}

    @property
    def near(self) -> Any:
        """The struct `Neighbors` of the last update, for kernels; after `wait` the one for graphs that hold updates."""
        if self._near is None:
            raise StateError("the list is not built; call update", "not_built")
        if self.capacity is None and not self._near.graph and self._device.is_capturing:
            raise self._no_capture(self._device, "give the list a capacity, so that its arrays stay where they are")
        return self._near

    @property
    def origins(self) -> Any:
        """Where each entry stood in the list before, or -1, to carry values of pairs. wp.array of int64"""
        return _warps(self.list.origins)

    @staticmethod
    def _no_capture(device: Any, remedy: str) -> StateError:
        return StateError(f"a capture on {device} cannot hold the list; {remedy}", "reentrancy")

    def _filled(self, near: Any, capacity: int) -> Any:
        """The arrays of that capacity, with the numbers of `near`."""
        entries = near.indices.shape[0]
        if entries > capacity:
            raise InputError(f"capacity is {capacity}; the list has {entries} entries. Set a larger one, update, and capture graphs again",
                             "capacity", "capacity", -1, capacity, 0, entries)
        kept = self._near
        if kept is None or kept.indices.shape[0] != capacity:
            kept, device = Neighbors(), near.offsets.device
            kept.offsets, kept.indices = wp.zeros_like(near.offsets), wp.zeros(capacity, dtype=wp.int32, device=device)
            rows = 0 if self.list.neighbors().shifts is None else capacity
            kept.shifts, kept.cell = wp.zeros((rows, near.shifts.shape[1]), dtype=wp.int32, device=device), near.cell
        elif kept.offsets.shape != near.offsets.shape:
            raise fail("x", f"has {near.offsets.shape[0] - 1} particles; the arrays of `near` are of {kept.offsets.shape[0] - 1}", code="size_mismatch")
        wp.copy(kept.offsets, near.offsets)
        if entries:
            wp.copy(kept.indices[:entries], near.indices)
        if near.shifts.shape[0]:
            wp.copy(kept.shifts[:entries], near.shifts)
        return kept
