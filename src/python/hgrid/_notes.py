# SPDX-License-Identifier: BSD-3-Clause
"""What the numbers of a system say: sizes in another unit than the positions, or diameters for radii."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._arrays import reals, require_shape
from ._box import Box
from ._checks import fail
from ._grid import Grid
from ._particles import positions
from ._verify import half_extents

_MOST_OVERLAP = 0.1  # over the smaller diameter, on average


def check(x: Any, r: Any = None, box: Box | None = None, *, extents: Any = None) -> list[str]:
    """Notes on what is probably wrong with a system, in the words of the tool; an empty list where nothing is.

    x: [n, 2] or [n, 3]; r: [n] radii, or one for all; extents instead: half extents, as for `Grid.build`. box: a Box, or None.
    It notes sizes in another unit than the positions, diameters that are given as radii, and a box in another unit than the particles. It
    builds a grid, on the host, and raises InputError as that does.
    """
    places = positions(x)
    n, dimension = places.shape
    if (r is None) == (extents is None):
        raise fail("r", "or extents are needed, and not both")
    if box is not None and not isinstance(box, Box):
        raise fail("box", "is no hgrid.Box; give hgrid.Box((lo, hi), periodic=...)")
    if extents is None:
        radii = reals(r, "r")
        half = np.broadcast_to((radii if radii.ndim == 0 else require_shape(radii, "r", n))[..., None], places.shape)
    else:
        half = half_extents(extents, places.shape)
    if box is not None and n > 1 and (notes := _of_box(places, box)):
        return notes  # whatever the box would say of the sizes
    grid = Grid(Box(dimension=dimension) if box is None else box)
    grid.build(places, half[:, 0].copy() if extents is None else None, extents=None if extents is None else half)
    i, j, D, d = grid.pairs("ijDd")
    names = "radii" if extents is None else "half extents"
    notes = []
    if d.size > 0:
        overlap = (half[i] + half[j] - np.abs(D)).min(axis=1) if extents is not None else half[i, 0] + half[j, 0] - d
        least = 2 * np.minimum(half[i], half[j]).min(axis=1)
        sized = least > 0
        if sized.any() and (overlap[sized] / least[sized]).mean() > _MOST_OVERLAP:
            notes.append("contacts overlap by more than a tenth of the smaller diameter on average: are the radii diameters (radius_scale=0.5), or in "
                         "another unit than the positions?" if extents is None else
                         "contacts overlap by more than a tenth of the least width on average: are the half extents whole widths (radius_scale=0.5), "
                         "or in another unit than the positions?")
    elif n > 1:
        notes.append(f"no particles touch: are the {names} in the unit of the positions, and not halved (radius_scale)? Grid(skin=LENGTH) also takes "
                     "pairs with a gap")
    space = _space(places, half, box)
    filled = (2 * half).prod(axis=1).sum() if extents is not None else (half[:, 0]**dimension).sum() * (4 / 3 * math.pi if dimension == 3 else math.pi)
    if n > 0 and filled > (1 + 2.0**-40) * space > 0:
        notes.append(f"the particles have more volume than the space that they are in: are the {names} in another unit than the positions (radius_scale)?")
    return notes


def _space(x: Any, half: Any, box: Box | None) -> float:
    """The volume of a periodic box, or of the particles' bounds."""
    if box is not None and all(box.periodic):
        return float(abs(np.linalg.det(box.cell)))
    return float(np.prod((x + half).max(axis=0) - (x - half).min(axis=0))) if len(x) else 0.0


def _of_box(x: Any, box: Box) -> list[str]:
    """A thousand times, as millimetres and metres are, is no accident; a hundredth of the axis is left for a cluster."""
    widths = np.where(np.array(box.periodic), np.abs(box.cell).max(axis=1), np.inf)
    extent = x.max(axis=0) - x.min(axis=0)
    known = np.isfinite(widths) & (extent > 0)
    if known.any():
        ratio = extent[known] / widths[known]
        if ratio.min() > 100:
            return ["positions reach over hundreds of periods of the box: are they in another unit than the box?"]
        if ratio.max() < 0.01:
            return ["positions fill less than a hundredth of the box along each axis: are they in another unit than the box?"]
    return []
