# SPDX-License-Identifier: BSD-3-Clause
"""Walls of triangles."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._arrays import as_numpy
from ._box import Box
from ._checks import fail, number, shown
from ._engine import MeshEngine
from ._errors import StateError
from ._given import given_by
from ._grid import Grid
from ._neighbors import Neighbors
from ._pair_array import PairArray


class WallContacts(Neighbors):
    """The particles that each triangle touches, as Neighbors with a list for each triangle: `i` is the triangle of each contact, and
    `indices` the particle.

    points: [m, 3] float64, where the triangle is nearest to the particle, where the particle lies: x[indices] - points is the way from
    the wall to the center.
    """

    __slots__ = ("points",)

    def __init__(self, offsets: Any, indices: Any, shifts: Any, points: Any, box: Box) -> None:
        super().__init__(offsets, indices, shifts, False, box, kind="of triangles")
        self.points = points


class Mesh:
    """A wall of triangles for a grid, in three dimensions: one contact for each place where a ball touches it, even if several triangles
    meet there.

    grid: a grid that has been built, or the one of a VerletList that has been updated, in whose box the wall is.
    vertices, triangles: [v, 3] coordinates and [t, 3] whole numbers, the vertices of each triangle. Without triangles vertices are three
    points for each triangle, [t, 3, 3] or [3 t, 3], as in an STL file: equal ones become one. Winding does not matter. Vertices that lie
    whole periods apart count as one, too.
    """

    def __init__(self, grid: Grid, vertices: Any, triangles: Any = None) -> None:
        if not isinstance(grid, Grid):
            raise fail("grid", f"is {shown(grid)}; a hgrid.Grid is needed")
        self.grid = grid
        self._asked = grid._built()[0]
        corners = None if triangles is None else _rows_of_three(triangles, "triangles", np.int32)
        self._engine = MeshEngine(self._asked, _rows_of_three(vertices, "vertices", np.float64), corners)

    def contacts(self, x: Any, r: Any = None, *, margin: float = 0.0, followers: Sequence[PairArray] = (), **more: Any) -> WallContacts:
        """The contacts of the grid's particles with the wall.

        x, r and other arguments: as for the build, with the present particles. margin: how far each has moved and grown since, at most;
        half the skin for a VerletList. followers: PairArrays, whose values are brought from the contacts of the previous call to these;
        a ball that rolls to the next triangle keeps its values.
        """
        engine, box = self.grid._built()
        if engine is not self._asked:
            raise StateError("the grid was restored since the mesh was made; make the mesh again", "stale", "grid")
        for follower in followers:
            if not isinstance(follower, PairArray):
                raise fail("followers", f"have {shown(follower)}; PairArrays are needed")
            follower.follow(self._engine)
        found = self._engine.contacts(given_by(x, r, more), number(margin, "margin"))
        for follower in followers:
            follower.follow(self._engine)
        return WallContacts(*found, box)

    @property
    def vertices(self) -> Any:
        """A copy of the vertices. [v, 3]"""
        return self._engine.vertices()

    def move(self, vertices: Any) -> None:
        """Moves the wall to new positions of its vertices, [v, 3], in the order of `vertices`. Take the way of the wall into `margin`.

        Do not wrap it: `contacts` raises InputError ("range_error") for a vertex that has moved by half a period or more since the contacts before.
        """
        self._engine.core.move(_rows_of_three(vertices, "vertices", np.float64))

    @property
    def origins(self) -> Any:
        """Where each contact was among the contacts of the previous call, or -1. [m] int64"""
        return self._engine.origins()

    def carry(self, values: Any, fresh: Any = 0) -> Any:
        """Values brought from the contacts of the previous call to the last call's, like `VerletList.carry`."""
        return self._engine.carry(values, fresh)

    def __repr__(self) -> str:
        return f"<hgrid.Mesh: {len(self._engine.vertices())} vertices, of {self.grid!r}>"


def _rows_of_three(given: Any, name: str, dtype: Any) -> Any:
    """Numbers of the host in rows of three, in one piece."""
    array = as_numpy(given, name)
    if array.ndim < 2 or array.shape[-1] != 3:
        raise fail(name, f"are of shape {array.shape}; rows of three numbers are needed", code="size_mismatch")
    whole = np.issubdtype(dtype, np.integer)
    if array.dtype.kind not in ("iu" if whole else "iuf"):
        raise fail(name, f"are {array.dtype}; {'whole numbers' if whole else 'numbers'} are needed")
    if whole and array.size and not np.iinfo(np.int32).min <= int(array.min()) <= int(array.max()) <= np.iinfo(np.int32).max:
        raise fail(name, "have numbers beyond 32 bits", code="range_error")
    return np.ascontiguousarray(array.reshape(-1, 3), dtype)
