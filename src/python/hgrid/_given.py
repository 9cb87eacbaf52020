# SPDX-License-Identifier: BSD-3-Clause
"""What users state: the options of a grid, and the particles of a build. What can be told without their numbers is checked here."""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np

from ._arrays import fail

_CHOICES = {"rule": ("sum", "max", "gather"), "direction": ("", "top-down", "bottom-up"), "keys": ("", "row", "morton"),
            "table": ("", "dense", "compacted"), "order": ("fixed", "sorted"), "take": ("touching", "centres"),
            "nonfinite": ("error", "skip")}


def choice(name: str, value: str) -> int:
    """The number of a choice, as hgrid.h counts them."""
    if value not in _CHOICES[name]:
        raise fail(name, f"is {value!r}; it must be one of {', '.join(repr(other) for other in _CHOICES[name] if other)}")
    return _CHOICES[name].index(value)


def threads_of(threads: int | str | None) -> int:
    """As the core takes them: 0 OpenMP's choice, -1 the calling thread alone."""
    if threads is None:
        return 0
    if threads == "serial":
        return -1
    if isinstance(threads, (int, np.integer)) and not isinstance(threads, bool) and 1 <= threads <= 4096:
        return int(threads)
    raise fail("threads", f"is {threads!r}; it must be None, 'serial', or a number from 1 to 4096")


class Options(NamedTuple):
    """Those of a grid, wherever it works."""

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
        return self


class ListOptions(NamedTuple):
    """Those of a list for a time loop."""

    full: bool
    skin: float
    choose_skin: bool
    rebuild: bool
    check_every: int

    def checked(self) -> ListOptions:
        if not 1 <= self.check_every <= 2**31 - 1:
            raise fail("check_every", f"is {self.check_every}; it counts steps, from 1 on", -1, self.check_every)
        if self.choose_skin and not self.skin > 0:
            raise fail("skin", "must be above 0 for choose_skin, such as a tenth of a radius", -1, self.skin)
        return self


class Given(NamedTuple):
    """Particles as the user states them. `Grid.build` says what each is."""

    x: Any
    r: Any
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

    def checked(self, n: int) -> Given:
        """Of n particles."""
        choice("nonfinite", self.nonfinite)
        if self.owned is not None and not 0 <= self.owned <= n:
            raise fail("owned", f"is {self.owned}; there are {n} particles", -1, self.owned, "size_mismatch")
        if (self.types is None) != (self.cutoffs is None):
            raise fail("cutoffs", "and types belong together")
        if self.worlds is not None and self.world is None:
            raise fail("worlds", "needs world, which says of which world each particle is")
        if self.active_bits is not None and self.active is None:
            raise fail("active_bits", "needs active, of whose bits it says which count")
        if self.active_bits is not None and not 1 <= self.active_bits <= 255:
            raise fail("active_bits", f"is {self.active_bits}; it has 1 to 255, the bits of a byte", -1, self.active_bits)
        return self

    def scaled(self, r: float) -> float:
        """The scale of radii of 1 with which one radius serves all, exactly, also where x is of float32."""
        if not 0 <= r < np.inf:
            raise fail("r", f"is {r}; it must be finite and not negative", -1, r, "negative_radius" if r < 0 else "nonfinite")
        return float(self.radius_scale) * r


def given_by(x: Any, r: Any, more: dict[str, Any]) -> Given:
    """With the other arguments of `Grid.build`, by their names."""
    for name in more:
        if name == "skin":
            raise TypeError("skin is an argument of Grid, Grid.build and VerletList; this takes that of the list as it is")
        if name not in Given._fields:
            raise TypeError(f"there is no argument {name!r}; there are {', '.join(Given._fields[2:])}")
    return Given(x, r, **more)


def number_of_worlds(worlds: int) -> int:
    if not 1 <= worlds <= 1 << 20:
        raise fail("worlds", f"is {worlds}; 1 to 2^20 are possible", -1, worlds)
    return worlds
