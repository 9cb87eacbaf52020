# SPDX-License-Identifier: BSD-3-Clause
"""What a build on a device takes, as hgrid's C library reads it there."""
from __future__ import annotations

import ctypes
from typing import Any, Callable

import numpy as np

from . import _clib
from ._arrays import is_on_device
from ._box import Box
from ._checks import choice, fail, is_number, shown
from ._dlpack import Memory, memory_of
from ._frameworks import Framework
from ._given import MOST_WORLDS, Given

INT32, INT64, UINT8, FLOAT32, FLOAT64, BOOL = 0x020, 0x040, 0x108, 0x220, 0x240, 0x608  # DLPack's code * 256 + bits
_NAMES = {INT32: "int32", INT64: "int64", UINT8: "uint8", FLOAT64: "float64", FLOAT32: "float32"}
_REALS = FLOAT64, FLOAT32
_KINDS = "iuf??c?"  # numpy's letters for DLPack's codes


def memory_there(array: Any, name: str, device: tuple[int, int], stream: int, types: tuple[int, ...] = ()) -> Memory:
    """The memory of an array on that device, to be read on that stream. Real and whole numbers that are of none of these types are
    copied, into the first of them. No types: any."""
    require_on_device(array, name)
    try:
        memory = memory_of(array, stream)
    except (BufferError, TypeError, ValueError, RuntimeError) as error:  # of a framework, such as for types that DLPack lacks
        raise fail(name, f"cannot be read by DLPack: {' '.join(str(error).split())}") from None
    if memory.device[1] != device[1]:
        raise fail(name, f"is on device {memory.device[1]}; the grid works on device {device[1]}", -1, memory.device[1], "unsupported")
    if not types or memory.type in types or memory.type // 256 > 2 or (memory.type // 256 == 2 and types[0] not in _REALS):
        return memory
    if types[0] not in _REALS:
        _require_range(array, name, types[0])
    return memory_of(Framework(array).converted(array, _NAMES[types[0]]), stream)


def require_on_device(array: Any, name: str) -> None:
    if is_on_device(array):
        return
    if array is None or is_number(array) or isinstance(array, (str, bytes, dict)):
        raise fail(name, f"is {shown(array)}; an array on the device is needed")
    raise fail(name, "is on the host; the grid works on the device of its first arrays", code="unsupported")


def _require_range(array: Any, name: str, to: int) -> None:
    """Whole numbers that do not fit are refused, not wrapped."""
    limits, framework = np.iinfo(_NAMES[to]), Framework(array)
    for value in (framework.least(array), framework.most(array)):
        if not limits.min <= value <= limits.max:
            raise fail(name, f"has {value:.0f}; numbers of {limits.bits} bits are needed", -1, value, "range_error")


def columns_of(x: Any) -> int:
    """2 or 3, whatever x is otherwise: the library looks at it."""
    return 2 if len(x.shape) == 2 and x.shape[1] == 2 else 3


def box_of(box: Box, dimension: int) -> _clib.Box:
    """For a grid of that dimension, which the library cannot compare."""
    if box.dimension != dimension and not box.is_open:
        raise fail("box", f"has {box.dimension} axes, the grid {dimension}", -1, box.dimension, "invalid_box")
    lo, hi, tilt, vectors, _, _ = box.facts()
    made = _clib.Box()
    made.lo[:len(lo)], made.hi[:len(hi)], made.tilt[:len(tilt)] = lo, hi, tilt
    made.periodic[:box.dimension] = [int(flag) for flag in box.periodic]
    if vectors:
        made.vectors = (ctypes.c_double * len(vectors))(*vectors)
    return made


class Inputs:
    """Particles, and the memory that must live as long as they do. `there(array, name, *types)` gives that."""

    def __init__(self, given: Given, there: Callable[..., Memory]) -> None:
        x = there(given.x, "x", *_REALS)
        n = x.shape[0] if x.shape else 0
        given.checked(n)
        self.count = n
        reals = {"x": x}
        if is_number(given.r):
            scale = given.scaled()
            if not scale > 0:
                raise fail("r", f"is {given.r}; one radius for all must be above 0 on a device", -1, float(given.r), "unsupported")
        else:
            scale = given.scale()
            reals["r"] = there(given.r, "r", *_REALS)
        if given.extra is not None:
            reals["extra"] = there(given.extra, "extra", *_REALS)
        if len({memory.type for memory in reals.values()}) > 1:  # the library reads one type
            reals = {name: there(getattr(given, name), name, FLOAT64) for name in reals}
        self.given = given
        self.held = list(reals.values())
        self.particles = _clib.Particles(radius_scale=scale, ghosts=0 if given.owned is None else n - given.owned,
                                         nonfinite=choice("nonfinite", given.nonfinite), active_bits=given.active_bits or 0)
        for field, name in (("positions", "x"), ("radii", "r"), ("extra", "extra")):
            if name in reals:
                setattr(self.particles, field, _clib.Array.of(reals[name]))
        exclude = getattr(given.exclude, "ij", given.exclude)
        if hasattr(exclude, "offsets"):
            exclude = exclude.offsets, exclude.indices
        begin, ids = exclude if isinstance(exclude, tuple) else (None, None)
        if given.world is not None:
            self.particles.worlds = given.worlds or _number_of_worlds(given.world)
        flags = (UINT8,) if given.active_bits is not None else (UINT8, BOOL)
        for field, name, array, types in (
                ("group", "group", given.group, (INT32,)), ("active", "active", given.active, flags),
                ("excluded_pairs", "exclude", exclude if begin is None else None, (INT32,)),
                ("excluded_begin", "exclude", begin, (INT64,)), ("excluded_ids", "exclude", ids, (INT32,)),
                ("types", "types", given.types, (INT32,)), ("cutoffs", "cutoffs", given.cutoffs, (FLOAT64,)),
                ("world", "world", given.world, (INT32,))):
            if array is not None:
                self.held.append(there(array, name, *types))
                setattr(self.particles, field, _clib.Array.of(self.held[-1]))


def _number_of_worlds(of: Any) -> int:
    """That of the largest number; a negative one is the library's to name."""
    require_on_device(of, "world")
    most = max(int(Framework(of).most(of)), 0)
    if most >= MOST_WORLDS:
        raise fail("world", f"has {most}; numbers below 2^20 are possible", -1, most, "range_error")
    return most + 1


def sum_of(given: Given, margin: Any, type_of_numbers: int) -> Any:
    """Extra distances and margins, in the type in which the particles are read."""
    require_on_device(margin, "margin")
    total = margin if given.extra is None else margin + given.extra
    return Framework(given.x).converted(total, _NAMES[type_of_numbers])


def number_of(fresh: Any, like: Memory) -> bytes | None:
    """One number of the type of that memory; None for zero. Raises `unsupported` if its bytes do not lie one after the other."""
    step = 1
    for size, stride in zip(reversed(like.shape), reversed(like.strides)):
        if size > 1 and stride != step:
            raise fail("values", "has strides; copy it into one piece", -1, stride, "unsupported")
        step *= size
    if fresh is None or not np.any(fresh):
        return None
    kind, size = _KINDS[like.type // 256], like.type % 256 // 8
    if like.type == BOOL:
        return bytes([1])
    if kind == "?" or np.ndim(fresh) > 0:
        raise fail("fresh", f"is {fresh!r}; one number is needed, 0 for values of this type" if kind == "?" else "must be one number",
                   code="unsupported")
    return np.asarray(fresh, f"{kind}{size}").tobytes()
