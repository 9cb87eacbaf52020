# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of discs and their contacts."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import reals, require_shape
from ._checks import fail, shown
from ._grid import Grid
from ._results import Pairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(x: Any, r: Any, *, pairs: Pairs | None = None, grid: Grid | None = None, axes: Axes | None = None) -> Axes:
    """Draws discs in two dimensions, with a line for each contact of `pairs`, and colors by level if `grid` is given.

    Contacts under an image are drawn from their first particle to that image. Needs matplotlib. Returns the axes.
    """
    import matplotlib.pyplot as plt
    from matplotlib.collections import EllipseCollection, LineCollection

    for name, value, kind in (("pairs", pairs, Pairs), ("grid", grid, Grid)):
        if value is not None and not isinstance(value, kind):
            raise fail(name, f"is {shown(value)}; a hgrid.{kind.__name__} is needed")
    places = require_shape(reals(x, "x"), "x", None, 2)
    if len(places) == 0:
        raise fail("x", "has no particles to draw", code="size_mismatch")
    radii = reals(r, "r")
    radii = np.broadcast_to(radii if radii.ndim == 0 else require_shape(radii, "r", len(places)), (len(places),))
    if axes is None:
        axes = plt.subplots(figsize=(6, 6))[1]
    if grid is not None:
        bounds = [level.radius_max for level in grid.plan.levels]
        level = np.searchsorted(bounds, radii).clip(max=len(bounds) - 1)
        colors: Any = plt.get_cmap("viridis")(level / max(len(bounds) - 1, 1))
    else:
        colors = "lightsteelblue"
    axes.add_collection(EllipseCollection(2 * radii, 2 * radii, np.zeros(len(places)), units="xy", offsets=places,
                                          offset_transform=axes.transData, facecolors=colors, edgecolors="black", linewidths=0.3))
    if pairs is not None:
        first, second = places[np.asarray(pairs.i)], places[np.asarray(pairs.j)]
        if pairs.S is not None:
            second = second + np.asarray(pairs.S) @ pairs.box.cell
        axes.add_collection(LineCollection(list(np.stack([first, second], axis=1)), colors="crimson", linewidths=0.8))
    margin = radii.max()
    axes.set(xlim=(places[:, 0].min() - margin, places[:, 0].max() + margin),
             ylim=(places[:, 1].min() - margin, places[:, 1].max() + margin), aspect="equal")
    return axes
