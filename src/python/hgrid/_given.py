# SPDX-License-Identifier: BSD-3-Clause
"""What users state: the options of a grid, and the particles of a build. What can be told without their numbers is checked here."""
from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple, Sequence

import numpy as np

from . import _core
from ._arrays import is_on_device, reals
from ._checks import LARGEST, choice, fail, flag, number, shown, whole
from ._errors import Error, counted
from ._units import require_same_units

MOST_WORLDS = 1 << 20
WHOLE = "group", "types", "world"  # numbers of 32 bits, one for each particle


def threads_of(threads: int | str | None) -> int:
    """The threads as the core takes them: 0 for its own choice, -1 for only the calling thread."""
    if threads is None:
        return 0
    if isinstance(threads, str) and threads == "serial":
        return -1
    if isinstance(threads, (int, np.integer)) and not isinstance(threads, bool) and 1 <= threads <= 4096:
        return int(threads)
    raise fail("threads", f"is {shown(threads)}; it must be None, 'serial', or a number from 1 to 4096")


def levels_of(levels: Any) -> list[list[float]]:
    """(radius_max, cell sizes) each."""
    if not isinstance(levels, (list, tuple, np.ndarray)) or getattr(levels, "shape", (0,)) == ():
        raise fail("levels", f"is {shown(levels)}; a list of levels (radius_max, cell_size along x, y[, z]) is needed")
    made = [reals(levels[k], f"levels[{k}]", None).tolist() for k in range(len(levels))]
    for k, level in enumerate(made):
        if len(level) not in (3, 4):
            raise fail(f"levels[{k}]", f"is {shown(level)}; (radius_max, cell_size along x, y[, z]) is needed", k, len(level),
                       "invalid_levels")
    return made


class Options(NamedTuple):
    """Options of a grid, in any place."""

    threads: int = 0
    rule: str = "sum"
    levels: Sequence[Sequence[float]] = ()
    direction: str = ""
    keys: str = ""
    table: str = ""
    stream: int | None = None

    def checked(self) -> Options:
        for name in ("rule", "direction", "keys", "table"):
            choice(name, getattr(self, name))
        if self.stream is not None:
            whole(self.stream, "stream", 0, (1 << 64) - 1)
        return self


class ListOptions(NamedTuple):
    """Options of a list for a time loop."""

    full: bool
    skin: float
    choose_skin: bool
    rebuild: bool
    check_every: int
    wrapped: bool = False

    def checked(self) -> ListOptions:
        return ListOptions(flag(self.full, "full"), number(self.skin, "skin"), flag(self.choose_skin, "choose_skin"),
                           flag(self.rebuild, "rebuild"), whole(self.check_every, "check_every", 1, (1 << 31) - 1),
                           flag(self.wrapped, "wrapped"))


@dataclass(slots=True)  # no tuple, whose fields take longer to read
class Given:
    """Particles as the user states them. `Grid.build` says what each is."""

    x: Any
    r: Any = None
    extra: Any = None
    group: Any = None
    active: Any = None
    active_bits: int | None = None
    owned: int | None = None
    nonfinite: str = "error"
    radius_scale: float = 1.0
    exclude: Any = None
    types: Any = None
    cutoffs: Any = None
    world: Any = None
    worlds: int | None = None
    extents: Any = None

    def checked(self, n: int) -> Given:
        """Checks the arguments of n particles, and returns them."""
        if (self.r is None) == (self.extents is None):
            raise fail("r", "or extents are needed") if self.r is None else fail("extents", "and r cannot be both given; boxes have no radii")
        if type(self.nonfinite) is not str or self.nonfinite != "error":
            choice("nonfinite", self.nonfinite)
        if type(self.x) is not np.ndarray:
            require_same_units(x=self.x, r=self.r, extents=self.extents, extra=self.extra)
        if self.owned is not None:
            whole(self.owned, "owned", 0, n, f"there {'is' if n == 1 else 'are'} {counted(n, 'particle')}")
        if (self.types is None) != (self.cutoffs is None):
            raise fail("cutoffs", "and types belong together")
        if self.worlds is not None:
            if self.world is None:
                raise fail("worlds", "needs world, which says of which world each particle is")
            whole(self.worlds, "worlds", 1, MOST_WORLDS)
        if self.active_bits is not None:
            if self.active is None:
                raise fail("active_bits", "needs active, of whose bits it says which count")
            whole(self.active_bits, "active_bits", 1, 255)
        return self

    def for_core(self, n: int, arrays: dict[str, Any], scale: float, worlds: int) -> _core.Particles:
        """The n particles as the core takes them; arrays by the names of hgrid.h."""
        return _core.Particles(arrays, scale, self.active_bits or 0, 0 if self.owned is None else n - self.owned,
                               self.nonfinite == "skip", worlds)

    def scale(self) -> float:
        if type(self.radius_scale) is float and self.radius_scale == 1:
            return 1.0
        return number(self.radius_scale, "radius_scale", above=True)

    @property
    def sizes(self) -> tuple[str, Any]:
        """The radii or the extents, and which they are."""
        return ("r", self.r) if self.extents is None else ("extents", self.extents)

    def scaled(self) -> float:
        """The scale of sizes of 1 with which one number serves all, exactly, also where x is of float32."""
        name, size = self.sizes
        scaled = self.scale() * number(size, name)
        if scaled > LARGEST:
            raise fail(name, f"times radius_scale is {scaled}; it must be at most {LARGEST:g}", -1, scaled, "range_error")
        return scaled


_MORE = [field.name for field in fields(Given)][2:]


def exclusions(exclude: Any) -> tuple[Any, Any, Any]:
    """Pairs, and begins and ids of lists; None if not given."""
    given = getattr(exclude, "ij", exclude)
    if hasattr(given, "offsets"):
        return None, given.offsets, given.indices
    return (None, *given) if isinstance(given, tuple) and len(given) == 2 else (given, None, None)


def require_columns(columns: int, dimension: int) -> None:
    """Raises InputError unless positions are of the grid's dimension."""
    if columns != dimension:
        raise fail("x", f"has {columns} columns; the grid has {dimension} dimensions", -1, columns, "size_mismatch")


def given_by(x: Any, r: Any, more: dict[str, Any]) -> Given:
    """With the other arguments of `Grid.build`, by their names."""
    for name in more:
        if name == "skin":
            raise TypeError("skin is an argument of Grid, Grid.build and VerletList; this takes the skin of the list as it is")
        if name not in _MORE:
            raise TypeError(f"there is no argument {name!r}; there are {', '.join(_MORE)}")
    return Given(x, r, **more)


def corner_with(error: Error, lo: Any) -> str:
    """Which corner of a region has the value."""
    if error.argument != "regions" or is_on_device(lo) or error.index < 0:
        return "lo or hi"
    return "lo" if error.value in reals(lo, "lo")[error.index] or not np.isfinite(reals(lo, "lo")[error.index]).all() else "hi"
