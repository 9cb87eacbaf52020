# SPDX-License-Identifier: BSD-3-Clause
"""Compares a list with all pairs."""
from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ._arrays import AnyArray, as_numpy, integers, reals, require_shape
from ._checks import fail, shown
from ._neighbors import Neighbors
from ._particles import positions
from ._results import Pairs, lexicographic_sign


def _contacts(result: Pairs | Neighbors, dimension: int) -> tuple[AnyArray, AnyArray]:
    """[m, 2] ids and [m, D] shifts, each contact once."""
    if isinstance(result, Pairs):
        ij, shifts = as_numpy(result.ij, "result"), result.S
    else:
        ij, shifts = np.stack([as_numpy(result.i, "result"), as_numpy(result.indices, "result")], axis=1), result.shifts
    S = np.zeros((len(ij), dimension), np.int32) if shifts is None else as_numpy(shifts, "result")
    if isinstance(result, Neighbors) and result.full:
        first = (ij[:, 0] < ij[:, 1]) | (ij[:, 0] == ij[:, 1]) & (lexicographic_sign(S) > 0)
        ij, S = ij[first], S[first]
    return ij, S


def _for_each(given: Any, argument: str, n: int) -> AnyArray:
    """A number for each of n particles, or one for all."""
    array = reals(given, argument)
    return np.broadcast_to(array if array.ndim == 0 else require_shape(array, argument, n), (n,))


def half_extents(given: Any, shape: tuple[int, ...]) -> AnyArray:
    """The half extents of each particle, from any form that `Grid.build` takes."""
    array = reals(given, "extents")
    return np.broadcast_to(array if array.ndim == 0 else require_shape(array, "extents", *shape[2 - array.ndim:]), shape)


def verify(result: Pairs | Neighbors, x: Any, r: Any = None, *, extra: Any = 0.0, group: Any = None, world: Any = None,
           extents: Any = None) -> int:
    """Compares all pairs of particles, under all images in reach, with what a grid gave: each must be there once, and no other.

    It takes n^2 time and numpy only. Pairs whose gap is below some 1e-12 of the lengths may be there or not. Grids with the rule
    "sum", without exclusions, cut-offs, ghosts and inactive particles are compared.

    Returns how many pairs were looked at. Raises AssertionError with the first pair that is missing, too many, or there twice.
    """
    if not isinstance(result, (Pairs, Neighbors)):
        raise fail("result", f"is {shown(result)}; Pairs or Neighbors of a grid are needed")
    x = np.asarray(positions(x), np.float64)
    n, dimension = x.shape
    if dimension != result.box.dimension:
        raise fail("x", f"has {dimension} columns; the result is of {result.box.dimension} dimensions", -1, dimension,
                   "size_mismatch")
    if (r is None) == (extents is None):
        raise fail("r", "or extents are needed, and not both")
    each = _for_each(extra, "extra", n)[:, None]
    a = each + (_for_each(r, "r", n)[:, None] if extents is None else half_extents(extents, x.shape))
    cell, skin = result.box.cell, result.skin
    ij, S = _contacts(result, dimension)
    have: dict[tuple[int, ...], int] = {}
    for key in map(tuple, np.concatenate([ij, S], axis=1).tolist()):
        have[key] = have.get(key, 0) + 1
        if have[key] > 1:
            raise AssertionError(f"particles {key[0]} and {key[1]} with shift {key[2:]} are there twice")
    tolerance = 1e-12 * (float(np.abs(x).max(initial=0)) + float(np.abs(cell).max()) + 2 * float(a.max(initial=0)) + skin)
    sums = 2 * a.max(axis=0, initial=0) + skin
    tested, reach = 0, float(np.linalg.norm(sums))
    groups = None if group is None else integers(group, "group", n, np.int64)
    worlds = None if world is None else integers(world, "world", n, np.int64)
    seen: set[tuple[int, ...]] = set()
    to_cell, window = _images(cell, reach)
    for i in range(n):
        separations = x[i:] - x[i]
        home = -np.rint(separations @ to_cell).astype(np.int64)  # the image that is nearest, nearly
        for step in window:
            shifts = home + step
            D = separations + shifts @ cell
            apart = np.abs(D) if extents is not None else np.sqrt((D * D).sum(axis=1))[:, None]
            gap = (apart - (a[i] + a[i:] + skin)).max(axis=1)
            fits = gap <= tolerance
            tested += n - i
            if groups is not None:
                fits &= (groups[i:] != groups[i]) | (groups[i] < 0)
            if worlds is not None:
                fits &= worlds[i:] == worlds[i]
            fits[0] &= lexicographic_sign(shifts[:1])[0] > 0
            for k in np.flatnonzero(fits).tolist():
                key = (i, i + k, *shifts[k].tolist())
                if key in have:
                    seen.add(key)
                elif gap[k] < -tolerance:
                    raise AssertionError(f"particles {i} and {i + k} with shift {key[2:]} are missing: their gap is {gap[k]:.3g}")
    for key in have:
        if key not in seen:
            raise AssertionError(f"particles {key[0]} and {key[1]} with shift {key[2:]} are there, and do not touch")
    return tested


def _images(cell: AnyArray, reach: float) -> tuple[AnyArray, list[tuple[int, ...]]]:
    """What turns positions into numbers of vectors, and the shifts from the nearest image that may be within reach."""
    wraps: AnyArray = np.any(cell != 0, axis=1)
    to_cell = np.zeros_like(cell)
    if wraps.any():
        to_cell[:, wraps] = np.linalg.pinv(cell[wraps])
    most = np.floor(np.linalg.norm(to_cell, axis=0) * reach + 0.5 + 1e-6).astype(int)
    spans = (range(-k, k + 1) if repeats else range(1) for k, repeats in zip(most.tolist(), wraps.tolist()))
    return to_cell, list(itertools.product(*spans))
