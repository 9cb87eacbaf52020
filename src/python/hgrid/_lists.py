# SPDX-License-Identifier: BSD-3-Clause
"""What the drop-in functions have in common: lists of entries nearer than a limit, measured as other codes measure them."""
from __future__ import annotations

import math
import operator
import threading
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import AnyArray, integers, is_on_device, real_numbers, require_shape
from ._box import Box
from ._checks import LARGEST, fail, number, shown
from ._engine import Engine
from ._errors import InputError, counted
from ._frameworks import Framework
from ._given import Given, Options
from ._particles import positions
from ._results import Entries, lexicographic_sign


class Limit(NamedTuple):
    """Which pairs are neighbors: pairs nearer than `cutoff`, or else than r_i + r_j, or than the cut-off of their types."""

    cutoff: float  # -1: none for all
    r: Any
    types: AnyArray | None = None
    cutoffs: AnyArray | None = None

    @property
    def reach(self) -> float:
        return self.cutoff if self.cutoff >= 0 else 2 * largest(self.r)

    def of(self, i: AnyArray, j: AnyArray) -> Any:
        if self.cutoff >= 0:
            return self.cutoff
        if self.cutoffs is not None and self.types is not None:
            return self.cutoffs[self.types[i], self.types[j]]
        return np.asarray(self.r, np.float64)[i] + np.asarray(self.r, np.float64)[j]

    def part(self, own: slice) -> Limit:
        """For some of the particles."""
        if self.cutoff >= 0:
            return self
        if self.types is None or self.cutoffs is None:
            return self._replace(r=self.r[own])
        there, types = np.unique(self.types[own], return_inverse=True)  # their cut-offs may be shorter than the largest of all types
        table = self.cutoffs[np.ix_(there, there)]
        return Limit(-1.0, 0.5 * table.max(axis=1, initial=0)[types], types.astype(np.int32), table)

    def said(self, error: InputError) -> InputError:
        """An error of the radii. Of a distance for all they are the halves, and none has an index that the user knows."""
        return error.renamed("r", indexed=False) if error.argument == "r" and self.cutoff >= 0 else error

    def arguments(self, copies: int = 1) -> dict[str, Any]:
        """The arguments of a build, for that number of copies of the system. Half of a cut-off is exact."""
        if self.cutoff >= 0:
            return {"r": 0.5 * self.cutoff}
        if copies == 1:
            return {"r": self.r, "types": self.types, "cutoffs": self.cutoffs}
        types = None if self.types is None else np.tile(self.types, copies)
        return {"r": np.tile(self.r, copies), "types": types, "cutoffs": self.cutoffs}


def points_of(x: Any, argument: str = "x") -> Any:
    """The points, as numpy's unless they are on a device."""
    if not is_on_device(x):
        return positions(x, argument)
    if len(x.shape) != 2 or x.shape[1] not in (2, 3):
        raise fail(argument, f"has shape {tuple(x.shape)}; (n, 2) or (n, 3) is needed", code="size_mismatch")
    return x


def largest(numbers: Any) -> float:
    """The size of the largest number."""
    if is_on_device(numbers):
        return max(Framework(numbers).most(numbers), -Framework(numbers).least(numbers))
    return _core.largest(numbers)


def limit_of(cutoff: Any, n: int, argument: str = "cutoff") -> Limit:
    """A number is a distance, an array are radii."""
    if type(cutoff) is float:  # as most are
        return Limit(_distance(cutoff, argument), None)
    if is_on_device(cutoff) and len(cutoff.shape) == 1:
        return Limit(-1.0, cutoff)
    if isinstance(cutoff, str) or cutoff is None:
        raise fail(argument, f"is {shown(cutoff)}; a distance, or radii, are needed")
    given = real_numbers(cutoff, argument)
    if given.ndim == 0:
        return Limit(_distance(cutoff, argument), None)
    return Limit(-1.0, require_shape(given, argument, n))


def _distance(cutoff: Any, argument: str) -> float:
    """Its half is a radius, for which the contract has a least one."""
    value = number(cutoff, argument)
    if 0 < value < 2e-15:
        raise fail(argument, f"is {value}; it must be 0, or from 2e-15 to {LARGEST:g}; rescale lengths", -1, value, "range_error")
    return value


def limit_by(cutoff: Any, numbers: Any, n: int) -> Limit:
    """A distance, radii, or distances by types: of a dict, or a matrix whose lines and columns the numbers count."""
    if isinstance(cutoff, dict):
        return limit_of_types(cutoff, numbers, n)
    if type(cutoff) is not float and len(getattr(cutoff, "shape", ())) == 2 and not is_on_device(cutoff):
        table = require_shape(real_numbers(cutoff, "cutoff"), "cutoff", len(cutoff), len(cutoff))
        if numbers is None:
            raise fail("numbers", "says of which type each particle is, which a cutoff by types needs")
        known = np.unique(integers(numbers, "numbers", n, np.int64)).tolist()
        if known and not 0 <= known[0] <= known[-1] < len(table):
            raise fail("cutoff", f"is a matrix of {len(table)} types, and numbers has {known[0] if known[0] < 0 else known[-1]}", code="range_error")
        for a in known:
            for b in known:
                if table[a, b] != table[b, a]:
                    raise fail(f"cutoff[{a}, {b}]", f"is {table[a, b]}, and cutoff[{b}, {a}] is {table[b, a]}; they must be equal")
        return limit_of_types({(a, b): table[a, b] for a in known for b in known}, numbers, n)
    return limit_of(cutoff, n)


def limit_of_types(cutoff: dict[Any, float], numbers: Any, n: int) -> Limit:
    """A cut-off for each pair of types, by number or by the symbol of an element; 0 for pairs that are not there."""
    if numbers is None:
        raise fail("numbers", "says of which type each particle is, which a cutoff by types needs")
    known, types = np.unique(integers(numbers, "numbers", n, np.int64), return_inverse=True)
    table = np.zeros((len(known), len(known)))
    place = {int(number): k for k, number in enumerate(known)}
    for key, distance in cutoff.items():
        if not isinstance(key, tuple) or len(key) != 2:
            raise fail("cutoff", f"has the key {shown(key)}; pairs of numbers or symbols are needed, such as ('Na', 'Cl')")
        distance = number(distance, f"cutoff[{key!r}]")
        a, b = (place.get(_number_of(kind)) for kind in key)
        if a is not None and b is not None:
            table[a, b] = table[b, a] = distance
    if len(known) == 0:
        return Limit(0.0, None)
    radii = 0.5 * table.max(axis=1)[types]
    return Limit(-1.0, radii, types.astype(np.int32), table)


def _number_of(kind: Any) -> int:
    if not isinstance(kind, str):
        if isinstance(kind, (bool, np.bool_)) or not hasattr(kind, "__index__"):
            raise fail("cutoff", f"names {shown(kind)}; numbers or symbols of elements are needed")
        return operator.index(kind)
    try:
        from ase.data import atomic_numbers
    except ImportError:
        raise fail("cutoff", f"names {kind!r}, and elements are known by ASE, which is not there; take atomic numbers") from None
    if kind not in atomic_numbers:
        raise fail("cutoff", f"names {kind!r}, which is no element")
    return int(atomic_numbers[kind])


def rounding(x: Any, box: Box, limit: Limit) -> float:
    """A skin beyond all rounding, so that a pair is judged by its distance as it is measured here, in every box."""
    if box.longest < 0 or x.shape[0] == 0:
        return 0.0
    return beyond_rounding(limit.reach + box.longest + largest(x))


def beyond_rounding(lengths: float) -> float:
    """A skin beyond rounding, for the sum of the largest cutoff, coordinate and component of a cell's vector; 0 if it is not finite."""
    return 2.0**-46 * lengths if math.isfinite(lengths) else 0.0


def entries(x: Any, limit: Limit, box: Box, *, threads: int, full: bool = True, itself: bool = False, wanted: str = "",
            row_of_centre: int = 0, world: Any = None, worlds: int | None = None, group: Any = None, bits: int = 32,
            offsets: bool = False) -> Entries:
    """The entries within the limit, of x as `points_of` gives it. wanted: the needed letters out of S, d and D. bits: of the
    numbers in S. offsets: whether they are needed, too."""
    engine = kept.take(x, box, threads)
    try:
        if limit.cutoff > 0 and world is None and group is None and type(x) is np.ndarray:  # as most are, in one call
            found = engine.near(box, x, limit.cutoff, full, itself, row_of_centre, wanted, bits, offsets)
            kept.put_back(engine, x, found, threads)
            return found
        if not is_on_device(x):  # where no engine is kept
            engine.set_box(box)
        engine.build(Given(x, group=group, world=world, worlds=worlds, **limit.arguments()), rounding(x, box, limit))
    except InputError as error:
        if error.code != "box_too_small" or world is not None or group is not None or is_on_device(x):
            raise limit.said(error) from None
        return _of_copies(x, limit, box, threads, full, itself, error)
    found = engine.entries(full, itself, row_of_centre, wanted, bits=bits)
    if not is_on_device(x):
        engine.forget()
        kept.put_back(engine, x, found, threads)
    return found


class Kept(threading.local):
    """The grid of a thread's last call on the host, because making a grid takes longer than building it again, and new memory longer
    than a search. Its entries are filled again once no caller holds them; meanwhile the system may take their memory."""

    MOST_BYTES, OF_ENTRY, OF_POINT = 1 << 29, 28, 160  # besides the arrays the search needs at most these

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._threads = 0

    def take(self, x: Any, box: Box, threads: int) -> Engine:
        if is_on_device(x):
            return Engine(x, box, Options(threads))
        engine, self._engine = self._engine, None  # a call within this one, such as of a handler of Ctrl-C, makes its own
        if engine is not None and engine.dimension == box.dimension and self._threads == threads:
            return engine
        return Engine(x, box, Options(threads))

    def put_back(self, engine: Engine, x: Any, found: Entries, threads: int) -> None:
        arrays = sum(array.nbytes for array in found[:4] if array is not None)
        of_entries, of_points = engine.most_bytes  # which never shrink
        of_entries = max(of_entries, arrays + self.OF_ENTRY * found.ij.shape[1])
        of_points = max(of_points, self.OF_POINT * len(x))
        if of_entries + of_points <= self.MOST_BYTES:
            engine.most_bytes = of_entries, of_points
            self._engine, self._threads = engine, threads

    def release(self) -> None:
        self._engine = None


kept = Kept()


def release() -> None:
    """Lets go of the memory that the last call of this thread left for the next one, at most 512 MB: of all functions in place of
    other codes on the host. Results are not touched."""
    kept.release()


def _heights(box: Box) -> AnyArray:
    """How far each vector of a box leads out of the vectors before it, as a grid takes them: a grid does not turn a box whose
    vectors have no component along an axis after their own. 1 along open axes."""
    wraps, own = np.array(box.periodic), np.diagonal(box.cell)
    heights = np.where(wraps, own, 1.0)
    if (own[wraps] <= 0).any() or np.triu(box.cell, 1).any():
        heights[wraps] = np.abs(np.diagonal(np.linalg.qr(box.cell[wraps].T)[1]))
    return heights


_MOST_COPIES = 200_000  # particles; each of one cell then has some 50 million neighbors


def _of_copies(x: AnyArray, limit: Limit, box: Box, threads: int, full: bool, itself: bool, error: InputError) -> Entries:
    """For cells far smaller than the cutoff, which has more images than a grid takes: a grid of several cells side by side."""
    n, dimension = x.shape
    wraps = np.array(box.periodic)
    heights = _heights(box)
    reach = limit.reach * (1 + 2.0**-20)
    times = np.where(wraps, np.ceil(reach / (4 * heights)), 1).astype(np.int64)
    number = int(np.prod(times.astype(float)))
    if number * n > _MOST_COPIES:
        searched = f"{counted(number, 'copy', 'copies')} of {counted(n, 'particle')}"
        raise InputError(f"cutoff is {limit.reach}; it spans so many periods of the cell that {searched} would be searched. "
                         "Take a smaller cutoff, or reduce the vectors of the cell", error.code, "cutoff", -1, limit.reach,
                         number * n)
    steps = np.stack(np.meshgrid(*(np.arange(t) for t in times), indexing="ij"), axis=-1).reshape(-1, dimension)
    copies = (x.astype(np.float64)[None] + (steps @ box.cell)[:, None]).reshape(-1, dimension)
    large = Box(cell=box.cell * times[:, None], periodic=box.periodic)
    engine = Engine(copies, large, Options(threads))
    # The copies are ghosts, which do not pair with each other.
    engine.build(Given(copies, owned=n, **limit.arguments(number)), rounding(copies, large, limit))
    (i, j), S = engine.entries(True, itself, 0, "S", False)[:2]
    own = i < n
    i, j, S = i[own], j[own], S[own] * times + steps[j[own] // n]
    j = j % n
    D = x[j].astype(np.float64) - x[i] + S @ box.cell
    d = np.sqrt((D * D).sum(axis=1))
    keep = d < limit.of(i, j)
    if not full:
        keep &= (i < j) | (i == j) & (lexicographic_sign(S) >= 0)
    order = np.lexsort((*S[keep].T[::-1], j[keep], i[keep]))
    return Entries(np.stack([i[keep][order], j[keep][order]]), S[keep][order], d[keep][order], D[keep][order])
