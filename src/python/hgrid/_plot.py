# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of discs, or boxes, and their contacts."""
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


def plot(x: Any, r: Any = None, *, pairs: Pairs | None = None, grid: Grid | None = None, axes: Axes | None = None,
         extents: Any = None) -> Axes:
    """Draws discs, or boxes of half extents, in two dimensions, with a line for each contact of `pairs`, and colors by level if
    `grid` is given.

    Contacts under an image are drawn from their first particle to that image. Needs matplotlib. Returns the axes.
    """
    import matplotlib.pyplot as plt
    from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection

    for name, value, kind in (("pairs", pairs, Pairs), ("grid", grid, Grid)):
        if value is not None and not isinstance(value, kind):
            raise fail(name, f"is {shown(value)}; a hgrid.{kind.__name__} is needed")
    places = require_shape(reals(x, "x"), "x", None, 2)
    if len(places) == 0:
        raise fail("x", "has no particles to draw", code="size_mismatch")
    if (r is None) == (extents is None):
        raise fail("r", "or extents are needed, and not both")
    if extents is None:
        radii = reals(r, "r")
        half = np.broadcast_to((radii if radii.ndim == 0 else require_shape(radii, "r", len(places)))[..., None], places.shape)
    else:
        half = half_extents(extents, places.shape)
    if axes is None:
        axes = plt.subplots(figsize=(6, 6))[1]
    if grid is not None:
        bounds = np.array([2 * (level.radius_max,) if extents is None else level.extent_max for level in grid.plan.levels])
        fits: AnyArray = np.all(half[:, None] <= bounds, axis=2)
        level = np.where(fits.any(axis=1), fits.argmax(axis=1), len(bounds) - 1)
        colors: Any = plt.get_cmap("viridis")(level / max(len(bounds) - 1, 1))
    else:
        colors = "lightsteelblue"
    drawn: Any = {"facecolors": colors, "edgecolors": "black", "linewidths": 0.3}
    if extents is None:
        axes.add_collection(EllipseCollection(2 * half[:, 0], 2 * half[:, 1], np.zeros(len(places)), units="xy", offsets=places,
                                              offset_transform=axes.transData, **drawn))
    else:
        corners = places[:, None] + half[:, None] * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        axes.add_collection(PolyCollection(list(corners), **drawn))
    if pairs is not None:
        first, second = places[np.asarray(pairs.i)], places[np.asarray(pairs.j)]
        if pairs.S is not None:
            second = second + np.asarray(pairs.S) @ pairs.box.cell
        axes.add_collection(LineCollection(list(np.stack([first, second], axis=1)), colors="crimson", linewidths=0.8))
    margin = half.max()
    axes.set(xlim=(places[:, 0].min() - margin, places[:, 0].max() + margin),
             ylim=(places[:, 1].min() - margin, places[:, 1].max() + margin), aspect="equal")
    return axes
