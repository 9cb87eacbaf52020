# SPDX-License-Identifier: BSD-3-Clause
"""DLPack from Python, for a framework that tests bring: an array's description of its memory, and memory as such an array."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple



class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_Pointer = ctypes.POINTER(_Managed)
_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_NAME = b"dltensor"

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, _Destructor]
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
# In a destructor the capsule must not become a Python object again, so it stays an address.
_still_is = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_address_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


class Memory(NamedTuple):
    """An array's memory. `type` is DLPack's code * 256 + bits, strides are in elements, `owner` keeps it alive."""

    address: int
    type: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    device: tuple[int, int]
    owner: Any


def memory_of(array: Any, stream: int) -> Memory:
    """Returns the capsule of an array that may be read in the order of the CUDA stream, 0 being the default one."""
    given = array.detach() if hasattr(array, "detach") else array  # torch: without gradients
    capsule = given.__dlpack__(stream=stream or 1)
    t = ctypes.cast(_pointer_of(capsule, _NAME), _Pointer).contents.tensor
    shape = tuple(t.shape[k] for k in range(t.ndim))
    strides, step = [0] * t.ndim, 1
    for k in reversed(range(t.ndim)):
        strides[k], step = (t.strides[k] if t.strides else step), step * shape[k]
    number = -1 if t.lanes != 1 else t.code * 256 + t.bits
    return Memory((t.data or 0) + t.byte_offset, number, shape, tuple(strides), (t.device_type, t.device_id), capsule)


_exported: dict[int, tuple[Any, ...]] = {}  # arrays that a framework holds, by the address of its description


def _forget(address: int) -> None:
    _exported.pop(address, None)


def _destroy(capsule: int) -> None:
    if _still_is(capsule, _NAME):  # else a framework has taken it over, and calls the deleter
        _forget(_address_in(capsule, _NAME))


_forget_in_c, _destroy_in_c = _Deleter(_forget), _Destructor(_destroy)


class Exported:
    """Memory as an array that frameworks take by `from_dlpack`. `wait()` is called if they will read it on another stream."""

    def __init__(self, memory: Memory, stream: int, wait: Any) -> None:
        self._memory, self._stream, self._wait = memory, stream, wait

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._memory.device

    def __dlpack__(self, *, stream: int | None = None, **_: Any) -> Any:
        ours = self._stream or 1
        if stream != -1 and (1 if stream is None else stream) != ours:
            self._wait()
        m = self._memory
        shape, strides = (ctypes.c_int64 * len(m.shape))(*m.shape), (ctypes.c_int64 * len(m.strides))(*m.strides)
        tensor = _Tensor(m.address or None, *m.device, len(m.shape), m.type // 256, m.type % 256, 1, shape, strides, 0)
        managed = _Managed(tensor, None, ctypes.cast(_forget_in_c, ctypes.c_void_p).value)
        address = ctypes.addressof(managed)
        _exported[address] = (managed, shape, strides, m.owner)
        return _new(address, _NAME, _destroy_in_c)
