# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions. Each is an `hgrid.Error` and the built-in exception that it comes closest to."""
from __future__ import annotations


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

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.code, self.argument, self.index, self.value, self.count, self.needed)


class InputError(Error, ValueError):
    """An argument, an array or a box that cannot be used."""


class OutOfMemoryError(Error, MemoryError):
    """Memory for a grid or a list could not be had, or ids have too few bits."""


class StateError(Error, RuntimeError):
    """A call at the wrong time: a grid that is not built, a list that is stale, a machine that rounds otherwise."""


_MEMORY = ("capacity", "too_many_particles", "out_of_memory")
_STATE = ("not_built", "stale", "reentrancy", "environment", "device", "stopped")
_NAMES = {"positions": "x", "radii": "r", "exclusions": "exclude", "worlds": "world", "width": "max_neighbors", "widened": "margin"}


def error_of(code: str, message: str, argument: str, index: int, value: float, count: int, needed: int) -> Error:
    """The exception for an error of the library, in the names of this module."""
    name = _NAMES.get(argument, argument)
    text = message.removeprefix(code + ": ")
    if argument == "width":
        return InputError(f"max_neighbors is {count}; a particle has {needed} neighbors", code, name, index, value, count, needed)
    if code == "nonfinite" and index >= 0 and argument != "regions":
        remedy = '; pass nonfinite="skip" to leave such particles out' if argument != "extra" else ""
        text = f"{name}[{index}] is {value}{remedy}"
    elif index >= 0 and text.startswith(f"{argument} of particle {index} (of "):
        text = f"{name}[{index}]: {text.split('): ', 1)[1]}"
    elif argument and text.startswith(argument + " "):
        text = name + text.removeprefix(argument)
    kind = OutOfMemoryError if code in _MEMORY else StateError if code in _STATE else InputError
    return kind(text, code, name, index, value, count, needed)
