# SPDX-License-Identifier: BSD-3-Clause
"""What hgrid's C library gives on a device, as arrays of the user's framework."""
from __future__ import annotations

import ctypes
import functools
from typing import Any, Callable, TypeVar

import numpy as np

from . import _clib
from ._device_inputs import INT32, INT64, memory_there
from ._dlpack import CUDA, Exported, Memory
from ._frameworks import Framework

_F = TypeVar("_F", bound=Callable[..., Any])


def in_turn(method: _F) -> _F:
    """One thread of Python at a time: what the library gives lies there until its next call."""

    @functools.wraps(method)
    def alone(self: Any, *given: Any) -> Any:
        with self.turn:
            return method(self, *given)

    return alone  # type: ignore[return-value]


class Outputs:
    """Memory of the library's as arrays of the user's framework."""

    def __init__(self, framework: Framework, handle: _clib.Handle, stream: int, device: tuple[int, int]) -> None:
        self.framework, self._handle, self._stream, self.device = framework, handle, stream, device

    def wait(self) -> None:
        """For all work on the stream."""
        _clib.call("hgrid_wait", self._handle.pointer)

    def on_another_stream(self) -> bool:
        return self.framework.stream != self._stream

    def give(self, address: int | None, number: int, *shape: int, shown: int | None = None) -> Any:
        """That memory as an array, copied, because the next call writes there. Of the last index `shown` are seen."""
        strides = tuple(int(np.prod(shape[k + 1:])) for k in range(len(shape)))
        if not address:  # of nothing; some frameworks take no null pointers
            address = self.scratch(1)[0]
        memory = Memory(address, number, shape if shown is None else (*shape[:-1], shown), strides, self.device, self._handle)
        return self.framework.copy_of(Exported(memory, self._stream, self.wait), self.on_another_stream())

    def scratch(self, *sizes: int) -> list[int]:
        """Addresses of so many bytes each, all zeros."""
        begins = np.concatenate([[0], np.cumsum([(size + 15) // 16 * 16 for size in sizes])])
        memory = ctypes.c_void_p()
        _clib.call("hgrid_scratch", self._handle.pointer, ctypes.c_int64(int(begins[-1])), ctypes.byref(memory))
        return [(memory.value or 0) + int(begin) for begin in begins[:-1]]

    def array(self, address: int | None, number: int, *shape: int) -> _clib.Array:
        """For the library to read or write."""
        strides = tuple(int(np.prod(shape[k + 1:])) for k in range(len(shape)))
        return _clib.Array.of(Memory(address or 0, number, shape, strides, self.device, None))


def list_ids(offsets: Any, size: int) -> Any:
    """The list of each of so many entries. [size] int32"""
    framework = Framework(offsets)
    stream, device = framework.stream or 0, (CUDA, int(offsets.__dlpack_device__()[1]))
    options = _clib.Options(dimension=3, device_type=CUDA, device_id=device[1], stream=stream or None)
    handle = _clib.Handle("hgrid_create", "hgrid_destroy", ctypes.byref(options), None)
    out = Outputs(framework, handle, stream, device)
    begins, to = memory_there(offsets, "offsets", device, stream, (INT64,)), out.scratch(4 * size)[0]
    _clib.call("hgrid_list_ids", handle.pointer, ctypes.byref(_clib.Array.of(begins)), ctypes.byref(out.array(to, INT32, size)))
    return out.give(to, INT32, size)
