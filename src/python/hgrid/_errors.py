# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions. Each is an `hgrid.Error` and the built-in exception that it comes closest to."""
from __future__ import annotations

import re
from types import TracebackType
from typing import TypeVar

_E = TypeVar("_E", bound="Error")


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def counted(n: int, one: str, many: str = "") -> str:
    """Such as "1 level", "2 levels"; `many` for words that do not end in s then."""
    return f"{n} {one if n == 1 else many or one + 's'}"


_SKIP = '; pass nonfinite="skip" to leave such particles out'


class Error(Exception):
    """What hgrid raises.

    code: its name, such as "nonfinite", "box_too_small" or "invalid_argument".
    argument: the argument that offended, as the call names it, or "".
    index: the first particle, row, level or axis that offended, or -1.
    value: its value.
    count: how many offended.
    needed: the size that would have sufficed, or -1.
    """

    def __init__(self, message: str, code: str = "invalid_argument", argument: str = "", index: int = -1, value: float = 0.0,
                 count: int = 0, needed: int = -1) -> None:
        super().__init__(message)
        self.code, self.argument, self.index, self.value = code, argument, index, value
        self.count, self.needed = count, needed

    def renamed(self: _E, name: str, *, indexed: bool = True) -> _E:
        """The error with the user's name of the argument; without its index, if the user gave one number."""
        text, old = str(self), self.argument
        if not indexed:
            text = text.replace(f"{old}[{self.index}]", old, 1)
        if text.startswith((old + " ", old + "[", old + ":")):
            text = name + text.removeprefix(old)
        elif not _names(text, name):
            text = f"{name}: {text}"
        index = self.index if indexed else -1
        return type(self)(text, self.code, name.partition("[")[0], index, self.value, self.count, self.needed)

    def of_regions(self: _E, corners: str) -> _E:
        """The error of regions in the words of a query."""
        if self.argument != "regions":
            return self
        text = str(self).partition(f"region {self.index}: ")[2] or str(self)
        name = "radius" if text.startswith("radius ") else "world" if "none of the worlds" in text else corners
        text = f"{name}[{self.index}]: {text.removeprefix('radius ')}"
        return type(self)(text, self.code, name, self.index, self.value, self.count, self.needed)

    def of_points(self: _E) -> _E:
        """The error of points in a search for nearest particles."""
        text = str(self).partition(f"point {self.index}: ")[2]
        if self.argument not in ("points", "worlds", "world") or not text:
            return self
        name = "points" if self.argument == "points" else "world"
        return type(self)(f"{name}[{self.index}]: {text}", self.code, name, self.index, self.value, self.count, self.needed)

    def of_stand_in(self: _E) -> _E:
        """The error for a function without the argument `nonfinite`."""
        name = self.argument
        text = str(self).replace(_SKIP, f"; take {name}[np.isfinite({name}).all(axis=1)], without such particles")
        return type(self)(text, self.code, name, self.index, self.value, self.count, self.needed)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.code, self.argument, self.index, self.value, self.count, self.needed)


class InputError(Error, ValueError):
    """An argument, an array or a box that cannot be used."""


class RangeError(InputError, IndexError):
    """An index beyond what a result holds."""


class OutOfMemoryError(Error, MemoryError):
    """Memory for a grid or a list could not be had, or ids have too few bits."""


class MissingPackageError(Error, ImportError):
    """A package is not installed that a file or a framework needs; the message has the line that installs it."""


class StateError(Error, RuntimeError):
    """A call at the wrong time: a grid that is not built, a list that is stale, a machine that rounds otherwise."""


_MEMORY = ("capacity", "too_many_particles", "out_of_memory")
_STATE = ("not_built", "stale", "reentrancy", "environment", "device", "stopped")
_NAMES = {"positions": "x", "radii": "r", "exclusions": "exclude", "worlds": "world", "width": "max_neighbors",
          "widened": "margin"}  # of the library


_OF_PARTICLES = ("positions", "radii", "extents", "extra", "types", "worlds")  # arguments with an entry for each particle


class Words:
    """The arguments of a call, as its user knows them: `with Words(x="points"):` gives errors of x that name."""

    def __init__(self, **names: str) -> None:
        self._names = names

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(value, Error) and value.argument in self._names:
            error = value.renamed(self._names[value.argument])
            raise error.of_stand_in() if value.argument == "x" else error from None


def error_of(code: str, message: str, argument: str, index: int, value: float, count: int, needed: int) -> Error:
    """The exception for an error of the library, in the names of this module."""
    name = _NAMES.get(argument, argument)
    text = message.removeprefix(code + ": ")
    if argument == "width":
        text = f"max_neighbors is {count}; a particle has {counted(needed, 'neighbor')}"
        return InputError(text, code, name, index, value, count, needed)
    kind = OutOfMemoryError if code in _MEMORY else StateError if code in _STATE else InputError
    if code == "nonfinite" and index >= 0 and argument in _OF_PARTICLES:
        remedy = _SKIP if "nonfinite = skip" in message else ""
        text = f"{name}[{index}] is {value}{remedy}"
    elif argument in _OF_PARTICLES and text.startswith(f"{argument} of particle {index} (of "):
        text = f"{name}[{index}]: {text.split('): ', 1)[1]}"
    elif argument and text.startswith(argument + " "):
        text = name + text.removeprefix(argument)
    elif kind is InputError and not _names(text, name):
        text = f"{name}: {text}"
    return kind(text, code, name, index, value, count, needed)
