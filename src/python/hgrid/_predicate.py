# SPDX-License-Identifier: BSD-3-Clause
"""A compiled function that says which contacts touch, and what it is given: their addresses, for the search to call."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ._checks import fail, is_number, shown, whole

_LARGEST = 2**64 - 1
_FUNCTION: Any = ctypes.CFUNCTYPE(None).__base__  # of all functions of ctypes


def addresses_of(predicate: Any, context: Any) -> tuple[int, int]:
    """0 for None. The caller holds both until the search is over."""
    if predicate is None:
        if context is not None:
            raise fail("context", "needs a predicate")
        return 0, 0
    return _address_of_function(predicate), _address_of_data(context)


def _address_of_function(predicate: Any) -> int:
    address = getattr(predicate, "address", predicate)  # numba's cfunc has it
    if isinstance(predicate, _FUNCTION):
        address = ctypes.cast(predicate, ctypes.c_void_p).value or 0
    if not is_number(address):
        raise fail("predicate", f"is {shown(predicate)}; a compiled function is needed: one of numba.cfunc, of ctypes, or an address")
    return whole(address, "predicate", 1, _LARGEST)


def _address_of_data(context: Any) -> int:
    if context is None:
        return 0
    if isinstance(context, np.ndarray):
        if not context.flags.c_contiguous:
            raise fail("context", "has gaps; an array in one piece is needed")
        return int(context.ctypes.data)
    if isinstance(context, (ctypes.Structure, ctypes.Array)):
        return ctypes.addressof(context)
    if not is_number(context):
        raise fail("context", f"is {shown(context)}; an array, a structure of ctypes or an address is needed")
    return whole(context, "context", 0, _LARGEST)
