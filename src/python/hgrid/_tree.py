# SPDX-License-Identifier: BSD-3-Clause
"""A class that replaces scipy's `cKDTree` in searches for nearest points."""
from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ._arrays import AnyArray, reals
from ._balls import Balls, require_norm
from ._box import Box
from ._checks import fail, is_number, number, whole
from ._errors import Words
from ._grid import Grid

_MOST = (1 << 31) - 1


class KDTree(Balls):
    """Points to search by nearest, or within a distance, like `scipy.spatial.cKDTree(data, boxsize=)`, in 2-D or 3-D.

    data: [n, D], within 1e15. boxsize: the period of each axis, or one for all; 0 or infinite for an open axis. threads: as for
    `Grid`. Points may lie outside the box. `data` is copied. leafsize and the arguments after it have no effect here.
    """

    def __init__(self, data: Any, leafsize: object = 16, compact_nodes: object = True, copy_data: object = False, balanced_tree: object = True,
                 boxsize: Any = None, *, threads: int | str | None = None) -> None:
        self.leafsize, self.boxsize, self._threads = leafsize, boxsize, threads
        self.data: AnyArray = np.array(reals(data, "data"))
        if self.data.ndim != 2 or self.data.shape[1] not in (2, 3):
            raise fail("data", f"has the shape {self.data.shape}; [n, 2] or [n, 3] is needed", code="size_mismatch")
        self.n, self.m = self.data.shape
        with Words(x="data"):
            periods = self._sizes = _periods(boxsize, self.m)
            self._grid = Grid(_box_of(periods), threads=threads).build(self.data, _radius(self.data, periods))

    @cached_property
    def mins(self) -> AnyArray:
        """The least coordinate of each axis; 0 without points."""
        return self.data.min(axis=0) if self.n > 0 else np.zeros(self.m)

    @cached_property
    def maxes(self) -> AnyArray:
        """The largest coordinate of each axis; 0 without points."""
        return self.data.max(axis=0) if self.n > 0 else np.zeros(self.m)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.data, self.leafsize, self.boxsize, self._threads)

    def query(self, x: Any, k: Any = 1, eps: float = 0, p: float = 2, distance_upper_bound: float = np.inf,
              workers: int | None = None) -> tuple[Any, Any]:
        """Distances and indices (d, i) of the nearest points of each x: [...] for k = 1, else [..., k].

        x: [..., D]. k: the number of points, or a list of ranks, from 1 on. eps counts as 0, p must be 2, and the tree's number of
        threads is used. Points at distance_upper_bound or farther are missing: their distance is infinite, and their index n.
        d is float64, i the type of numpy's indices. Equally near points are ordered by index.
        """
        require_norm(p)
        number(eps, "eps")
        at = self._places(x)
        ones = [whole(one, "k", 1, _MOST) for one in (k if hasattr(k, "__iter__") else [k])]
        most = max(ones, default=1)
        with Words(points="x"):
            found = self._grid.nearest(at.reshape(-1, self.m), most, within=number(distance_upper_bound, "distance_upper_bound", -np.inf,
                                                                                  np.inf))
        d, i = found.distances, found.indices.astype(np.intp)
        is_missing = ~(d < distance_upper_bound)
        d[is_missing], i[is_missing] = np.inf, self.n
        if is_number(k) and k == 1:
            return _unwrapped(d.reshape(at.shape[:-1])), _unwrapped(i.reshape(at.shape[:-1]))
        if not is_number(k):
            d, i = d[:, np.array(ones, int) - 1], i[:, np.array(ones, int) - 1]
        return d.reshape(*at.shape[:-1], d.shape[1]), i.reshape(*at.shape[:-1], i.shape[1])


def _again(data: Any, leafsize: object, boxsize: Any, threads: int | str | None) -> KDTree:
    return KDTree(data, leafsize, boxsize=boxsize, threads=threads)


def _unwrapped(array: Any) -> Any:
    return array.item() if array.ndim == 0 else array


def _periods(boxsize: Any, dimension: int) -> AnyArray:
    """The period of each axis; infinite if it is open."""
    sizes = np.zeros(dimension) if boxsize is None else np.broadcast_to(reals(boxsize, "boxsize"), (dimension,))
    return np.array([number(size, "boxsize", 0.0, np.inf) or np.inf for size in sizes.tolist()])


def _box_of(periods: AnyArray) -> Box:
    periodic = np.isfinite(periods)
    return Box((np.zeros(len(periods)), np.where(periodic, periods, 1.0)), periodic=periodic.tolist())


def _radius(x: AnyArray, periods: AnyArray) -> float:
    """So that cells hold a few points each, if most are spread evenly: a hundredth at either end of an axis is not looked at."""
    extents = np.zeros(len(periods))
    if len(x) > 0:
        some = x[::len(x) // 1024 | 1]
        few = len(some) // 100
        ordered = np.partition(some, (few, len(some) - 1 - few), axis=0)
        extents = np.minimum(ordered[-1 - few] - ordered[few], periods)
    extents = extents[extents > 1e-6 * extents.max(initial=0.0)]
    spacing = np.exp((np.log(extents).sum() - np.log(len(x))) / len(extents)) if len(extents) else 1.0
    return float(np.clip(0.5 * spacing, 1e-12, min(1e12, 0.25 * periods.min())))
