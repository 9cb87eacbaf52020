# SPDX-License-Identifier: BSD-3-Clause
"""hgrid's C library, which works on devices where it was built with CUDA; the wheel's own core works on the host. As hgrid.h."""
from __future__ import annotations

import ctypes
import os
from ctypes import c_char_p, c_double, c_int32, c_int64, c_size_t, c_void_p
from typing import Any

from ._dlpack import Memory
from ._errors import StateError, error_of


class Struct(ctypes.Structure):
    """A struct that begins with its size."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(ctypes.sizeof(type(self)), **fields)


class Array(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("type", c_int32), ("ndim", c_int32), ("shape", c_int64 * 3), ("stride", c_int64 * 3),
                ("strided", c_int32), ("device_type", c_int32), ("device_id", c_int32), ("reserved", c_int32)]

    @classmethod
    def of(cls, memory: Memory) -> Array:
        ndim = min(len(memory.shape), 3)  # of one that has more the library sees only how many
        shape, strides = (c_int64 * 3)(*memory.shape[:ndim]), (c_int64 * 3)(*memory.strides[:ndim])
        return cls(memory.address or None, memory.type, len(memory.shape), shape, strides, 1, *memory.device, 0)


class _Error(Struct):
    _fields_ = [("struct_size", c_size_t), ("message", c_char_p), ("argument", c_char_p), ("index", c_int64), ("count", c_int64),
                ("needed", c_int64), ("value", c_double), ("code", c_int32), ("reserved", c_int32)]


class LevelSpec(ctypes.Structure):
    _fields_ = [("radius_max", c_double), ("cell_size", c_double * 3)]


class Options(Struct):
    _fields_ = [("struct_size", c_size_t), ("dimension", c_int32), ("threads", c_int32), ("rule", c_int32),
                ("direction", c_int32), ("keys", c_int32), ("table", c_int32), ("device_type", c_int32),
                ("device_id", c_int32), ("levels", ctypes.POINTER(LevelSpec)), ("level_count", c_int64), ("stream", c_void_p)]


class Box(Struct):
    _fields_ = [("struct_size", c_size_t), ("lo", c_double * 3), ("hi", c_double * 3), ("tilt", c_double * 3),
                ("vectors", ctypes.POINTER(c_double)), ("periodic", c_int32 * 3), ("reserved", c_int32)]


class Particles(Struct):
    _fields_ = [("struct_size", c_size_t), ("positions", Array), ("columns", Array * 3), ("radii", Array), ("extra", Array),
                ("group", Array), ("active", Array), ("excluded_pairs", Array), ("excluded_begin", Array), ("excluded_ids", Array),
                ("types", Array), ("cutoffs", Array), ("world", Array), ("radius_scale", c_double), ("ghosts", c_int32),
                ("nonfinite", c_int32), ("worlds", c_int32), ("active_bits", c_int32)]


class PairList(Struct):
    _fields_ = [("struct_size", c_size_t), ("size", c_int64), ("pairs", c_void_p), ("images", c_void_p)]


class NeighbourList(Struct):
    _fields_ = [("struct_size", c_size_t), ("lists", c_int64), ("size", c_int64), ("offsets", c_void_p), ("neighbours", c_void_p),
                ("images", c_void_p)]


class Regions(Struct):
    _fields_ = [("struct_size", c_size_t), ("lo", Array), ("hi", Array), ("radius", Array), ("world", Array), ("take", c_int32),
                ("reserved", c_int32), ("radius_scale", c_double), ("one_radius", c_double)]


class Matrix(Struct):
    _fields_ = [("struct_size", c_size_t), ("neighbours", Array), ("counts", Array), ("images", Array), ("padding", c_int64)]


class Measured(Struct):
    _fields_ = [("struct_size", c_size_t), ("positions", Array), ("pairs", Array), ("images", Array), ("distances", Array),
                ("vectors", Array)]


class EntryOptions(Struct):
    _fields_ = [("struct_size", c_size_t), ("kind", c_int32), ("all", c_int32), ("itself", c_int32), ("swapped", c_int32),
                ("images", c_int32), ("distances", c_int32), ("vectors", c_int32), ("reserved", c_int32)]


class EntryList(Struct):
    _fields_ = [("struct_size", c_size_t), ("lists", c_int64), ("size", c_int64), ("offsets", c_void_p), ("ids", c_void_p),
                ("images", c_void_p), ("distances", c_void_p), ("vectors", c_void_p)]


class PlanReport(Struct):
    _fields_ = [("struct_size", c_size_t), ("particles", c_int64), ("skipped", c_int64), ("bytes", c_int64), ("skin", c_double),
                ("dense_cost", c_double), ("compacted_cost", c_double), ("levels", c_int32), ("islands", c_int32),
                ("direction", c_int32), ("keys", c_int32), ("table", c_int32), ("weighed", c_int32)]


class LevelReport(Struct):
    _fields_ = [("struct_size", c_size_t), ("radius_max", c_double), ("radius_bound", c_double), ("cell_size", c_double * 3),
                ("particles", c_int64)]


class VerletCounters(Struct):
    _fields_ = [("struct_size", c_size_t), ("steps", c_int64), ("checks", c_int64), ("builds", c_int64), ("dangerous", c_int64),
                ("overtaken", c_int64), ("bytes", c_int64), ("disorder", c_double), ("skin", c_double)]


class Validity(Struct):
    _fields_ = [("struct_size", c_size_t), ("excess", c_double), ("value", c_double), ("first", c_int64), ("dirty", c_int64),
                ("changed", c_int64), ("present", c_int64), ("expected", c_int64), ("holds", c_int32), ("comparable", c_int32)]


class VerletOptions(Struct):
    _fields_ = [("struct_size", c_size_t), ("skin", c_double), ("payload", c_int64), ("kind", c_int32), ("choose_skin", c_int32),
                ("no_rebuild", c_int32), ("check_every", c_int32)]


class History(Struct):
    _fields_ = [("struct_size", c_size_t), ("size", c_int64), ("size_before", c_int64), ("from_", c_void_p), ("payload", c_void_p)]


_loaded: ctypes.CDLL | None = None


def _library() -> ctypes.CDLL:
    """HGRID_C_LIBRARY, or the one that the system finds."""
    global _loaded
    if _loaded is None:
        from ctypes.util import find_library  # whose import takes some 15 ms

        name = os.environ.get("HGRID_C_LIBRARY") or find_library("hgrid_c") or "libhgrid_c.so"
        try:
            _loaded = ctypes.CDLL(name)
        except OSError as why:
            raise StateError(f"arrays on a device need hgrid's C library, built with CUDA: {why}. HGRID_C_LIBRARY says where it is",
                             "device") from None
        for handle in ("hgrid_destroy", "hgrid_verlet_destroy"):
            getattr(_loaded, handle).argtypes, getattr(_loaded, handle).restype = [c_void_p], None
        _loaded.hgrid_status_name.restype = c_char_p
    return _loaded


def call(function: str, *arguments: Any) -> None:
    """Calls a function of hgrid.h that returns a status. Raises what it says."""
    library = _library()
    status = getattr(library, function)(*arguments)
    if status == 0:
        return
    e = _Error()
    library.hgrid_last_error(ctypes.byref(e))
    raise error_of(library.hgrid_status_name(status).decode(), e.message.decode(), e.argument.decode(), e.index, e.value, e.count,
                   e.needed)


class Handle:
    """A grid or a list of the library's, which is destroyed when nobody holds it."""

    def __init__(self, create: str, destroy: str, *arguments: Any) -> None:
        self.pointer = c_void_p()
        self._destroy = destroy
        call(create, *arguments, ctypes.byref(self.pointer))

    def __del__(self) -> None:
        if self.pointer.value and _loaded is not None:
            getattr(_loaded, self._destroy)(self.pointer)

    def save(self, function: str) -> bytes:
        memory, size = c_void_p(), c_int64()
        call(function, self.pointer, ctypes.byref(memory), ctypes.byref(size))
        return ctypes.string_at(memory, size.value)

    def restore(self, function: str, checkpoint: bytes) -> None:
        call(function, self.pointer, checkpoint, c_int64(len(checkpoint)))
