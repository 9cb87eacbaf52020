# SPDX-License-Identifier: BSD-3-Clause
"""What a build on the host takes, as the core reads it."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import AnyArray, as_numpy, integers, readable, reals, require_reals, require_shape
from ._checks import fail
from ._given import MOST_WORLDS, Given


def positions(x: Any, argument: str = "x") -> AnyArray:
    """[n, 2] or [n, 3] real numbers, with any strides."""
    array = require_reals(as_numpy(x, argument), argument)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        if array.size == 0 and array.ndim == 1:
            return array.reshape(0, 3)
        raise fail(argument, f"has shape {array.shape}; (n, 2) or (n, 3) is needed", code="size_mismatch")
    return array


def _exclusions(exclude: Any, n: int) -> tuple[AnyArray | None, AnyArray | None]:
    """(ids or pairs, begins or None): from pairs [m, 2] in any order, or from lists (offsets, indices)."""
    if exclude is None:
        return None, None
    exclude = getattr(exclude, "ij", exclude)
    if hasattr(exclude, "offsets"):
        exclude = (exclude.offsets, exclude.indices)
    if isinstance(exclude, tuple) and len(exclude) == 2:
        ids = require_shape(integers(exclude[1], "exclude[1]"), "exclude[1]", None)
        return ids, integers(exclude[0], "exclude[0]", n + 1, np.int64)
    pairs = require_shape(integers(exclude, "exclude"), "exclude", None, 2)
    return np.ascontiguousarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]), None


def _flags(active: Any, bits: int | None, n: int) -> AnyArray | None:
    if active is None:
        return None
    flags = as_numpy(active, "active")
    if flags.dtype.kind not in "biu":
        raise fail("active", f"is an array of {flags.dtype}; flags are needed, such as active > 0")
    if bits is not None:
        return integers(flags, "active", n, np.uint8)
    return np.ascontiguousarray(require_shape(flags, "active", n) != 0).view(np.uint8)


def real_type(x: AnyArray, given: Given) -> np.dtype[Any]:
    """That in which the core reads them."""
    more = (require_reals(as_numpy(array, name), name) for array, name in ((given.r, "r"), (given.extra, "extra")) if array is not None)
    return np.result_type(x.dtype, *(array.dtype for array in more if array.ndim > 0))


def _number_of_worlds(of: AnyArray) -> int:
    """That of the largest number; a negative one is the core's to name."""
    most = max(int(of.max(initial=0)), 0)
    if most >= MOST_WORLDS:
        raise fail(f"world[{int(of.argmax())}]", f"is {most}; numbers below 2^20 are possible", int(of.argmax()), most,
                   "range_error")
    return most + 1


def particles(x: AnyArray, given: Given) -> _core.Particles:
    """Those given, with x as `positions` gives it."""
    n = len(x)
    given.checked(n)
    radii: AnyArray | None = require_reals(as_numpy(given.r, "r"), "r")
    if radii is not None and radii.ndim > 0:
        scale = given.scale()
        require_shape(radii, "r", n)
    elif (scale := given.scaled()) > 0:
        radii = None  # one for all
    else:
        scale, radii = 1.0, np.broadcast_to(np.zeros((), x.dtype), (n,))
    margins = None if given.extra is None else require_reals(as_numpy(given.extra, "extra"), "extra")
    real = real_type(x, given)
    if margins is not None and margins.ndim == 0:
        margins = np.full(n, margins)
    if margins is not None:
        margins = np.ascontiguousarray(require_shape(margins, "extra", n), real)
    flags = _flags(given.active, given.active_bits, n)
    ids, begins = _exclusions(given.exclude, n)
    table = None
    if given.cutoffs is not None:
        table = reals(given.cutoffs, "cutoffs", None, None)
        require_shape(table, "cutoffs", len(table), len(table))
        if not 1 <= len(table) <= 4096:
            raise fail("cutoffs", f"is a table of {len(table)} types; 1 to 4096 are possible")
    of = None if given.world is None else integers(given.world, "world", n)
    worlds = 0 if of is None else given.worlds or _number_of_worlds(of)
    group = None if given.group is None else integers(given.group, "group", n)
    types = None if given.types is None else integers(given.types, "types", n)
    pairs, ids = (None, ids) if begins is not None else (ids, None)
    return _core.Particles(readable(x, real), None if radii is None else readable(radii, real), scale, margins, group, flags,
                           given.active_bits or 0, 0 if given.owned is None else n - given.owned, given.nonfinite == "skip",
                           pairs, begins, ids, types, table, of, worlds)
