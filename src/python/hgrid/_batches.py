# SPDX-License-Identifier: BSD-3-Clause
"""The neighbor lists of many systems in one call: each is a world of one grid."""
from __future__ import annotations

from typing import Any, Iterator, Sequence

import numpy as np

from . import _core
from ._arrays import AnyArray, as_numpy, integers, is_on_device, reals
from ._box import Box, axes_of
from ._checks import fail, flag, letters, shown
from ._dropin import box_of_cell
from ._errors import InputError, Words
from ._given import MOST_WORLDS, Given, threads_of
from ._lists import Limit, beyond_rounding, entries, kept, largest, limit_by
from ._particles import positions as positions_of
from ._results import Entries


class NeighborLists:
    """The entries of all systems, one system after the other, as `neighbor_lists` gives them.

    quantities: the requested letters; arrays: an array for each, of all systems, in which i and j count through the batch.
    particles, entries: [systems + 1] int64; particles (entries) of system k begin at number [k] and end before number [k + 1].
    lists[k]: what `neighbor_list` gives for system k, whose particles count from 0. Its arrays of S, d and D are views.
    """

    __slots__ = ("quantities", "arrays", "particles", "entries")

    def __init__(self, quantities: str, arrays: tuple[AnyArray, ...], particles: AnyArray, entries: AnyArray) -> None:
        self.quantities, self.arrays, self.particles, self.entries = quantities, arrays, particles, entries

    def __len__(self) -> int:
        return len(self.particles) - 1

    def __getitem__(self, k: int) -> Any:
        if not -len(self) <= k < len(self):
            raise IndexError(f"system {k} of {len(self)}")
        k %= len(self)
        own = slice(int(self.entries[k]), int(self.entries[k + 1]))
        results = tuple(array[own] - self.particles[k] if letter in "ij" else array[own]
                        for letter, array in zip(self.quantities, self.arrays))
        return results[0] if len(results) == 1 else results

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<hgrid.NeighborLists: {self.quantities!r} of {len(self)} systems, {int(self.entries[-1])} entries>"


def neighbor_lists(quantities: str, systems: Any = None, cutoff: Any = None, self_interaction: bool = False, *, positions: Any = None,
                   offsets: Any = None, cell: Any = None, pbc: Any = None, numbers: Any = None,
                   threads: int | str | None = None) -> NeighborLists:
    """`neighbor_list` of many systems in one call, in a fraction of the time of as many calls.

    systems: a sequence of ASE's Atoms. Or None, and positions [n, 3] (or [n, 2]) of all systems, one after the other; system k has
    the positions offsets[k] to offsets[k + 1] - 1 (offsets: [systems + 1]). cell and pbc: for all systems, or a cell and a line of
    flags for each; numbers [n].
    quantities, cutoff, self_interaction: as in `neighbor_list`; radii are [n], of all particles.

    Raises InputError. Only on the host; for tensors on a device see `hgrid.torch.neighbor_list`.
    """
    letters(quantities, "ijSdD")
    if cutoff is None:
        raise fail("cutoff", "is needed")
    if (systems is None) == (positions is None):
        raise fail("systems", "or positions are needed, and not both")
    if systems is not None:
        for name, given in (("offsets", offsets), ("cell", cell), ("pbc", pbc), ("numbers", numbers)):
            if given is not None:
                raise fail(name, "belongs to positions; systems have their own")
        x, first, cell, pbc, numbers = _of_atoms(systems)
        words = {"cell": "systems[{}].cell", "pbc": "systems[{}].pbc"}
    else:
        if is_on_device(positions):
            raise fail("positions", "are on a device; take hgrid.torch.neighbor_list", code="unsupported")
        x = positions_of(positions, "positions")
        first = _offsets(offsets, len(x))
        words = {"cell": "cell[{}]" if np.ndim(cell) == 3 else "cell", "pbc": "pbc[{}]" if np.ndim(pbc) == 2 else "pbc"}
    cells = _Cells(cell, pbc, len(first) - 1, x.shape[1], words)
    with Words(x="positions", r="cutoff", world="systems", worlds="systems"):
        limit = limit_by(cutoff, numbers, len(x))
        itself = flag(self_interaction, "self_interaction")
        arrays, begins = _in_one_grid(quantities, x, first, cells, limit, itself, threads_of(threads))
    return NeighborLists(quantities, arrays, first, begins)


def _of_atoms(systems: Any) -> tuple[AnyArray, ...]:
    """Positions, where systems begin, cells, flags and numbers."""
    if not isinstance(systems, Sequence):
        raise fail("systems", f"is {shown(systems)}; a list of Atoms of ASE is needed, or positions=")
    for k, atoms in enumerate(systems):
        if not all(hasattr(atoms, name) for name in ("positions", "cell", "pbc", "numbers")):
            raise fail(f"systems[{k}]", f"is {shown(atoms)}; an Atoms of ASE is needed", k)
    first = np.cumsum([0, *(len(atoms) for atoms in systems)], dtype=np.int64)
    cells = np.array([np.asarray(atoms.cell) for atoms in systems], np.float64).reshape(-1, 3, 3)
    flags = np.array([atoms.pbc for atoms in systems], bool).reshape(-1, 3)
    x = positions_of(np.concatenate([np.zeros((0, 3)), *(atoms.positions for atoms in systems)]), "positions")
    return x, first, cells, flags, np.concatenate([np.zeros(0, np.int64), *(atoms.numbers for atoms in systems)])


def _offsets(offsets: Any, n: int) -> AnyArray:
    if offsets is None:
        raise fail("offsets", "are needed: where the positions of each system begin, and their number")
    first = integers(offsets, "offsets", None, np.int64)
    if first.ndim != 1 or len(first) == 0 or first[0] != 0 or first[-1] != n:
        raise fail("offsets", f"are {shown(first.tolist())}; they begin with 0 and end with {n}, the number of positions")
    down = np.flatnonzero(np.diff(first) < 0)
    if len(down) > 0:
        k = int(down[0]) + 1
        raise fail(f"offsets[{k}]", f"is {first[k]}, below the one before it", k, int(first[k]))
    return first.copy()  # which the user may change


class _Cells:
    """The cells of all systems. The grid checks them all at once: to make a Box of each takes longer than to search it."""

    def __init__(self, cell: Any, pbc: Any, systems: int, dimension: int, words: dict[str, str]) -> None:
        """cell and pbc: for all systems, or for each. words: how errors name the cell and pbc of a system."""
        self.dimension, self._words = dimension, words
        cells = None if cell is None else reals(cell, words["cell"])
        flags = as_numpy(pbc, words["pbc"]) if np.ndim(pbc) == 2 else np.array(axes_of(False if pbc is None else pbc, dimension))
        if flags.dtype != bool:
            lines = []
            for k, line in enumerate(flags):
                with Words(periodic=words["pbc"].format(k)):
                    lines.append(axes_of(line, dimension))
            flags = np.array(lines, bool).reshape(-1, dimension)
        for name, given, rows in (("cell", cells, 3), ("pbc", flags, 2)):
            if given is not None and given.ndim == rows and len(given) != systems:
                raise fail(name, f"has {len(given)} lines; there are {systems} systems", code="size_mismatch")
        self.are_same = (cells is None or cells.ndim < 3) and flags.ndim < 2
        self._flags = np.broadcast_to(flags, (systems, *flags.shape[-1:]))
        self._cells = None if cells is None else np.broadcast_to(cells, (systems, *cells.shape[-2:]))

    def __len__(self) -> int:
        return len(self._flags)

    def box(self, k: int) -> Box:
        """The box of system k."""
        with Words(**{name: word.format(k) for name, word in self._words.items()}):
            return box_of_cell(None if self._cells is None else self._cells[k], self._flags[k], self.dimension)

    def cores(self) -> list[_core.Box]:
        """The boxes as a grid takes them; for a bad one `box` raises the error."""
        flags, shape = self._flags, (len(self), self.dimension, self.dimension)
        if self._cells is None or self._cells.shape != shape or flags.shape != shape[:2]:
            return [self.box(k)._core for k in range(len(self))]
        vectors = self._cells.reshape(len(self), -1).tolist()
        return [_core.Box([], [], [], v if any(f) else [], f) for v, f in zip(vectors, flags.tolist())]

    @property
    def longest(self) -> float:
        """The largest component of a periodic vector."""
        if self._cells is None or not self._flags.any():
            return 0.0
        return float(np.abs(self._cells).max(axis=-1)[self._flags].max())


def _in_one_grid(quantities: str, x: AnyArray, first: AnyArray, cells: _Cells, limit: Limit, itself: bool,
                 threads: int) -> tuple[tuple[AnyArray, ...], AnyArray]:
    systems = len(cells)
    if systems > MOST_WORLDS:
        raise fail("systems", f"are {systems}; at most 2^20 are taken at once", -1, systems, "capacity")
    one = systems > 0 and cells.are_same
    box = cells.box(0) if one else Box(dimension=x.shape[1])
    engine = kept.take(x, box, threads)
    engine.set_box(box)
    if systems > 0 and not one:
        try:
            engine.core.set_boxes(cells.cores())
        except InputError as error:
            for k in range(systems):
                cells.box(k)  # which names the one that is wrong
            raise error
    world = np.repeat(np.arange(systems, dtype=np.int32), np.diff(first)) if systems > 0 else None
    skin = beyond_rounding(limit.reach + cells.longest + largest(x)) if cells.longest > 0 and len(x) > 0 else 0.0
    try:
        engine.build(Given(x, world=world, worlds=systems or None, **limit.arguments()), skin)
    except InputError as error:
        if error.code != "box_too_small":
            raise limit.said(error) from None
        return _one_by_one(quantities, x, first, cells, limit, itself, threads)
    found = engine.entries(True, itself, 0, quantities, bits=64)
    engine.forget()
    engine.set_boxes(())  # which the next call does not know
    kept.put_back(engine, x, found, threads)
    return _columns(quantities, found), found.offsets[first]


def _columns(quantities: str, found: Entries) -> tuple[Any, ...]:
    by_letter = {"i": found.ij[0], "j": found.ij[1], "S": found.S, "d": found.d, "D": found.D}
    return tuple(by_letter[letter] for letter in quantities)


def _one_by_one(quantities: str, x: AnyArray, first: AnyArray, cells: _Cells, limit: Limit, itself: bool,
                threads: int) -> tuple[tuple[AnyArray, ...], AnyArray]:
    """Where some cell is far smaller than the cutoff, and has more images than a grid takes."""
    counts, found = [0], []
    for k in range(len(cells)):
        own = slice(int(first[k]), int(first[k + 1]))
        try:
            of_one = entries(x[own], limit.part(own), cells.box(k), threads=threads, itself=itself, wanted=quantities, bits=64)
        except InputError as error:
            raise InputError(f"system {k}: {error}", error.code, error.argument, error.index, error.value) from None
        found.append(_columns(quantities, of_one._replace(ij=of_one.ij + first[k])))
        counts.append(of_one.ij.shape[1])
    return tuple(np.concatenate(column) for column in zip(*found)), np.cumsum(counts)
