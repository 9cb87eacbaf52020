# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of any framework on a CUDA device as hgrid's C library reads them there, and its results in that framework."""
from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np

from . import _core
from ._arrays import described, device_number, is_on_device
from ._checks import fail, is_number, number, shown
from ._errors import Error, StateError
from ._frameworks import Framework
from ._given import MOST_WORLDS, WHOLE, Given, exclusions, require_columns

CUDA = 2  # DLPack's number
_REALS = "float64", "float32"
_FIELDS = {"x": "positions", "r": "radii", "extents": "extents", "extra": "extra"}  # of hgrid.h


def _library() -> str:
    """HGRID_C_LIBRARY, the one of a wheel with CUDA, or the one that the system finds."""
    given = os.environ.get("HGRID_C_LIBRARY")
    if given:
        return given
    beside = os.path.join(os.path.dirname(__file__), "libhgrid_c.so")
    if os.path.exists(beside):
        return beside
    from ctypes.util import find_library  # whose import takes some 15 ms

    return find_library("hgrid_c") or "libhgrid_c.so"


def require_on_device(array: Any, name: str) -> None:
    if is_on_device(array):
        return
    if array is None or is_number(array) or isinstance(array, (str, bytes, dict)):
        raise fail(name, f"is {shown(array)}; an array on the device is needed")
    raise fail(name, "is on the host; the grid works on the device of its first arrays", code="unsupported")


def _require_range(array: Any, name: str, kind: str) -> None:
    """Whole numbers that do not fit are refused, not wrapped."""
    limits, framework = np.iinfo(kind), Framework(array)
    for value in (framework.least(array), framework.most(array)):
        if not limits.min <= value <= limits.max:
            raise fail(name, f"has {value:.0f}; numbers of {limits.bits} bits are needed", -1, value, "range_error")


class Device:
    """The device of x. Work is ordered on the stream, or on the present stream of the framework of x."""

    def __init__(self, x: Any, stream: int | None) -> None:
        self._framework = Framework(x)
        self.library = _library()
        self.number = device_number(x)
        self.stream = stream if stream is not None else self._framework.stream or 0
        self.where = f" on device {CUDA}:{self.number}"
        try:
            _core.load(self.library)
        except Error as why:
            raise StateError(f"arrays on a device need hgrid's C library, built with CUDA: {why}. HGRID_C_LIBRARY says where it is",
                             "device") from None

    def columns_of(self, x: Any) -> int:
        """2 or 3. The library checks everything else of x."""
        require_on_device(x, "x")
        return 2 if len(x.shape) == 2 and x.shape[1] == 2 else 3

    def there(self, array: Any, name: str, *kinds: str) -> Any:
        """A capsule of DLPack, to be read on the stream. Real and whole numbers that are of none of these types are copied, into the
        first of them. No types: any."""
        require_on_device(array, name)
        number = device_number(array)
        if number != self.number:
            raise fail(name, f"is on device {number}; the grid works on device {self.number}", -1, number, "unsupported")
        kind = described(array)
        if kinds and kind not in kinds and kind.startswith(("int", "uint", "float") if kinds[0] in _REALS else ("int", "uint")):
            if kinds[0] not in _REALS:
                _require_range(array, name, kinds[0])
            array = Framework(array).converted(array, kinds[0])
        given = array.detach() if hasattr(array, "detach") else array  # torch: without gradients
        try:
            return given.__dlpack__(stream=self.stream or 1)
        except (BufferError, TypeError, ValueError, RuntimeError) as error:  # of a framework, such as for types that DLPack lacks
            raise fail(name, f"cannot be read by DLPack: {' '.join(str(error).split())}") from None

    def particles(self, given: Given, dimension: int) -> tuple[_core.Particles, int]:
        require_columns(self.columns_of(given.x), dimension)
        n = int(given.x.shape[0]) if given.x.shape else 0
        given.checked(n)
        reals = {"x": given.x}
        name, sizes = given.sizes
        if name == "r" and is_number(sizes):
            scale = given.scaled()
            if not scale > 0:
                raise fail("r", f"is {sizes}; one radius for all must be above 0 on a device", -1, float(sizes), "unsupported")
        else:
            scale = given.scale()
            reals[name] = sizes
        if given.extra is not None:
            reals["extra"] = given.extra
        worlds = 0 if given.world is None else given.worlds or _number_of_worlds(given.world)
        flags = ("uint8",) if given.active_bits is not None else ("uint8", "bool")
        held: dict[str, Any] = {}
        fields = [(_FIELDS[name], name, array, self._real_types(reals)) for name, array in reals.items()]
        fields += [(name, name, getattr(given, name), ("int32",)) for name in WHOLE]
        fields += [("active", "active", given.active, flags), ("cutoffs", "cutoffs", given.cutoffs, ("float64",))]
        for field, name, array, types in fields:
            if array is not None:
                held[field] = self.there(array, name, *types)
        return given.for_core(n, held | self.excluded(given.exclude, n), scale, worlds), n

    def excluded(self, exclude: Any, n: int) -> dict[str, Any]:
        fields = zip(("excluded_pairs", "excluded_begin", "excluded_ids"), exclusions(exclude), ("int32", "int64", "int32"))
        return {field: self.there(array, "exclude", kind) for field, array, kind in fields if array is not None}

    @staticmethod
    def _real_types(reals: dict[str, Any]) -> tuple[str, ...]:
        """The types that the library may read: the common type of all arrays, or float64."""
        kinds = {described(array) for array in reals.values() if hasattr(array, "dtype")}
        return _REALS if kinds == {"float32"} else ("float64",)

    def widened(self, given: Given, margin: Any) -> Given:
        """With margins besides extra distances, in the type in which the particles are read."""
        require_on_device(margin, "margin")
        reals = {name: array for name, array in (("x", given.x), given.sizes, ("extra", given.extra)) if is_on_device(array)}
        total = margin if given.extra is None else margin + given.extra
        return replace(given, extra=Framework(given.x).converted(total, "float32" if self._real_types(reals) == _REALS else "float64"))

    def regions(self, lo: Any, hi: Any, radius: Any, world: Any, dimension: int) -> tuple[Any, Any, Any, float, Any]:
        one = number(radius, "radius") if radius is not None and is_number(radius) else 0.0
        low = self.there(lo, "points" if hi is None else "lo", *_REALS)
        high = None if hi is None else self.there(hi, "hi", *_REALS)
        round_by = None if radius is None or is_number(radius) else self.there(radius, "radius", *_REALS)
        return low, high, round_by, one, None if world is None else self.there(world, "world", "int32")

    def single(self, x: Any, r: Any, world: Any, dimension: int) -> tuple[Any, Any, Any]:
        raise fail("grid", "works on a device; insertions are for hosts", code="unsupported")

    def points(self, points: Any, world: Any, dimension: int) -> tuple[Any, Any]:
        raise fail("grid", "works on a device; the nearest are found on hosts", code="unsupported")

    def took(self, x: Any, grid: _core.Grid) -> None:
        """Arrays that the user gets back may be written to at once, on the stream of their framework."""
        self._framework = Framework(x)
        if self._on_another_stream():
            grid.wait()

    def give(self, result: Any, grid: _core.Grid) -> Any:
        if result is None:
            return None
        elsewhere = self._on_another_stream()
        if elsewhere:
            grid.wait()
        whole, shown = result if isinstance(result, tuple) else (result, None)  # rows that are longer than what is shown of them
        array = self._framework.taken(whole, elsewhere)
        return array if shown is None else array[..., :shown]

    def give_all(self, results: tuple[Any, ...], grid: _core.Grid) -> tuple[Any, ...]:
        return tuple(self.give(result, grid) for result in results)

    def put(self, array: Any, grid: _core.Grid) -> Any:
        return self.give(grid.put(array), grid)

    def _on_another_stream(self) -> bool:
        return self._framework.stream != self.stream

    def carry(self, grid: _core.Grid, core: _core.List | _core.Mesh, values: Any, fresh: Any) -> Any:
        """Values of numbers."""
        if values is None:
            return self.give(core.carry(None, _bytes_of(fresh, "float64")), grid)
        capsule = self.there(values, "values")
        return self.give(core.carry(capsule, _bytes_of(fresh, described(values))), grid)


def _bytes_of(fresh: Any, kind: str) -> bytes | None:
    """One number of that type; None for zero."""
    if fresh is None or not np.any(fresh):
        return None
    try:
        dtype = np.dtype(kind)
    except TypeError:
        raise fail("fresh", f"is {fresh!r}; one number is needed, 0 for values of this type", code="unsupported") from None
    if np.ndim(fresh) > 0:
        raise fail("fresh", "must be one number", code="unsupported")
    return np.asarray(fresh, dtype).tobytes()


def _number_of_worlds(of: Any) -> int:
    """The largest number plus one. The library names a negative number in its error."""
    require_on_device(of, "world")
    most = max(int(Framework(of).most(of)), 0)
    if most >= MOST_WORLDS:
        raise fail("world", f"has {most}; numbers below 2^20 are possible", -1, most, "range_error")
    return most + 1


def list_ids(offsets: Any, size: int) -> Any:
    """The list of each of so many entries. [size] int32"""
    place = Device(offsets, None)
    grid = _core.Grid(place.library, place.number, place.stream, 3, None, 0, (0, 0, 0, 0), [])
    return place.give(grid.list_ids(place.there(offsets, "offsets", "int64"), size), grid)
