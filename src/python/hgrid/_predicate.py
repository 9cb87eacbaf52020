# SPDX-License-Identifier: BSD-3-Clause
"""A compiled function that says which contacts touch, and what it is given: their addresses, for the search to call."""
from __future__ import annotations

import ctypes
import sys
import threading
from contextlib import contextmanager, nullcontext
from typing import Any, Iterator

import numpy as np

from . import _core
from ._checks import fail, is_number, shown, whole

_LARGEST = 2**64 - 1
_FUNCTION: Any = ctypes.CFUNCTYPE(None).__base__  # of all functions of ctypes


class _Hook:
    """While searches ask functions of ctypes, which cannot let an exception through: hands it to the search, which then ends with it."""

    def __init__(self) -> None:
        self._lock, self._searches, self._before = threading.Lock(), 0, sys.unraisablehook

    def __call__(self, unraisable: Any) -> None:
        if unraisable.exc_value is None or not _core.take_raised(unraisable.exc_value):
            self._before(unraisable)

    @contextmanager
    def of_search(self) -> Iterator[None]:
        with self._lock:
            if self._searches == 0:
                self._before, sys.unraisablehook = sys.unraisablehook, self
            self._searches += 1
        try:
            yield
        finally:
            with self._lock:
                self._searches -= 1
                if self._searches == 0 and sys.unraisablehook is self:
                    sys.unraisablehook = self._before


_hook = _Hook()


@contextmanager
def asking(predicate: Any, context: Any) -> Iterator[tuple[int, int]]:
    """For a search with the predicate: the addresses of the predicate and of the context; 0 for None."""
    addresses = addresses_of(predicate, context)
    with _hook.of_search() if isinstance(predicate, _FUNCTION) else nullcontext():
        yield addresses


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
