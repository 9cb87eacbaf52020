# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on the host as the core reads them, and its results."""
from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from . import _core
from ._arrays import AnyArray, as_numpy, integers, like, reals
from ._checks import LARGEST, fail, is_number, number, shown
from ._errors import counted
from ._given import Given, require_columns
from ._particles import excluded, other_reals, particles, positions, real_type


class Host:
    library, number, stream, where = "", 0, 0, " on the host"

    def __init__(self) -> None:
        self._like: Any = None  # an array of the user's framework

    def columns_of(self, x: Any) -> int:
        shape = getattr(x, "shape", None)  # which tells it without reading x, that may be a file
        if isinstance(shape, tuple) and len(shape) == 2 and shape[1] in (2, 3):
            return int(shape[1])
        return int(positions(x).shape[1])

    def particles(self, given: Given, dimension: int) -> tuple[_core.Particles, int]:
        x = positions(given.x)
        require_columns(x.shape[1], dimension)
        return particles(x, given), len(x)

    def widened(self, given: Given, margin: Any) -> Given:
        """With margins besides extra distances."""
        array = positions(given.x)
        room = reals(margin, "margin") if not is_number(margin) else np.asarray(number(margin, "margin"))
        if room.shape not in ((), (len(array),)):
            raise fail("margin", f"has shape {room.shape}; ({len(array)},) is needed", code="size_mismatch")
        bad = np.flatnonzero(~((room >= 0) & (room <= LARGEST)))
        if len(bad) > 0:
            k = int(bad[0])
            raise fail(f"margin[{k}]", f"is {room[k]}; margins are from 0 to {LARGEST:g}", k, float(room[k]))
        extra = room if given.extra is None else room + as_numpy(given.extra, "extra")
        return replace(given, extra=np.asarray(extra, real_type(array, *other_reals(given))))

    def regions(self, lo: Any, hi: Any, radius: Any, world: Any, dimension: int) -> tuple[Any, Any, Any, float, Any]:
        low = reals(lo, "points" if hi is None else "lo", None, dimension)
        high = None if hi is None else reals(hi, "hi", len(low), dimension)
        of = None if world is None else integers(world, "world", len(low))
        if radius is None or is_number(radius):
            return low, high, None, 0.0 if radius is None else number(radius, "radius"), of
        return low, high, reals(radius, "radius", len(low)), 0.0, of

    def excluded(self, exclude: Any, n: int) -> dict[str, Any]:
        return {} if exclude is None else excluded(exclude, n)

    def single(self, x: Any, r: Any, world: Any, dimension: int) -> tuple[Any, Any, Any]:
        """Particles that are asked one by one."""
        at = reals(x, "x", None, dimension)
        radii = np.full(len(at), number(r, "r")) if is_number(r) else reals(r, "r", len(at))
        return at, radii, None if world is None else np.ascontiguousarray(integers(world, "world", len(at)))

    def points(self, points: Any, world: Any, dimension: int) -> tuple[Any, Any]:
        """Points that ask for their nearest particles; none: the particles themselves."""
        if points is None:
            if world is not None:
                raise fail("world", "is for points, and there are none")
            return None, None
        at = reals(points, "points", None, dimension)
        return at, None if world is None else np.ascontiguousarray(integers(world, "world", len(at)))

    def took(self, x: Any, grid: _core.Grid) -> None:
        self._like = x

    def give(self, result: AnyArray | None, grid: _core.Grid) -> Any:
        return None if result is None else like(result, self._like)

    def give_all(self, results: tuple[Any, ...], grid: _core.Grid) -> tuple[Any, ...]:
        return results if type(self._like) is np.ndarray else tuple(self.give(result, grid) for result in results)

    def put(self, array: AnyArray, grid: _core.Grid) -> Any:
        return like(array, self._like)

    def carry(self, grid: _core.Grid, core: _core.List | _core.Mesh, values: Any, fresh: Any) -> Any:
        """Values of any type that numpy has."""
        origins, before = core.origins()
        old = np.zeros(0) if values is None else as_numpy(values, "values")
        n = len(old) if old.ndim > 0 else -1
        if n != before:
            had = f"has {counted(n, 'entry', 'entries')}" if n >= 0 else f"is one number, {shown(values)}"
            raise fail("values", f"{had}; the list before this one had {before}", -1, n, "size_mismatch")
        new = np.empty((len(origins), *old.shape[1:]), old.dtype)
        try:
            np.copyto(new, _of_type(fresh, old.dtype), casting="unsafe")
        except (TypeError, ValueError, OverflowError):
            raise fail("fresh", f"is {shown(fresh)}, which is none of the values: these are of {old.dtype} and of shape "
                       f"{old.shape[1:]}") from None
        kept = origins >= 0
        new[kept] = old[origins[kept]]
        return like(new, self._like if values is None else values)


def _of_type(fresh: Any, dtype: np.dtype[Any]) -> AnyArray:
    """A value as one of that type; ValueError if it would be another one, such as 0 for 0.5."""
    if dtype.kind not in "biufc":  # of several fields, dates, ...: numpy's own rules
        return np.full((), fresh, dtype)
    given = np.asarray(fresh)
    if np.can_cast(given.dtype, dtype, "same_kind"):
        return given
    with warnings.catch_warnings():  # of numpy's, about parts that are lost
        warnings.simplefilter("ignore")
        cast = given.astype(dtype)
    if not np.array_equal(cast, given):
        raise ValueError
    return cast
