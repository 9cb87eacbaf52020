# SPDX-License-Identifier: BSD-3-Clause
"""hgrid as the search in the neighbor lists of ASE. ASE's plugins are file formats, viewers and calculators, but not neighbor lists, so
import this module where you need it.

`PrimitiveNeighborList` is for one list: `ase.neighborlist.NeighborList(cutoffs, primitive=hgrid.ase.PrimitiveNeighborList)`.
`install()` is for all of ASE, and its calculators: EMT, Lennard-Jones, EAM, Morse, Tersoff and others.
"""
from __future__ import annotations

from types import TracebackType
from typing import Any

import numpy as np
from ase import neighborlist

from . import primitive_neighbor_list

__all__ = ["PrimitiveNeighborList", "install"]


class PrimitiveNeighborList(neighborlist.NewPrimitiveNeighborList):
    """Stands in for `ase.neighborlist.PrimitiveNeighborList` and `NewPrimitiveNeighborList`: arguments, results, and when a list is built
    again are theirs, and a half list has the pairs of the latter."""

    def build(self, pbc: Any, cell: Any, coordinates: Any, numbers: Any = None) -> None:
        """Builds like ASE's. Raises InputError, a ValueError, for another number of particles than cutoffs."""
        i, j, S = primitive_neighbor_list("ijS", pbc, cell, coordinates, self.cutoffs, numbers, self.self_interaction,
                                          self.use_scaled_positions)
        if not self.bothways:
            first = (i <= j) & ~S.any(axis=1) if len(S) else np.zeros(0, bool)
            for column in (2, 1, 0):  # the first shift that is not zero is positive
                first = (first & (S[:, column] == 0)) | (S[:, column] > 0)
            i, j, S = i[first], j[first], S[first]
        if self.sorted:
            order = np.lexsort((j, i))
            i, j, S = i[order], j[order], S[order]
        self.pbc, self.cell, self.positions = np.array(pbc), np.array(cell), np.array(coordinates)
        self.pair_first, self.pair_second, self.offset_vec = i, j, S
        self.first_neigh = np.searchsorted(i, np.arange(len(self.positions) + 1))
        self.nupdates += 1

    def get_neighbors(self, a: int) -> tuple[Any, Any]:
        """(indices [m], offsets [m, 3]): neighbor k of atom a is at positions[indices[k]] + offsets[k] @ cell."""
        a = range(len(self.positions))[a]
        own = slice(self.first_neigh[a], self.first_neigh[a + 1])
        return self.pair_second[own], self.offset_vec[own]

    @property
    def neighbors(self) -> list[Any]:
        """The indices of each atom."""
        return [self.get_neighbors(a)[0] for a in range(len(self.positions))]

    @property
    def displacements(self) -> list[Any]:
        """The offsets of each atom."""
        return [self.get_neighbors(a)[1] for a in range(len(self.positions))]


_init = neighborlist.NeighborList.__init__
_defaults: Any = _init.__defaults__  # the last one is the default of `primitive`
_search = neighborlist.primitive_neighbor_list


class _Installed:
    def __init__(self) -> None:
        neighborlist.primitive_neighbor_list = primitive_neighbor_list
        _init.__defaults__ = (*_defaults[:-1], PrimitiveNeighborList)

    def undo(self) -> None:
        """ASE as it was when this module was imported, also where hgrid was installed several times."""
        neighborlist.primitive_neighbor_list, _init.__defaults__ = _search, _defaults

    def __enter__(self) -> _Installed:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.undo()


def install() -> _Installed:
    """From now on ASE's `primitive_neighbor_list`, its `neighbor_list`, which calls that, and each new `NeighborList` for which no
    `primitive` is named search with hgrid. Existing lists do not change.

    It lasts until `undo()` of the result, or, as in `with hgrid.ase.install():`, to the end of the block.
    """
    return _Installed()
