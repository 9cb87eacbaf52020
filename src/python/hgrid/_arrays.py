# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of any framework as numpy arrays, without a copy where their numbers may be read as they lie, and back."""
from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InputError

AnyArray = npt.NDArray[Any]
_HOST = (1, 3)  # DLPack's device types: the host's memory, and that which is pinned
_CUDA = (2, 13)  # that of a device, and that which the driver moves


def fail(argument: str, why: str, index: int = -1, value: float = 0.0, code: str = "invalid_argument") -> InputError:
    return InputError(f"{argument} {why}", code, argument, index, value)


def _is_torch(given: object) -> bool:
    return type(given).__module__.partition(".")[0] == "torch"


def is_on_device(given: Any) -> bool:
    return not isinstance(given, np.ndarray) and hasattr(given, "__dlpack_device__") and int(given.__dlpack_device__()[0]) in _CUDA


def as_numpy(given: Any, argument: str) -> AnyArray:
    """A numpy array over the memory of any array on the host; anything else that numpy makes an array of is copied."""
    if isinstance(given, np.ndarray):
        return given
    if hasattr(given, "__dlpack_device__"):
        if _is_torch(given):
            given = given.detach()
        device, number = (int(part) for part in given.__dlpack_device__())
        if device not in _HOST:
            raise fail(argument, f"is on device {device}:{number} (DLPack's numbers); arrays on the host are needed here", -1, device,
                       "unsupported")
        try:
            return np.from_dlpack(given)
        except (BufferError, TypeError):  # such as arrays that may not be written to, for older numpys
            pass
    try:
        return np.asarray(given)
    except (ValueError, TypeError) as error:
        raise fail(argument, f"is no array: {error}") from None


def readable(array: AnyArray, dtype: npt.DTypeLike) -> AnyArray:
    """The array if its numbers are of that type, of this machine's byte order, aligned, and whole numbers apart; else a copy."""
    wanted = np.dtype(dtype)
    fits = array.dtype == wanted and array.dtype.isnative and array.flags.aligned
    if fits and all(step % wanted.itemsize == 0 for step in array.strides):
        return array
    return np.array(array, wanted, order="C")


def require_reals(array: AnyArray, argument: str) -> AnyArray:
    """float64 and float32 as they are, other real numbers as float64."""
    if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
        raise fail(argument, f"is an array of {array.dtype}; it must be of float64 or float32")
    kept = array.dtype.newbyteorder("=") in (np.dtype(np.float64), np.dtype(np.float32))
    return readable(array, array.dtype.newbyteorder("=") if kept else np.float64)


def require_shape(array: AnyArray, argument: str, *shape: int | None) -> AnyArray:
    """Throws unless the array has that shape; None is any size."""
    if array.ndim == len(shape) and all(want in (None, have) for want, have in zip(shape, array.shape)):
        return array
    words = ", ".join("n" if want is None else str(want) for want in shape) + ("," if len(shape) == 1 else "")
    raise fail(argument, f"has shape {array.shape}; ({words}) is needed", code="size_mismatch")


def integers(given: Any, argument: str, n: int | None = None, dtype: npt.DTypeLike = np.int32) -> AnyArray:
    """Whole numbers, one for each particle, one after the other. Those that do not fit are refused, not wrapped."""
    array = as_numpy(given, argument)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise fail(argument, f"is an array of {array.dtype}; whole numbers are needed")
    if n is not None:
        require_shape(array, argument, n)
    limits = np.iinfo(dtype)
    if array.size > 0 and not (limits.min <= int(array.min()) and int(array.max()) <= limits.max):
        index = int(np.flatnonzero((array.ravel() < limits.min) | (array.ravel() > limits.max))[0])
        value = int(array.ravel()[index])
        raise fail(f"{argument}[{index}]", f"is {value}; numbers of {limits.bits} bits are needed", index, value, "range_error")
    return np.ascontiguousarray(array, dtype)


def reals(given: Any, argument: str, *shape: int | None) -> npt.NDArray[np.float64]:
    """A contiguous array of float64 of that shape."""
    array = require_reals(as_numpy(given, argument), argument)
    return np.ascontiguousarray(require_shape(array, argument, *shape), np.float64)


def like(result: AnyArray, given: Any) -> Any:
    """The result in the framework of what was given, over the same memory where that framework can."""
    if _is_torch(given):
        return importlib.import_module("torch").from_dlpack(result)
    if isinstance(given, np.ndarray) or not hasattr(given, "__array_namespace__"):
        return result
    namespace = given.__array_namespace__()
    if result.size == 0:  # some frameworks take no null pointers
        return namespace.asarray(np.ascontiguousarray(result))
    return namespace.from_dlpack(np.ascontiguousarray(result))
