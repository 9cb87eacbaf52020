# SPDX-License-Identifier: BSD-3-Clause
"""Compares a list with all pairs."""
from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ._arrays import AnyArray, as_numpy
from ._results import Neighbors, Pairs


def _contacts(result: Pairs | Neighbors, dimension: int) -> tuple[AnyArray, AnyArray]:
    """[m, 2] ids and [m, D] shifts, each contact once."""
    if isinstance(result, Pairs):
        ij, shifts = np.asarray(result.ij), result.S
    else:
        ij, shifts = np.stack([result.i, np.asarray(result.indices)], axis=1), result.shifts
    S = np.zeros((len(ij), dimension), np.int32) if shifts is None else np.asarray(shifts)
    if isinstance(result, Neighbors) and result.full:
        sign = np.zeros(len(ij), np.int64)
        for axis in range(dimension):
            sign = np.where(sign == 0, np.sign(S[:, axis]), sign)
        first = (ij[:, 0] < ij[:, 1]) | (ij[:, 0] == ij[:, 1]) & (sign > 0)
        ij, S = ij[first], S[first]
    return ij, S


def verify(result: Pairs | Neighbors, x: Any, r: Any, *, extra: Any = 0.0, group: Any = None, world: Any = None) -> int:
    """Compares all pairs of particles, under all images in reach, with what a grid gave: each must be there once, and no other.

    It takes n^2 time and numpy only. Pairs whose gap is below some 1e-12 of the lengths may be there or not. Grids with the rule
    "sum", without exclusions, cut-offs, ghosts and inactive particles are compared.

    Returns how many pairs were looked at. Raises AssertionError with the first pair that is missing, too many, or there twice.
    """
    x = np.asarray(as_numpy(x, "x"), np.float64)
    n, dimension = x.shape
    a = np.broadcast_to(np.asarray(as_numpy(r, "r"), np.float64), n) + np.asarray(as_numpy(extra, "extra"), np.float64)
    a = np.broadcast_to(a, n)
    cell, skin = result.box.cell, result.skin
    ij, S = _contacts(result, dimension)
    have: dict[tuple[int, ...], int] = {}
    for key in map(tuple, np.concatenate([ij, S], axis=1).tolist()):
        have[key] = have.get(key, 0) + 1
        if have[key] > 1:
            raise AssertionError(f"particles {key[0]} and {key[1]} with shift {key[2:]} are there twice")
    tolerance = 1e-12 * (float(np.abs(x).max(initial=0)) + float(np.abs(cell).max()) + 2 * float(a.max(initial=0)) + skin)
    tested, reach = 0, 2 * float(a.max(initial=0)) + skin
    groups = None if group is None else np.asarray(group)
    worlds = None if world is None else np.asarray(world)
    seen: set[tuple[int, ...]] = set()
    for i in range(n):
        for shift in _shifts(cell, x[i] - x, reach):
            D = x[i:] - x[i] + np.array(shift) @ cell
            d = np.sqrt((D * D).sum(axis=1))
            gap = d - (a[i] + a[i:] + skin)
            fits = gap <= tolerance
            tested += n - i
            if groups is not None:
                fits &= (groups[i:] != groups[i]) | (groups[i] < 0)
            if worlds is not None:
                fits &= worlds[i:] == worlds[i]
            fits[0] &= next((step for step in shift if step), 0) > 0
            for j in (np.flatnonzero(fits) + i).tolist():
                key = (i, j, *shift)
                if key in have:
                    seen.add(key)
                elif gap[j - i] < -tolerance:
                    raise AssertionError(f"particles {i} and {j} with shift {shift} are missing: their gap is {gap[j - i]:.3g}")
    for key in have:
        if key not in seen:
            raise AssertionError(f"particles {key[0]} and {key[1]} with shift {key[2:]} are there, and do not touch")
    return tested


def _shifts(cell: AnyArray, separations: AnyArray, reach: float) -> list[tuple[int, ...]]:
    """All shifts under which one of these separations may be within reach."""
    wraps: AnyArray = np.any(cell != 0, axis=1)
    if not wraps.any():
        return [(0,) * len(cell)]
    to_cell = np.zeros_like(cell)
    to_cell[:, wraps] = np.linalg.pinv(cell[wraps])
    middle = separations @ to_cell
    wide = np.linalg.norm(to_cell, axis=0) * reach + 1e-6
    first = np.floor(middle.min(axis=0) - wide).astype(int)
    last = np.ceil(middle.max(axis=0) + wide).astype(int)
    spans = zip(first.tolist(), last.tolist(), wraps.tolist())
    return list(itertools.product(*(range(lo, hi + 1) if repeats else (0,) for lo, hi, repeats in spans)))
