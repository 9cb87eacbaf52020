# SPDX-License-Identifier: BSD-3-Clause
"""Functions that stand in for MDAnalysis' `capped_distance` and `self_capped_distance`."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._arrays import AnyArray, reals
from ._box import Box
from ._checks import choice, fail, flag, number
from ._errors import InputError, Words
from ._lists import Limit, entries
from ._particles import positions

_LEAST = 2e-15  # the least distance between touching particles of the least radius: the contract's C0


def capped_distance(reference: Any, configuration: Any, max_cutoff: float, min_cutoff: float | None = None, box: Any = None,
                    method: str | None = None, return_distances: bool | None = True, backend: str | None = "serial") -> Any:
    """Pairs of a reference and a configuration whose distance is above min_cutoff and at most max_cutoff, as
    `MDAnalysis.lib.distances.capped_distance` gives them: pairs [m, 2] int64, and distances [m] float64 unless return_distances is False.

    reference, configuration: [n, 3] or [3] positions, or AtomGroups; they are rounded to float32, as there.
    box: [lx, ly, lz, alpha, beta, gamma] in degrees, or None or zeros for an open one. An axis of length 0 is open, if all angles are 90. A
    distance is the distance of the nearest images, also for cutoffs above half of the box. If one axis is far longer than another, a
    cutoff of more than seven periods of the short one, five if tilted, is an error.
    method, backend: have no effect here; any value that MDAnalysis knows is allowed.

    Pairs come in the order of the reference, then of the configuration. On the host. Raises InputError.
    """
    first, second = _places(reference, "reference"), _places(configuration, "configuration")
    group = np.repeat(np.array([0, 1], np.int32), (len(first), len(second)))
    try:
        found = _found(np.concatenate([first, second]), group, max_cutoff, box, method, backend)
    except InputError as error:
        raise _of_sets(error, len(first)) from None
    return _answer(*found, len(first), min_cutoff, return_distances)


def self_capped_distance(reference: Any, max_cutoff: float, min_cutoff: float | None = None, box: Any = None, method: str | None = None,
                         return_distances: bool | None = True, backend: str | None = "serial") -> Any:
    """`capped_distance` for the pairs i < j of one set, as `MDAnalysis.lib.distances.self_capped_distance` gives them."""
    with Words(x="reference"):
        found = _found(_places(reference, "reference"), None, max_cutoff, box, method, backend)
    return _answer(*found, 0, min_cutoff, return_distances)


def _of_sets(error: InputError, begin: int) -> InputError:
    """The error, with its index in one of the two sets; the second begins at `begin`."""
    if error.argument != "x" or error.index < 0:
        return error
    name, index = ("reference", error.index) if error.index < begin else ("configuration", error.index - begin)
    return InputError(str(error).replace(f"x[{error.index}]", f"{name}[{index}]", 1), error.code, name, index, error.value, error.count).of_stand_in()


def _places(given: Any, argument: str) -> AnyArray:
    """[n, 3] float32, of an array or an AtomGroup."""
    array = reals(given.positions if hasattr(given, "atoms") else given, argument)
    x = positions(array[None] if array.shape == (3,) else array, argument)
    if x.shape[1] != 3:
        raise fail(argument, f"has shape {array.shape}; (n, 3) or (3,) is needed", code="size_mismatch")
    with np.errstate(over="ignore"):  # what overflows is infinite, which the build refuses
        return x.astype(np.float32)


def _found(x: AnyArray, group: AnyArray | None, max_cutoff: float, box: Any, method: str | None,
           backend: str | None) -> tuple[AnyArray, AnyArray]:
    """Pairs of different particles and their distances, each pair under its nearest image."""
    for name, value in (("method", method), ("backend", backend)):
        if value is not None:
            choice(name, value.lower() if isinstance(value, str) else value)
    cell = None if box is None else _cell_of(box)
    most, farthest = number(max_cutoff, "max_cutoff"), math.inf
    wraps = [] if cell is None else [bool(vector.any()) for vector in cell]
    if cell is not None and all(wraps):
        cell = _reduced(cell)
        farthest = 0.5 * (1 + 2.0**-20) * float(np.sqrt((cell * cell).sum(axis=1)).sum())  # no two nearest images are
    with Words(r="max_cutoff", cutoff="max_cutoff", cell="box"):
        bounds = Box(dimension=3) if cell is None else Box(cell=cell, periodic=wraps)
        limit = Limit(min(max(math.nextafter(most, math.inf), _LEAST), farthest), None)
        found = entries(x, limit, bounds, threads=0, full=False, wanted="d", group=group)
    ij, d = found.ij, found.d
    if cell is not None and ij.shape[1] > 0:
        again = (ij[:, 1:] == ij[:, :-1]).all(axis=0)
        if again.any():  # of several images of a pair, which follow each other, the nearest one counts
            starts = np.flatnonzero(np.concatenate([[True], ~again]))
            ij, d = ij[:, starts], np.minimum.reduceat(d, starts)
        if group is None:
            others = ij[0] != ij[1]
            ij, d = ij[:, others], d[others]
    return (ij, d) if most >= _LEAST else (ij[:, d <= most], d[d <= most])


def _answer(ij: AnyArray, d: AnyArray, begin: int, min_cutoff: float | None, return_distances: bool | None) -> Any:
    """The result in the form of MDAnalysis; ids of the second set count from `begin`."""
    if min_cutoff is not None:
        far = d > number(min_cutoff, "min_cutoff", -np.inf, np.inf)
        ij, d = ij[:, far], d[far]
    pairs = np.empty((len(d), 2), np.intp)
    pairs[:, 0] = ij[0]
    np.subtract(ij[1], begin, out=pairs[:, 1])
    return (pairs, d) if return_distances is not None and flag(return_distances, "return_distances") else pairs


def _cell_of(box: Any) -> AnyArray:
    """The vectors of [lx, ly, lz, alpha, beta, gamma], in rows, rounded to float32 as MDAnalysis' are; zero along open axes."""
    sides = reals(box, "box", 6).astype(np.float32).astype(np.float64)
    lengths, angles = sides[:3], np.radians(sides[3:])
    is_right = sides[3:] == 90
    if is_right.all() and (lengths >= 0).all() or not sides.any():  # zeros, as MDAnalysis has them for no box
        return np.diag(lengths)
    cos, sine = np.where(is_right, 0.0, np.cos(angles)), 1.0 if is_right[2] else math.sin(angles[2])
    if not ((sides > 0).all() and (sides[3:] < 180).all()):
        raise fail("box", f"is {sides.tolist()}; lengths above 0 and angles between 0 and 180 are needed", code="invalid_box")
    x, y = cos[1], (cos[0] - cos[1] * cos[2]) / sine
    rest = 1 - x * x - y * y
    if not rest > 0:
        raise fail("box", f"is {sides.tolist()}; no three vectors have these angles", code="invalid_box")
    cell = np.array([[lengths[0], 0, 0], [lengths[1] * cos[2], lengths[1] * sine, 0], lengths[2] * np.array([x, y, math.sqrt(rest)])])
    return cell.astype(np.float32).astype(np.float64)


def _reduced(cell: AnyArray) -> AnyArray:
    """Short vectors with the same images, so that a cutoff spans few of them."""
    cell = cell.copy()
    for _ in range(100):
        order = np.argsort((cell * cell).sum(axis=1), kind="stable")
        before = cell.copy()
        for long, short in ((1, 0), (2, 0), (2, 1)):
            a, b = cell[order[long]], cell[order[short]]
            a -= np.round(a @ b / (b @ b)) * b
        if (cell == before).all():
            break
    return cell
