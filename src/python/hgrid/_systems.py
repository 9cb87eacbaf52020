# SPDX-License-Identifier: BSD-3-Clause
"""The entries of a batch of systems with cells of their own, in tensors of torch, where the positions lie."""
from __future__ import annotations

from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found, unused-ignore]

from ._arrays import AnyArray, is_on_device
from ._box import Box
from ._checks import fail, number
from ._dropin import neighbor_list
from ._errors import InputError, Words
from ._given import MOST_WORLDS
from ._grid import Grid
from ._lists import beyond_rounding


def entries_of_systems(x: Any, cutoff: float, cells: AnyArray | None, flags: Any, batch: Any, itself: bool) -> tuple[Any, Any]:
    """([2, m], [m, D]) int64, ids and shifts in the order of i. cells: one for all, or for each; so are the flags."""
    if x.dim() != 2 or x.shape[1] not in (2, 3):
        raise fail("positions", f"has shape {tuple(x.shape)}; (n, 2) or (n, 3) is needed", code="size_mismatch")
    cutoff = number(cutoff, "cutoff")
    boxes = _boxes(cells, flags, int(x.shape[1]))
    if batch is None and len(boxes) > 1:
        raise fail("batch", f"is needed with {len(boxes)} cells: the number of the system of each particle")
    system = torch.zeros(len(x), dtype=torch.int64, device=x.device) if batch is None else batch
    if cells is None or cells.ndim == 2 and np.ndim(flags) < 2:
        boxes *= min(1 + int(system.max()), MOST_WORLDS) if len(x) > 0 and system.shape == (len(x),) else 1
    _require_numbers_of_systems(system, len(x), len(boxes))
    if len(x) == 0:
        return system.new_empty((2, 0), dtype=torch.int64), system.new_empty((0, x.shape[1]), dtype=torch.int64)
    try:
        i, j, S = _in_one_grid(x, cutoff, cells, boxes, system)
    except InputError as error:
        if error.code != "box_too_small" or is_on_device(x):
            raise
        i, j, S = _one_by_one(x, cutoff, boxes, system)
    if itself:
        own = torch.arange(len(x), device=x.device)
        i, j, S = torch.cat([own, i]), torch.cat([own, j]), torch.cat([S.new_zeros(x.shape), S])
    order = torch.argsort(i, stable=True)
    return torch.stack([i, j])[:, order], S[order]


def _boxes(cells: AnyArray | None, flags: Any, dimension: int) -> list[Box]:
    flags = np.asarray(flags)
    if cells is None:
        if flags.any():
            raise fail("pbc", "needs a cell")
        return [Box(dimension=dimension)]
    if cells.ndim not in (2, 3) or cells.shape[-2:] != (dimension, dimension):
        raise fail("cell", f"has shape {cells.shape}; (systems, {dimension}, {dimension}) is needed, or one for all",
                   code="size_mismatch")
    count = max(len(cells) if cells.ndim == 3 else 1, len(flags) if flags.ndim == 2 else 1)
    if cells.ndim == 3 and len(cells) != count or flags.ndim == 2 and flags.shape != (count, dimension) or flags.ndim > 2:
        raise fail("pbc", f"has shape {flags.shape}; flags for each of {count} cells are needed, or for all",
                   code="size_mismatch")
    made = []
    for k in range(count):
        cell, wraps = cells[k] if cells.ndim == 3 else cells, flags[k] if flags.ndim == 2 else flags
        with Words(cell=f"cell[{k}]", periodic=f"pbc[{k}]"):
            made.append(Box(cell=cell, periodic=wraps) if wraps.any() else Box(dimension=dimension))
    return made


def _require_numbers_of_systems(system: Any, n: int, count: int) -> None:
    if system.shape != (n,) or system.is_floating_point():
        raise fail("batch", f"is {system.dtype} of shape {tuple(system.shape)}; whole numbers, ({n},), are needed",
                   code="size_mismatch")
    strange = ((system < 0) | (system >= count)).nonzero()
    if len(strange) > 0:
        k = int(strange[0, 0])
        value = int(system[k])
        raise fail(f"batch[{k}]", f"is {value}; numbers of systems are from 0 on, and there are {count}", k, value,
                   "range_error")


def _in_one_grid(x: Any, cutoff: float, cells: AnyArray | None, boxes: list[Box], system: Any) -> tuple[Any, Any, Any]:
    """With a world for each system."""
    lengths = cutoff + (0.0 if cells is None else float(np.abs(cells).max(initial=0))) + float(x.abs().max())
    grid = Grid(Box(dimension=int(x.shape[1])), skin=beyond_rounding(lengths))
    grid.set_boxes(boxes)
    try:
        with Words(x="positions", world="batch", worlds="batch"):
            grid.build(x, 0.5 * cutoff, world=system.to(torch.int32), worlds=len(boxes))
    except InputError as error:
        raise error.renamed("cutoff", indexed=False) if error.argument == "r" else error from None
    lists = grid.neighbors()
    i, j = lists.i.long(), lists.indices.long()
    D, S = x.double()[j] - x.double()[i], i.new_zeros((len(i), x.shape[1]))
    if lists.shifts is not None:
        S = lists.shifts.long()
        vectors = torch.as_tensor(np.stack([box.cell for box in boxes]), device=x.device)
        for axis in range(S.shape[1]):  # as hgrid.torch.neighbor_list adds them, so that d is below the cutoff there, too
            D = D + S[:, axis:axis + 1] * vectors[:, axis][system.long()[i]]
    near = (D * D).sum(-1).sqrt() < cutoff
    return i[near], j[near], S[near]


def _one_by_one(x: Any, cutoff: float, boxes: list[Box], system: Any) -> tuple[Any, Any, Any]:
    """For cells far smaller than the cutoff, which have more images than a grid takes."""
    found = []
    for k, box in enumerate(boxes):
        ids = (system == k).nonzero()[:, 0]
        cell = None if box.is_open else box.cell
        i, j, S = neighbor_list("ijS", positions=x[ids], cell=cell, pbc=box.periodic, cutoff=cutoff)
        found.append((ids[i], ids[j], S))
    i, j, S = (torch.cat(column) for column in zip(*found))
    return i, j, S
