# SPDX-License-Identifier: BSD-3-Clause
"""What a build takes, as the core reads it."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arrays import AnyArray, as_numpy, fail, integers, readable, reals, require_reals, require_shape


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
        return integers(exclude[1], "exclude"), integers(exclude[0], "exclude", n + 1, np.int64)
    pairs = require_shape(integers(exclude, "exclude"), "exclude", None, 2)
    return np.ascontiguousarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]), None


def particles(x: AnyArray, r: Any, *, extra: Any = None, group: Any = None, active: Any = None, owned: int | None = None,
              nonfinite: str = "error", radius_scale: float = 1.0, exclude: Any = None, types: Any = None, cutoffs: Any = None,
              world: Any = None, worlds: int | None = None) -> _core.Particles:
    """x as `positions` gives it. A single radius serves all, exactly, also where x is of float32."""
    n = len(x)
    radii = require_reals(as_numpy(r, "r"), "r")
    scale = float(radius_scale)
    if radii.ndim == 0:
        if not 0 <= float(radii) < np.inf:
            raise fail("r", f"is {float(radii)}; it must be finite and not negative", -1, float(radii),
                       "negative_radius" if float(radii) < 0 else "nonfinite")
        scale, radii = (scale * float(radii), np.ones((), x.dtype)) if float(radii) > 0 else (scale, np.zeros((), x.dtype))
        radii = np.broadcast_to(radii, (n,))
    require_shape(radii, "r", n)
    margins = None if extra is None else require_reals(as_numpy(extra, "extra"), "extra")
    if margins is not None and margins.ndim == 0:
        margins = np.full(n, margins)
    kinds = (x.dtype, radii.dtype) if margins is None else (x.dtype, radii.dtype, margins.dtype)
    real = np.result_type(*kinds)
    if margins is not None:
        margins = np.ascontiguousarray(require_shape(margins, "extra", n), real)
    flags = None
    if active is not None:
        flags = as_numpy(active, "active")
        if flags.dtype.kind not in "biu":
            raise fail("active", f"is an array of {flags.dtype}; flags are needed")
        flags = np.ascontiguousarray(require_shape(flags, "active", n) != 0).view(np.uint8)
    if nonfinite not in ("error", "skip"):
        raise fail("nonfinite", f"is {nonfinite!r}; it must be 'error' or 'skip'")
    if owned is not None and not 0 <= owned <= n:
        raise fail("owned", f"is {owned}; there are {n} particles", -1, owned, "size_mismatch")
    ids, begins = _exclusions(exclude, n)
    if (types is None) != (cutoffs is None):
        raise fail("cutoffs", "and types belong together")
    table = None
    if cutoffs is not None:
        table = reals(cutoffs, "cutoffs", None, None)
        require_shape(table, "cutoffs", len(table), len(table))
        if not 1 <= len(table) <= 4096:
            raise fail("cutoffs", f"is a table of {len(table)} types; 1 to 4096 are possible")
    of = None if world is None else integers(world, "world", n)
    if worlds is None:
        worlds = 0 if of is None else int(of.max(initial=0)) + 1
    elif of is None:
        raise fail("worlds", "needs world, which says of which world each particle is")
    if of is not None and not 1 <= worlds <= 1 << 20:
        raise fail("worlds", f"is {worlds}; 1 to 2^20 are possible", -1, worlds)
    groups, kinds_of = (None if ints is None else integers(ints, name, n) for ints, name in ((group, "group"), (types, "types")))
    return _core.Particles(readable(x, real), readable(radii, real), scale, margins, groups, flags, -1 if owned is None else owned,
                           nonfinite == "skip", ids, begins, kinds_of, table, of, worlds)
