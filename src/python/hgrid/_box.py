# SPDX-License-Identifier: BSD-3-Clause
"""Boxes: open, periodic, tilted, or along any vectors."""
from __future__ import annotations

from typing import Any, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import as_numpy, reals
from ._checks import fail, shown, warn_of_change, whole
from ._errors import InputError, Words

_NONE = np.zeros(0)
Periodic = Union[bool, str, Sequence[bool], npt.NDArray[np.bool_]]


def axes_of(periodic: Any, dimension: int) -> list[bool]:
    """True, False, "xy", or a flag for each axis."""
    if isinstance(periodic, str):
        if not set(periodic) <= set("xyz"[:dimension]) or len(set(periodic)) != len(periodic):
            raise fail("periodic", f"is {periodic!r}; it must have letters of {'xyz'[:dimension]!r}, each at most once")
        return [axis in periodic for axis in "xyz"[:dimension]]
    if periodic is True or periodic is False:
        return [periodic] * dimension
    flags = as_numpy(periodic, "periodic")
    if flags.shape not in ((), (dimension,)):
        raise fail("periodic", f"has shape {flags.shape}; one flag for each of {dimension} axes is needed", code="size_mismatch")
    given = flags.ravel().tolist()
    for axis, flag in enumerate(given):
        if not isinstance(flag, (bool, int, float)) or flag not in (0, 1):
            name, index = (f"periodic[{axis}]", axis) if flags.ndim else ("periodic", -1)
            raise fail(name, f"is {shown(flag)}; flags are needed, or letters such as {'xyz'[:dimension]!r}", index)
    return [bool(flag) for flag in given] * (dimension if flags.ndim == 0 else 1)


def _corners(box: Any) -> list[npt.NDArray[np.float64]]:
    try:
        corners = [as_numpy(corner, f"box[{k}]") for k, corner in enumerate(box)]
    except TypeError:
        corners = []
    if len(corners) != 2 or corners[0].shape != corners[1].shape or corners[0].ndim != 1 or len(corners[0]) not in (2, 3):
        raise fail("box", f"is {shown(box)}; (lo, hi) is needed, two corners such as ((0, 0, 0), (1, 1, 1))",
                   code="invalid_box")
    return [reals(corner, f"box[{k}]", None) for k, corner in enumerate(corners)]


class Box:
    """Where particles repeat.

    Box((lo, hi), periodic="xy", tilt=(xy, xz, yz)): from lo to hi, periodic along these axes, images tilted as LAMMPS writes it; in 2-D
    the tilt is (xy,). Say `periodic=`: without it all axes are periodic, with a FutureWarning, and from 0.4 on none is.
    Box(cell=[a, b, c], periodic=True): along any vectors, which are the rows, as ASE and vesin take cells, and by default along all.
    Vectors of axes that are not periodic may be zero.
    Box(dimension=3): open.

    Raises InputError ("invalid_box", with the axis) for boxes without volume, and for lengths that are not finite or above 1e15.
    """

    __slots__ = ("dimension", "periodic", "cell", "longest", "_core", "_given")

    def __init__(self, box: Any = None, *, periodic: Periodic | None = None, tilt: Any = None, cell: Any = None,
                 dimension: int | None = None) -> None:
        if dimension is not None:
            dimension = whole(dimension, "dimension", 2, 3)
        lo = hi = tilts = vectors = _NONE
        if box is not None and cell is not None:
            raise fail("cell", "and box cannot be both given")
        if tilt is not None and box is None:
            raise fail("tilt", "belongs to a box; a cell has its vectors")
        if box is not None:
            lo, hi = _corners(box)
            self.dimension = len(lo)
            if periodic is None:
                warn_of_change("a box of corners without periodic= is periodic along all axes until hgrid 0.4, and then open; say "
                               "periodic=True or periodic=False")
        elif cell is not None:
            vectors = reals(cell, "cell")
            if vectors.ndim != 2 or vectors.size != len(vectors) ** 2 or len(vectors) not in (2, 3):
                raise fail("cell", f"has shape {vectors.shape}; (2, 2) or (3, 3) is needed, a vector in each row",
                           code="invalid_box")
            self.dimension = len(vectors)
        else:
            if periodic is not None and bool(np.any(axes_of(periodic, 3 if isinstance(periodic, str) else dimension or 3))):
                raise fail("periodic", "needs a box or a cell", code="invalid_box")
            self.dimension = 3 if dimension is None else dimension
        if dimension not in (None, self.dimension):
            raise fail("dimension", f"is {dimension}; the {'box' if cell is None else 'cell'} has {self.dimension}", -1,
                       dimension or 0)
        is_open = box is None and cell is None
        flags = [False] * self.dimension if is_open else axes_of(True if periodic is None else periodic, self.dimension)
        if tilt is not None:
            tilts = reals(tilt, "tilt", self.dimension * (self.dimension - 1) // 2)
        self.periodic = tuple(flags)
        self.cell = _rows(lo, hi, tilts, vectors, flags)
        self.longest = max(map(abs, self.cell.ravel().tolist())) if any(flags) else -1.0  # part of a vector; below 0: none is periodic
        self._given = lo.tolist(), hi.tolist(), tilts.tolist(), vectors.ravel().tolist()
        self._core = _core.Box(*self._given, flags)
        try:
            _core.Grid("", 0, 0, self.dimension, self._core, -1, (0, 0, 0, 0), [])  # which looks at it
        except InputError as error:
            raise error.renamed("cell" if cell is not None else "tilt" if "a tilt of" in str(error) else "box") from None

    @property
    def is_open(self) -> bool:
        """Whether it was made without box and cell: such a box is one of any dimension."""
        return not self._given[0] and not self._given[3]

    def facts(self) -> list[Any]:
        """All that tells it from another, as lists of numbers."""
        return [*self._given, list(self.periodic), self.dimension]

    @staticmethod
    def of_facts(facts: Sequence[Any]) -> Box:
        lo, hi, tilt, vectors, periodic, dimension = facts
        if dimension not in (2, 3):
            raise fail("box", f"has {dimension!r} dimensions", code="invalid_box")
        periodic = True if periodic is None else periodic  # of a forged one
        if vectors:
            return Box(cell=np.reshape(vectors, (dimension, dimension)), periodic=periodic)
        return Box((lo, hi), periodic=periodic, tilt=tilt or None) if lo else Box(dimension=dimension)

    def __reduce__(self) -> tuple[object, ...]:
        return Box.of_facts, (self.facts(),)

    def __repr__(self) -> str:
        lo, hi, tilt, vectors = self._given
        if self.is_open:
            return f"Box(dimension={self.dimension})"
        given = f"cell={np.reshape(vectors, self.cell.shape).tolist()}" if vectors else f"({lo}, {hi})"
        return f"Box({given}, periodic={self.periodic}{f', tilt={tilt}' if tilt else ''})"


def _rows(lo: npt.NDArray[np.float64], hi: npt.NDArray[np.float64], tilts: npt.NDArray[np.float64],
          vectors: npt.NDArray[np.float64], flags: list[bool]) -> npt.NDArray[np.float64]:
    """The vectors of the periodic axes; zeros for the others."""
    cell = vectors.copy() if vectors.size else np.diag(hi - lo) if lo.size else np.zeros((len(flags), len(flags)))
    for (axis, along), tilt in zip(((1, 0), (2, 0), (2, 1)), tilts):
        cell[axis, along] = tilt
    if not all(flags):
        cell[~np.array(flags)] = 0
    return cell



def box_of(box: Any = None, *, periodic: Periodic | None = None, tilt: Any = None, cell: Any = None) -> Box:
    """A Box, or one of these arguments of Box."""
    if not isinstance(box, Box):
        return Box(box, periodic=periodic, tilt=tilt, cell=cell)
    for name, given in (("periodic", periodic), ("tilt", tilt), ("cell", cell)):
        if given is not None:
            raise fail(name, f"and a Box cannot be both given; it has {name} of its own", code="invalid_box")
    return box


def boxes_of(boxes: Any) -> list[Box]:
    """Boxes; for (lo, hi) alone see Box."""
    if isinstance(boxes, Box) or not hasattr(boxes, "__iter__"):
        raise fail("boxes", f"is {shown(boxes)}; a list of them is needed, one for each world")
    made = []
    for world, box in enumerate(boxes):
        with Words(box=f"boxes[{world}]"):
            if box is None:
                raise fail("box", "is None; a Box or (lo, hi) is needed", code="invalid_box")
            made.append(box if isinstance(box, Box) else Box(box, periodic=True))
            if made[-1] is not box:
                warn_of_change("boxes of corners are periodic along all axes until hgrid 0.4, and then open; pass hgrid.Box((lo, hi), periodic=True) "
                               "or periodic=False")
    return made
