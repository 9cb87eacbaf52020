# SPDX-License-Identifier: BSD-3-Clause
"""A client that mypy --strict checks against the types of the package."""
import numpy as np

import hgrid


def contacts(x: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", r: float) -> int:
    grid: hgrid.Grid = hgrid.Grid(((0, 0, 0), (1, 1, 1)), periodic="xy", threads="serial").build(x, r, nonfinite="skip")
    pairs: hgrid.Pairs = grid.pairs("ijSd", order="sorted")
    lists: hgrid.Neighbors = grid.neighbors(full=False)
    plan: hgrid.Plan = grid.plan
    largest: float = max(level.radius_max for level in plan.levels)
    counters: hgrid.Counters = hgrid.VerletList(grid, skin=0.1).counters
    try:
        grid.build(x, -largest)
    except hgrid.InputError as error:
        return error.index + counters.steps
    return pairs.size + len(lists)
