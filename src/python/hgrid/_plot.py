# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of discs, spheres or boxes, and their contacts."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import AnyArray, reals, require_shape
from ._checks import fail, shown
from ._grid import Grid
from ._results import Pairs
from ._verify import half_extents

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FACES = [[(a, b, c) for b, c in ((0, 0), (0, 1), (1, 1), (1, 0))] for a in (0, 1)]


def plot(x: Any, r: Any = None, *, pairs: Pairs | None = None, grid: Grid | None = None, axes: Axes | None = None,
         extents: Any = None) -> Axes:
    """Draws discs, spheres, or boxes of half extents, with a line for each contact of `pairs`, and colors by level if `grid` is
    given.

    Contacts under an image are drawn from their first particle to that image. In three dimensions the projection is orthographic,
    and spheres have the size that the figure gives them at this call. Needs matplotlib. Returns the axes.

    axes: Where to draw, of as many dimensions as x; new ones unless given.
    """
    import matplotlib.pyplot as plt

    for name, value, kind in (("pairs", pairs, Pairs), ("grid", grid, Grid)):
        if value is not None and not isinstance(value, kind):
            raise fail(name, f"is {shown(value)}; a hgrid.{kind.__name__} is needed")
    places = reals(x, "x")
    places = require_shape(places, "x", None, 3 if places.ndim == 2 and places.shape[1] == 3 else 2)
    if len(places) == 0:
        raise fail("x", "has no particles to draw", code="size_mismatch")
    if (r is None) == (extents is None):
        raise fail("r", "or extents are needed, and not both")
    if extents is None:
        radii = reals(r, "r")
        half = np.broadcast_to((radii if radii.ndim == 0 else require_shape(radii, "r", len(places)))[..., None], places.shape)
    else:
        half = half_extents(extents, places.shape)
    solid = places.shape[1] == 3
    if axes is None:
        figure = plt.figure(figsize=(6, 6))
        axes = figure.add_subplot(projection="3d", computed_zorder=False) if solid else figure.add_subplot()
    elif hasattr(axes, "zaxis") != solid:
        raise fail("axes", f"are of {2 if solid else 3} dimensions, and x of {places.shape[1]}")
    lines = None if pairs is None else _lines(places, pairs)
    colors = "lightsteelblue" if grid is None else _colors(half, grid, extents is not None)
    drawn: Any = {"facecolors": colors, "edgecolors": "black", "linewidths": 0.3}
    (_draw_solids if solid else _draw_flat)(axes, places, half, extents is None, lines, drawn)
    return axes


def _lines(places: AnyArray, pairs: Pairs) -> AnyArray:
    """Both ends of each contact: [m, 2, D]."""
    first, second = places[np.asarray(pairs.i)], places[np.asarray(pairs.j)]
    if pairs.S is not None:
        second = second + np.asarray(pairs.S) @ pairs.box.cell
    return np.stack([first, second], axis=1)


def _colors(half: AnyArray, grid: Grid, boxes: bool) -> Any:
    """A color for each particle, by its level."""
    import matplotlib.pyplot as plt

    bounds = np.array([level.extent_max if boxes else half.shape[1] * (level.radius_max,) for level in grid.plan.levels])
    fits: AnyArray = np.all(half[:, None] <= bounds, axis=2)
    level = np.where(fits.any(axis=1), fits.argmax(axis=1), len(bounds) - 1)
    return plt.get_cmap("viridis")(level / max(len(bounds) - 1, 1))


def _draw_flat(axes: Any, places: AnyArray, half: AnyArray, discs: bool, lines: AnyArray | None, drawn: dict[str, Any]) -> None:
    from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection

    if discs:
        axes.add_collection(EllipseCollection(2 * half[:, 0], 2 * half[:, 1], np.zeros(len(places)), units="xy", offsets=places,
                                              offset_transform=axes.transData, **drawn))
    else:
        corners = places[:, None] + half[:, None] * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        axes.add_collection(PolyCollection(list(corners), **drawn))
    if lines is not None:
        axes.add_collection(LineCollection(list(lines), colors="crimson", linewidths=0.8))
    margin = half.max()
    axes.set(xlim=(places[:, 0].min() - margin, places[:, 0].max() + margin),
             ylim=(places[:, 1].min() - margin, places[:, 1].max() + margin), aspect="equal")


def _draw_solids(axes: Any, places: AnyArray, half: AnyArray, spheres: bool, lines: AnyArray | None, drawn: dict[str, Any]) -> None:
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    low, high = (places - half).min(axis=0), (places + half).max(axis=0)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]), box_aspect=np.maximum(high - low, 1e-3 * (high - low).max()))
    axes.set_proj_type("ortho")
    if spheres:
        drawn["c"] = drawn.pop("facecolors")
        axes.scatter(*places.T, s=(2 * half[:, 0] * _points_of_length(axes))**2, depthshade=False, **drawn)
    else:
        sides = np.array([np.roll(np.array(face), axis, axis=1) for axis in range(3) for face in _FACES])  # [6, 4, 3]
        corners = (places - half)[:, None, None] + 2 * half[:, None, None] * sides
        if np.ndim(drawn["facecolors"]) == 2:
            drawn["facecolors"] = np.repeat(drawn["facecolors"], len(sides), axis=0)
        axes.add_collection3d(Poly3DCollection(corners.reshape(-1, 4, 3), **drawn))
    if lines is not None and len(lines) > 0:
        axes.add_collection3d(Line3DCollection(list(lines), colors="crimson", linewidths=0.8, zorder=3))


def _points_of_length(axes: Any) -> float:
    """How many points of the figure a unit of length takes, along the direction that the projection shortens least."""
    from mpl_toolkits.mplot3d import proj3d

    axes.apply_aspect()  # as drawing does
    ends = np.array([[lo, hi] for lo, hi in (axes.get_xlim(), axes.get_ylim(), axes.get_zlim())])
    middle, longest = ends.mean(axis=1), (ends[:, 1] - ends[:, 0]).max()
    units = np.vstack([middle, middle + longest * np.eye(3)])
    across, up, _ = proj3d.proj_transform(*units.T, axes.get_proj())
    seen = axes.transData.transform(np.column_stack([across, up]))
    sizes = (seen[1:] - seen[0]) / longest  # of each axis, in pixels
    return float(np.linalg.svd(sizes, compute_uv=False)[0] * 72 / axes.figure.dpi)
