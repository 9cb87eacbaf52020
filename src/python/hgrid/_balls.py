# SPDX-License-Identifier: BSD-3-Clause
"""All points within a distance, as scipy's trees give them: of points, of one tree, or of two."""
from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ._arrays import AnyArray, reals
from ._checks import fail, flag, number
from ._errors import Words
from ._grid import Grid

_FAR = 1e15  # of lengths, and no points are farther apart


def require_norm(p: Any) -> None:
    if p != 2:
        raise fail("p", "must be 2; other norms have no stand-in", code="unsupported")


class Balls:
    """The methods of a tree that take a distance, which counts as within, also where a pair is just that far apart. p must be 2, and eps is
    as good as 0. In a periodic box the nearest image of a point counts."""

    data: AnyArray
    n: int
    m: int
    _grid: Grid
    _sizes: AnyArray  # periods; infinite along open axes

    def _places(self, x: Any, argument: str = "x") -> AnyArray:
        at = reals(x, argument)
        if at.ndim == 0 or at.shape[-1] != self.m:
            raise fail(argument, f"has the shape {at.shape}; [..., {self.m}] is needed", code="size_mismatch")
        return at

    def _within(self, points: AnyArray, r: Any) -> tuple[AnyArray, AnyArray]:
        """Which of the points has which of the tree's within its r, in order: two columns."""
        radii = np.broadcast_to(np.minimum(reals(r, "r"), _FAR), len(points))
        if np.isfinite(self._sizes).all():  # no two nearest images are farther apart
            radii = np.minimum(radii, 0.5 * (1 + 2.0**-20) * np.sqrt((self._sizes**2).sum()))
        there = np.flatnonzero(radii >= 0)  # nothing is nearer than a distance below 0
        with Words(points="x", radius="r"):
            lists = self._grid.query(points[there], radius=np.ascontiguousarray(radii[there]), take="centres")
        i, j = there[lists.i].astype(np.intp), np.asarray(lists.indices).astype(np.intp)
        if lists.shifts is not None and len(i) > 0:
            first = np.concatenate([[True], (i[1:] != i[:-1]) | (j[1:] != j[:-1])])  # images of a point follow each other
            i, j = i[first], j[first]
        return i, j

    def _distances(self, points: AnyArray, i: AnyArray, j: AnyArray) -> AnyArray:
        D = np.abs(self.data[j] - points[i])
        for axis in np.flatnonzero(np.isfinite(self._sizes)):
            D[:, axis] %= self._sizes[axis]
            D[:, axis] = np.minimum(D[:, axis], self._sizes[axis] - D[:, axis])
        distances: AnyArray = np.sqrt((D * D).sum(axis=1))
        return distances

    def query_ball_point(self, x: Any, r: Any, p: float = 2, eps: float = 0, workers: Any = None, return_sorted: bool | None = None,
                         return_length: bool = False) -> Any:
        """The indices of the points within r of each x, in order: a list for one, else an array [...] of lists; or how many they are.

        x: [..., D]. r: one or [...].
        """
        require_norm(p)
        number(eps, "eps")
        at = self._places(x)
        i, j = self._within(at.reshape(-1, self.m), np.broadcast_to(reals(r, "r"), at.shape[:-1]).ravel())
        begins = np.searchsorted(i, np.arange(at.size // self.m + 1))
        if flag(return_length, "return_length"):
            counts = np.diff(begins).astype(np.intp).reshape(at.shape[:-1])
            return int(counts) if at.ndim == 1 else counts
        lists = [j[begin:end].tolist() for begin, end in zip(begins, begins[1:])]
        if at.ndim == 1:
            return lists[0]
        made = np.empty(len(lists), object)
        made[:] = lists
        return made.reshape(at.shape[:-1])

    def query_ball_tree(self, other: Balls, r: float, p: float = 2, eps: float = 0) -> list[list[int]]:
        """For each point of this tree, the points of the other tree within r."""
        return list(_tree(other).query_ball_point(self.data, r, p, eps))

    def query_pairs(self, r: float, p: float = 2, eps: float = 0, output_type: str = "set") -> Any:
        """The pairs i < j of its points within r: a set of tuples, or, with "ndarray", [m, 2]."""
        require_norm(p)
        number(eps, "eps")
        i, j = self._within(self.data, number(r, "r", -np.inf, np.inf))
        pairs = np.column_stack([i, j])[i < j]
        return _chosen(output_type, set=lambda: set(map(tuple, pairs.tolist())), ndarray=lambda: pairs)

    def sparse_distance_matrix(self, other: Balls, max_distance: float, p: float = 2, output_type: str = "dok_matrix") -> Any:
        """The distances within max_distance from this tree's points to the other tree's, as "dok_matrix", "coo_matrix", "dok_array" or
        "coo_array" of scipy, "dict" {(i, j): distance}, or "ndarray" with fields i, j and v."""
        require_norm(p)
        with Words(r="max_distance"):
            i, j = _tree(other)._within(self.data, number(max_distance, "max_distance", -np.inf, np.inf))
        v = other._distances(self.data, i, j)

        def of_scipy(kind: str) -> Any:
            return getattr(importlib.import_module("scipy.sparse"), kind)((v, (i, j)), (self.n, other.n))

        def records() -> AnyArray:
            made = np.empty(len(v), [("i", np.intp), ("j", np.intp), ("v", np.float64)])
            made["i"], made["j"], made["v"] = i, j, v
            return made

        return _chosen(output_type, dict=lambda: dict(zip(zip(i.tolist(), j.tolist()), v.tolist())), ndarray=records,
                       coo_matrix=lambda: of_scipy("coo_matrix"), dok_matrix=lambda: of_scipy("coo_matrix").todok(),
                       coo_array=lambda: of_scipy("coo_array"), dok_array=lambda: of_scipy("coo_array").todok())

    def count_neighbors(self, other: Balls, r: Any, p: float = 2, weights: Any = None, cumulative: bool = True) -> Any:
        """How many pairs of a point of this tree and one of the other are within r, for each of r; or, not cumulative, beyond the one before."""
        require_norm(p)
        if weights is not None:
            raise fail("weights", "have no stand-in", code="unsupported")
        radii = reals(r, "r")
        i, j = _tree(other)._within(self.data, radii.max(initial=-1.0))
        counts = np.searchsorted(np.sort(other._distances(self.data, i, j)), radii.ravel(), side="right").reshape(radii.shape)
        if not flag(cumulative, "cumulative"):
            counts = np.diff(counts, prepend=0)
        return int(counts) if counts.ndim == 0 else counts


def _tree(other: Any) -> Balls:
    if not isinstance(other, Balls):
        raise fail("other", f"is a {type(other).__name__}; a hgrid.KDTree is needed")
    return other


def _chosen(output_type: Any, **makers: Any) -> Any:
    if output_type not in makers:
        raise fail("output_type", f"is {output_type!r}; it must be one of {', '.join(map(repr, makers))}")
    return makers[output_type]()
