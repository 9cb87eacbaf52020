# SPDX-License-Identifier: BSD-3-Clause
"""Arguments that are no arrays: numbers, flags and names. Each error names the argument, its value and the remedy."""
from __future__ import annotations

import operator
import reprlib
import sys
import warnings
from typing import Any

import numpy as np

from ._errors import InputError, RangeError, counted
from ._units import require_no_unit

LARGEST = 1e15  # of lengths: the contract's C0
_CHOICES = {"rule": ("sum", "max", "gather"), "direction": ("", "top-down", "bottom-up"), "keys": ("", "row", "morton"),
            "table": ("", "dense", "compacted"), "order": ("fixed", "sorted"), "take": ("touching", "centres"),
            "nonfinite": ("error", "skip"), "by": ("centres", "surfaces"), "algorithm": ("auto", "cell_list"),
            "flow": ("source_to_target", "target_to_source"), "method": ("bruteforce", "nsgrid", "pkdtree"),
            "backend": ("serial", "openmp", "distopia")}


def fail(argument: str, why: str, index: int = -1, value: float = 0.0, code: str = "invalid_argument") -> InputError:
    """The error of an argument, or of an entry of it, such as "x[3]"."""
    return InputError(f"{argument} {why}", code, argument.partition("[")[0], index, value)


def warn_of_change(message: str) -> None:
    """What a later version does otherwise, said of the line that calls hgrid."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "hgrid":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, FutureWarning, stacklevel=level)


def shown(value: Any) -> str:
    """What the user gave, on one line and not too long."""
    return " ".join(reprlib.repr(value).split())


def is_number(given: Any) -> bool:
    """Whether it is one number, of any type, and neither a flag nor text nor an array."""
    if isinstance(given, (str, bytes, bool, complex, np.bool_, np.complexfloating)) or given is None:
        return False
    if isinstance(given, (int, float)):
        return True
    if getattr(given, "shape", ()) != () or not (hasattr(given, "__float__") or hasattr(given, "__index__")):
        return False
    return getattr(getattr(given, "dtype", None), "kind", "f") in "fiuV"


def number(given: Any, argument: str, least: float = 0.0, most: float = LARGEST, *, above: bool = False) -> float:
    """A number from `least` to `most`; not `least` itself, if it must be above that."""
    if type(given) is not float and not isinstance(given, (int, np.number)):
        require_no_unit(given, argument)
    try:
        value = given if type(given) is float else float(given) if is_number(given) else None
    except (OverflowError, ValueError, TypeError):
        value = None
    if value is None:
        raise fail(argument, f"is {shown(given)}; one number is needed")
    if least <= value <= most and not (above and value == least):
        return value
    wanted = f"above {least:g} and at most {most:g}" if above else f"from {least:g} to {most:g}"
    code = "nonfinite" if value - value != 0 else "negative_radius" if argument.partition("[")[0] in ("r", "extents") and value < 0 else "invalid_argument"
    raise fail(argument, f"is {value}; it must be {wanted}", -1, value, code)


def whole(given: Any, argument: str, least: int, most: int, why: str = "") -> int:
    """A whole number from `least` to `most`."""
    try:
        value = given if type(given) is int else None if isinstance(given, (bool, np.bool_)) else operator.index(given)
    except TypeError:
        value = None
    if value is None:
        raise fail(argument, f"is {shown(given)}; a whole number is needed")
    if least <= value <= most:
        return value
    told = float(max(min(value, 1 << 64), -1 << 64))
    raise fail(argument, f"is {shown(value)}; {why or f'it must be from {least} to {most}'}", -1, told,
               "size_mismatch" if why else "invalid_argument")


def flag(given: Any, argument: str) -> bool:
    """True or False, of Python or numpy; 0 and 1 will do."""
    if given is True or given is False:
        return given
    if isinstance(given, (int, np.integer, np.bool_)) and given in (0, 1):
        return bool(given)
    raise fail(argument, f"is {shown(given)}; True or False is needed")


def choice(name: str, value: str) -> int:
    """The number of a choice, as hgrid.h counts them."""
    if not isinstance(value, str) or value not in _CHOICES[name]:
        known = ", ".join(repr(other) for other in _CHOICES[name] if other)
        raise fail(name, f"is {shown(value)}; it must be one of {known}")
    return _CHOICES[name].index(value)


def letters(quantities: str, known: str, least: int = 1) -> str:
    """Quantities, by letters that are known."""
    if not isinstance(quantities, str) or quantities.strip(known) or len(quantities) < least:
        raise fail("quantities", f"is {shown(quantities)}; letters of {known!r} are known, such as 'ij'")
    return quantities


def place_in(given: Any, size: int, what: str) -> int:
    """An index, from the end if it is negative."""
    try:
        k = None if isinstance(given, (bool, np.bool_)) else operator.index(given)
    except TypeError:
        k = None
    if k is None:
        raise fail("index", f"is {shown(given)}; a whole number or a slice is needed")
    if not -size <= k < size:
        raise RangeError(f"index is {k}; there {'is' if size == 1 else 'are'} {counted(size, what)}, counted from 0",
                         "range_error",
                         "index", k, k, 0, size)
    return k % size
