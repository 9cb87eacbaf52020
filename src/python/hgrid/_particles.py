# SPDX-License-Identifier: BSD-3-Clause
"""What a build on the host takes, as the core reads it."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import AnyArray, as_numpy, integers, readable, real_numbers, reals, require_shape
from ._checks import fail, number
from ._given import MOST_WORLDS, WHOLE, Given, exclusions


def positions(x: Any, argument: str = "x") -> AnyArray:
    """[n, 2] or [n, 3] real numbers, with any strides."""
    array = real_numbers(x, argument)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        if array.size == 0 and array.ndim == 1:
            return array.reshape(0, 3)
        raise fail(argument, f"has shape {array.shape}; (n, 2) or (n, 3) is needed", code="size_mismatch")
    return array


def excluded(exclude: Any, n: int) -> dict[str, AnyArray]:
    """From pairs [m, 2] in any order, or from lists (offsets, indices)."""
    pairs, begin, ids = exclusions(exclude)
    if pairs is None:
        ids = require_shape(integers(ids, "exclude[1]"), "exclude[1]", None)
        return {"excluded_begin": integers(begin, "exclude[0]", n + 1, np.int64), "excluded_ids": ids}
    pairs = require_shape(integers(pairs, "exclude"), "exclude", None, 2)
    return {"excluded_pairs": np.ascontiguousarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))])}


def _flags(active: Any, bits: int | None, n: int) -> AnyArray:
    flags = as_numpy(active, "active")
    if flags.dtype.kind not in "biu":
        raise fail("active", f"is an array of {flags.dtype}; flags are needed, such as active > 0")
    if bits is not None:
        return integers(flags, "active", n, np.uint8)
    return np.ascontiguousarray(require_shape(flags, "active", n) != 0).view(np.uint8)


def other_reals(given: Given) -> tuple[AnyArray, AnyArray | None]:
    """Radii or extents, and extra distances."""
    name, sizes = given.sizes
    return real_numbers(sizes, name), None if given.extra is None else real_numbers(given.extra, "extra")


def real_type(x: AnyArray, *more: AnyArray | None) -> np.dtype[Any]:
    """The type in which the core reads the arrays. One number for all particles does not count."""
    kinds = {x.dtype, *(array.dtype for array in more if array is not None and array.ndim > 0)}
    return np.result_type(*kinds) if len(kinds) > 1 else x.dtype


def _extents(given: AnyArray, particles: Given, shape: tuple[int, ...], real: np.dtype[Any]) -> tuple[float, AnyArray]:
    """For each particle, a row for all, or a number for all axes of all, and their scale."""
    if given.ndim == 0:
        scale = particles.scaled()
        return scale or 1.0, np.broadcast_to(np.full((), scale != 0, real), shape)
    if given.ndim == 1:
        require_shape(given, "extents", shape[1])
        for k in range(shape[1]):
            number(given[k], f"extents[{k}]")
        given = np.broadcast_to(given, shape)
    require_shape(given, "extents", *shape)
    return particles.scale(), given if given.dtype is real else readable(given, real)


def _number_of_worlds(of: AnyArray) -> int:
    """The largest number plus one. The core names a negative number in its error."""
    most = max(int(of.max(initial=0)), 0)
    if most >= MOST_WORLDS:
        raise fail(f"world[{int(of.argmax())}]", f"is {most}; numbers below 2^20 are possible", int(of.argmax()), most,
                   "range_error")
    return most + 1


def particles(x: AnyArray, given: Given) -> _core.Particles:
    """The given particles, with x as `positions` gives it."""
    n = len(x)
    given.checked(n)
    sizes, margins = other_reals(given)
    real = real_type(x, sizes, margins)
    arrays = {"positions": x if x.dtype is real else readable(x, real)}
    if given.extents is not None:
        scale, arrays["extents"] = _extents(sizes, given, x.shape, real)
    elif sizes.ndim > 0:
        scale = given.scale()
        require_shape(sizes, "r", n)
        arrays["radii"] = sizes if sizes.dtype is real else readable(sizes, real)
    elif (scale := given.scaled()) == 0:  # else the scale serves all
        scale, arrays["radii"] = 1.0, np.broadcast_to(np.zeros((), real), (n,))
    if margins is not None:
        margins = np.full(n, margins) if margins.ndim == 0 else require_shape(margins, "extra", n)
        arrays["extra"] = np.ascontiguousarray(margins, real)
    if given.active is not None:
        arrays["active"] = _flags(given.active, given.active_bits, n)
    if given.exclude is not None:
        arrays |= excluded(given.exclude, n)
    if given.cutoffs is not None:
        table = arrays["cutoffs"] = reals(given.cutoffs, "cutoffs", None, None)
        require_shape(table, "cutoffs", len(table), len(table))
        if not 1 <= len(table) <= 4096:
            raise fail("cutoffs", f"is a table of {len(table)} types; 1 to 4096 are possible")
    for name in WHOLE:
        array = getattr(given, name)
        if array is not None:
            arrays[name] = integers(array, name, n)
    worlds = 0 if given.world is None else given.worlds or _number_of_worlds(arrays["world"])
    return given.for_core(n, arrays, scale, worlds)
