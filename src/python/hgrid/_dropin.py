# SPDX-License-Identifier: BSD-3-Clause
"""Functions that replace functions of ASE, matscipy, vesin and PyG, with their letters, signs and shapes: pairs nearer than the
cutoff."""
from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ._arrays import AnyArray, as_numpy, integers, is_on_device, like, reals
from ._box import Box, Periodic, axes_of
from ._checks import choice, fail, flag, is_number, letters, number, shown, whole
from ._engine import Engine, ListEngine
from ._errors import InputError, Words, counted
from ._frameworks import Framework
from ._given import MOST_WORLDS, Given, ListOptions, Options, threads_of
from ._lists import Limit, entries, limit_by, limit_of, points_of, rounding
from ._particles import positions as positions_of
from ._results import Entries


_OF_CELLS, _OF_POSITIONS = Words(periodic="pbc"), Words(x="positions", r="cutoff")


def box_of_cell(cell: Any, pbc: Any, dimension: int) -> Box:
    with _OF_CELLS:
        if cell is None and pbc is not None and any(axes_of(pbc, dimension)):
            raise fail("pbc", "needs a cell")
        if cell is None:
            return _open_box(dimension)
        vectors, periodic = as_numpy(cell, "cell"), False if pbc is None else pbc
        if vectors.shape == (dimension, dimension) and vectors.dtype == _TYPES["float64"]:
            flags = (periodic,) * dimension if type(periodic) is bool else tuple(axes_of(periodic, dimension))
            return _box_along(vectors.tobytes(), dimension, flags)
        box = Box(cell=vectors, periodic=periodic)
    if box.dimension != dimension:
        raise fail("cell", f"has {box.dimension} vectors; the positions have {dimension} columns", code="size_mismatch")
    return box


# Most calls have the box of the one before.
@lru_cache
def _open_box(dimension: int) -> Box:
    return Box(dimension=dimension)


@lru_cache(maxsize=16)
def _box_along(vectors: bytes, dimension: int, periodic: tuple[bool, ...]) -> Box:
    return Box(cell=np.frombuffer(vectors).reshape(dimension, dimension), periodic=periodic)


def neighbor_list(quantities: str, atoms: Any = None, cutoff: Any = None, self_interaction: bool = False, max_nbins: object = None, *,
                  positions: Any = None, cell: Any = None, pbc: Periodic | None = None, numbers: Any = None, cell_origin: Any = None,
                  threads: int | str | None = None, a: Any = None) -> Any:
    """All pairs nearer than the cutoff, both ways, in the order of i, as `ase.neighborlist.neighbor_list` gives them.

    quantities: letters in the order of the results. i, j: [m] int64; S: [m, 3] int64, with D = x[j] - x[i] + S @ cell;
    d: [m] distances; D: [m, 3] vectors. One letter gives one array, more a tuple.
    atoms: an ASE Atoms, or None and positions [n, 3] ([n, 2] with a 2 x 2 cell), cell (vectors in rows), pbc (default: open)
    and numbers.
    cutoff: a number is a distance; an array [n] radii, of which pairs are nearer than the sum; a dict of pairs of numbers or
    symbols to distances; a matrix distances by two numbers, as matscipy takes it. A pair just at its cutoff is none, as in ASE.
    self_interaction: each particle is a neighbor of itself, too. max_nbins, cell_origin: have no effect here. a: ASE's name of atoms.

    Zero vectors of open axes and cells smaller than the cutoff are welcome. Raises InputError.
    """
    if a is not None and atoms is not None:
        raise fail("a", "and atoms cannot be both given")
    atoms = a if atoms is None else atoms
    if (atoms is None) == (positions is None):
        raise fail("atoms", "or positions are needed, and not both")
    if cell_origin is not None:  # moves no pair, and no shift
        reals(cell_origin, "cell_origin", len(cell_origin) if cell is None else len(cell))
    if atoms is not None:
        if cell is not None or pbc is not None or numbers is not None:
            raise fail("atoms", "have a cell, pbc and numbers of their own")
        if not all(hasattr(atoms, name) for name in ("positions", "cell", "pbc", "numbers")):
            raise fail("atoms", f"is {shown(atoms)}; an Atoms of ASE is needed, or positions=")
        positions, cell, pbc, numbers = atoms.positions, np.asarray(atoms.cell), atoms.pbc, atoms.numbers
    return primitive_neighbor_list(quantities, pbc, cell, positions, cutoff, numbers, self_interaction, threads=threads)


def primitive_neighbor_list(quantities: str, pbc: Periodic | None, cell: Any, positions: Any, cutoff: Any, numbers: Any = None,
                            self_interaction: bool = False, use_scaled_positions: bool = False, max_nbins: object = None, *,
                            threads: int | str | None = None) -> Any:
    """`neighbor_list` for positions [n, 3] without an Atoms, as `ase.neighborlist.primitive_neighbor_list` takes them.

    use_scaled_positions: positions are in numbers of the cell's vectors. max_nbins: has no effect here.

    Raises InputError. `hgrid.ase` puts it in the place of ASE's.
    """
    letters(quantities, "ijSdD")
    if cutoff is None:
        raise fail("cutoff", "is needed")
    x = points_of(positions, "positions")
    box = box_of_cell(cell, pbc, x.shape[1])
    if flag(use_scaled_positions, "use_scaled_positions"):
        if cell is None:
            raise fail("use_scaled_positions", "needs a cell")
        x = as_numpy(x, "positions") @ as_numpy(cell, "cell")
    n = int(x.shape[0])
    limit = limit_by(cutoff, numbers, n)
    with _OF_POSITIONS:
        found = entries(x, limit, box, threads=threads_of(threads), itself=flag(self_interaction, "self_interaction"),
                        wanted=quantities, bits=64)
    results = _results(quantities, found, positions)
    return results[0] if len(results) == 1 else results


_TYPES = {name: np.dtype(name) for name in ("float64", "float32", "int64", "int32")}


def _results(quantities: str, found: Entries, given: Any, real: str = "float64", shift: str = "int64", whole: str = "int64") -> tuple[Any, ...]:
    on_device = type(given) is not np.ndarray and is_on_device(given)
    ij = found.ij if whole == "int64" else Framework(given).seen_as(found.ij, whole) if on_device else found.ij.view(whole)

    def converted(value: Any, dtype: str) -> Any:
        if on_device:
            return Framework(given).converted(value, dtype)
        return value if value.dtype == _TYPES[dtype] else value.astype(dtype)

    def result(letter: str) -> Any:
        value = ij[0] if letter == "i" else ij[1] if letter == "j" else ij.T if letter == "P" else \
            converted(found.S, shift) if letter == "S" else converted(found.d if letter == "d" else found.D, real)
        if on_device:
            return value
        return like(np.ascontiguousarray(value) if letter in "PS" else value, given)  # the others are so

    return tuple(map(result, quantities))


def _orient_images_of_one(found: Entries) -> None:
    """Turns pairs of a particle and its own image. In a half list vesin reports the image on the positive side."""
    assert found.S is not None
    own = np.flatnonzero(found.ij[0] == found.ij[1])
    S = found.S[own]
    side = np.stack([S.sum(axis=1), *S.T[:0:-1]])  # the sum decides; then the last axis, and the one before it
    first = np.take_along_axis(side, (side != 0).argmax(axis=0)[None], axis=0)[0]
    turned = own[first < 0]
    for vectors in (found.S, found.D):
        if vectors is not None:
            vectors[turned] *= -1


class NeighborList:
    """Stands in for `vesin.NeighborList`.

    cutoff: a number is a distance, an array [n] radii. Pairs are nearer than the cutoff, or than the sum of their radii.
    full_list: pairs both ways, or each once. sorted: has no effect; pairs are always sorted. skin: how far two points may move, in
    sum, before a list that is kept for the next call is built again; results do not depend on it. n_threads: 0: one per processor.
    """

    def __init__(self, *, cutoff: Any, full_list: bool, sorted: bool = False, algorithm: str = "auto", skin: float = 0.0,
                 n_threads: int = 0) -> None:
        choice("algorithm", algorithm)
        if is_number(cutoff):
            number(cutoff, "cutoff")
        self.cutoff, self.full_list, self.sorted = cutoff, flag(full_list, "full_list"), flag(sorted, "sorted")
        self.skin = number(skin, "skin")
        self._threads = threads_of(whole(n_threads, "n_threads", 0, 4096) or None)
        self._grid: Engine | None = None
        self._list: ListEngine | None = None
        self._kept: tuple[Any, ...] = ()

    def compute(self, points: Any, box: Any, periodic: Periodic, quantities: str = "ij", copy: bool = True) -> tuple[Any, ...]:
        """The quantities of "ijPSdD", in that order: i, j [m] uint64, P [m, 2] uint64, S [m, 3] int32, d [m], D [m, 3] of the points'
        type. points: [n, 3]; box: its vectors in rows; periodic: one flag or one for each vector. Results are always copies.
        """
        with Words(x="points", r="cutoff", cell="box", pbc="periodic"):
            return self._computed(points, box, periodic, letters(quantities, "ijPSdD"))

    def __repr__(self) -> str:
        cutoff = f"cutoff {self.cutoff}" if is_number(self.cutoff) else "cutoffs by radii"
        kept = f", {counted(self._list.counters().builds, 'build')}" if self._list is not None else ""
        return f"<hgrid.NeighborList: {cutoff}, {'full' if self.full_list else 'half'} lists, skin {self.skin:g}{kept}>"

    def _computed(self, points: Any, box: Any, periodic: Periodic, quantities: str) -> tuple[Any, ...]:
        x = points_of(points, "points")
        limit, bounds = limit_of(self.cutoff, int(x.shape[0])), box_of_cell(box, periodic, x.shape[1])
        wanted = quantities if self.full_list or "D" not in quantities else quantities + "S"
        on_device = is_on_device(x)
        if on_device and not self.full_list and any(bounds.periodic):
            raise fail("full_list", "is False; on a device half lists are of open boxes only", code="unsupported")
        found = self._cached(x, limit, bounds, wanted) if self.skin > 0 and not on_device else None
        if found is None:
            found = entries(x, limit, bounds, threads=self._threads, full=self.full_list, wanted=wanted)
        if not self.full_list and found.S is not None and not on_device:
            _orient_images_of_one(found)
        return _results(quantities, found, points, "float32" if str(x.dtype).endswith("float32") else "float64", "int32", "uint64")

    def _cached(self, x: AnyArray, limit: Limit, box: Box, wanted: str) -> Entries | None:
        """From the list of an earlier call, if it may still be used; None where a grid cannot have so many images."""
        now = Given(x, **limit.arguments())
        kind = x.shape, x.dtype, box.periodic
        if self._kept != kind or self._grid is None or self._list is None:
            self._grid = Engine(x, box, Options(self._threads))
            self._list = ListEngine(self._grid, ListOptions(self.full_list, self.skin + rounding(x, box, limit), False, True, 1))
            self._kept = kind
        self._grid.set_box(box)
        try:
            self._list.update(now)
        except InputError as error:
            self._kept = ()
            if error.code != "box_too_small":
                raise limit.said(error) from None
            return None
        return self._list.entries(now, wanted)


def radius_graph(x: Any, r: Any, batch: Any = None, loop: bool = False, max_num_neighbors: int | None = None,
                 flow: str = "source_to_target", num_workers: object = 1, batch_size: int | None = None, *, threads: int | str | None = None) -> Any:
    """The edges between points nearer than r, as `torch_geometric.nn.radius_graph` gives them, and all of them: [2, m] int64.

    x: [n, 2] or [n, 3]. r: a number is a distance; an array [n] radii, of which points are nearer than the sum.
    batch: [n] number of the graph of each point; only points of one graph have edges. loop: edges from a point to itself, too.
    All may lie on a CUDA device; edges are then there. max_num_neighbors: raises InputError ("capacity", with `needed`) where a point
    has more, instead of dropping some.
    flow: edges come in the order of their targets; "target_to_source" turns them around. num_workers: has no effect here; see threads.
    """
    choice("flow", flow)
    points = points_of(x)
    limit = limit_of(r, int(points.shape[0]), "r")
    most = None if max_num_neighbors is None else whole(max_num_neighbors, "max_num_neighbors", 0, 1 << 62)
    size = None if batch_size is None else whole(batch_size, "batch_size", 1, MOST_WORLDS)
    with Words(x="x", world="batch", worlds="batch_size"):
        graphs = batch if batch is None or is_on_device(points) else _graphs(batch, size, len(points))
        found = entries(points, limit, _open_box(points.shape[1]), threads=threads_of(threads), itself=flag(loop, "loop"),
                        row_of_centre=int(flow == "source_to_target"), world=graphs,
                        worlds=size if graphs is not None else None, offsets=most is not None)
    if most is not None and points.shape[0] > 0:
        _require_at_most(most, found.offsets[1:] - found.offsets[:-1])
    return found.ij if is_on_device(points) else like(found.ij, x)


def _graphs(batch: Any, size: int | None, n: int) -> AnyArray:
    """Numbers of graphs, below `size` if that is given."""
    graphs = integers(batch, "batch", n)
    strange = np.flatnonzero((graphs < 0) | (graphs >= (MOST_WORLDS if size is None else size)))
    if len(strange) > 0:
        k = int(strange[0])
        limit = "below 2^20" if size is None else f"below batch_size, {size}"
        raise fail(f"batch[{k}]", f"is {graphs[k]}; numbers of graphs are from 0 on, and {limit}", k, int(graphs[k]),
                   "range_error")
    return graphs


def _require_at_most(most: int, counts: Any) -> None:
    """No point has more neighbors, of which there are `counts`."""
    if is_on_device(counts):
        framework = Framework(counts)
        needed, point = int(framework.most(counts)), framework.index_of_most(counts)
    else:
        needed, point = int(counts.max()), int(counts.argmax())
    if needed > most:
        raise InputError(f"max_num_neighbors is {most}; point {point} has {counted(needed, 'neighbor')}", "capacity",
                         "max_num_neighbors", point, needed, int((counts > most).sum()), needed)
