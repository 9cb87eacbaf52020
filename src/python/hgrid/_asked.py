# SPDX-License-Identifier: BSD-3-Clause
"""The queries of a grid: by regions, points and other grids."""
from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np

from ._box import Box
from ._checks import choice, fail, flag, number, whole
from ._engine import Engine
from ._errors import Error
from ._given import corner_with
from ._neighbors import Neighbors
from ._results import Nearest

_MOST = (1 << 31) - 1  # ids and what stands in their place have 32 bits


class AskedGrid:
    """The methods of Grid that take regions or particles from outside its build. With `counts` each gives only the number of particles
    in each list, and no lists."""

    def _built(self) -> tuple[Engine, Box]:
        raise NotImplementedError

    @overload
    def query(self, points: Any = None, *, lo: Any = None, hi: Any = None, radius: Any = None, world: Any = None, take: str = "touching",
              radius_scale: float = 1.0, counts: Literal[False] = False) -> Neighbors: ...
    @overload
    def query(self, points: Any = None, *, lo: Any = None, hi: Any = None, radius: Any = None, world: Any = None, take: str = "touching",
              radius_scale: float = 1.0, counts: bool) -> Any: ...
    def query(self, points: Any = None, *, lo: Any = None, hi: Any = None, radius: Any = None, world: Any = None, take: str = "touching",
              radius_scale: float = 1.0, counts: bool = False) -> Any:
        """The particles of regions, as Neighbors with a list for each region.

        points: [q, D], with radius (one or [q]) spheres; or boxes from lo to hi, [q, D] each.
        take: "touching", particles whose spheres touch the region, or "centres", particles whose centers lie in it.
        radius_scale: factor of the particles' radii, extra distances included.
        world: [q] the world of each region; the first one unless given.
        counts: gives the number of particles in each region, [q] int64, instead of Neighbors.
        """
        engine, box = self._built()
        if (points is None) == (lo is None) or (lo is None) != (hi is None):
            raise fail("points", "or lo and hi are needed")
        choice("take", take)
        try:
            found = engine.query(lo if points is None else points, hi, radius, world, take, number(radius_scale, "radius_scale"),
                                 flag(counts, "counts"))
        except Error as error:
            raise error.of_regions("points" if lo is None else corner_with(error, lo)) from None
        return _counts_of(found[0]) if counts else Neighbors(*found, False, box, kind="of regions")

    @overload
    def between(self, asking: AskedGrid, exclude: Any = None, *, counts: Literal[False] = False) -> Neighbors: ...
    @overload
    def between(self, asking: AskedGrid, exclude: Any = None, *, counts: bool) -> Any: ...
    def between(self, asking: AskedGrid, exclude: Any = None, *, counts: bool = False) -> Any:
        """Contacts between two sets: the particles of this grid that touch each particle of another one, as Neighbors with a list for
        each particle of `asking`. shifts are for the pair (i of `asking`, j of this grid).

        exclude: pairs (i of `asking`, j of this grid) [m, 2] that are never reported, or lists (offsets, indices), or a result.
        counts: gives the number of particles that touch each particle of `asking`, [n] int64, instead of Neighbors.

        Both grids must have equal boxes, worlds and rules, and be in one place; the mean of both skins counts. Two ghosts, or two
        particles of one group, do not touch; exclusions of a build hold only within its own set. Raises InputError for other grids.
        """
        if not isinstance(asking, AskedGrid):
            raise fail("asking", f"is {asking!r}; a Grid is needed")
        engine, box = self._built()
        found = engine.between(asking._built()[0], exclude, flag(counts, "counts"))
        return _counts_of(found[0]) if counts else Neighbors(*found, False, box, kind="of two sets")

    @overload
    def nearest(self, points: Any = None, k: int = 1, *, by: str = "centres", within: float = np.inf, world: Any = None,
                counts: Literal[False] = False) -> Nearest: ...
    @overload
    def nearest(self, points: Any = None, k: int = 1, *, by: str = "centres", within: float = np.inf, world: Any = None, counts: bool) -> Any: ...
    def nearest(self, points: Any = None, k: int = 1, *, by: str = "centres", within: float = np.inf, world: Any = None,
                counts: bool = False) -> Any:
        """The k nearest particles of each point, nearest first, and equally near ones by index; each under its nearest image.

        points: [m, D], or None for the nearest others of each particle.
        by: "centres", ``|x_i - point|``, or "surfaces", ``|x_i - point| - r_i``, which is negative inside; extra distances count.
        within: particles that are farther are none. world: [m], where there are worlds; the first one unless given.
        Where there are fewer than k, indices are the number of particles, and distances infinite. On the host.
        counts: gives how many of the k there are within the limit, [m] int64, in place of Nearest.
        """
        engine, box = self._built()
        by_surfaces = choice("by", by) == 1
        try:
            found = engine.nearest(points, whole(k, "k", 1, _MOST), by_surfaces, number(within, "within", -np.inf, np.inf), not box.is_open,
                                   world, flag(counts, "counts"))
        except Error as error:
            raise error.of_points() from None
        return found[0] if counts else Nearest(*found)


def _counts_of(offsets: Any) -> Any:
    """How many entries each list has. [n] int64"""
    return offsets[1:] - offsets[:-1]
