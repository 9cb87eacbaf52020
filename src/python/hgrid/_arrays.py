# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of any framework as numpy arrays, without a copy where their numbers may be read as they lie, and back."""
from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt

from ._checks import fail, shown
from ._errors import InputError
from ._units import numbers_alone, unit_of

AnyArray = npt.NDArray[Any]
_HOST = (1, 3)  # DLPack's device types: the host's memory, pinned memory
_CUDA = (2, 13)  # a device's memory, managed memory
_DOUBLE, _SINGLE = np.dtype(np.float64), np.dtype(np.float32)
_REAL = frozenset(np.dtype(kind) for kind in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"))  # not ml_dtypes


def _is_torch(given: object) -> bool:
    return type(given).__module__.partition(".")[0] == "torch"


def _device_of(given: Any) -> tuple[int, int]:
    """By DLPack's numbers; -1 for what has none. torch is asked otherwise, because torch.compile cannot look into its DLPack."""
    if _is_torch(given):
        device = given.device
        return (1, 0) if device.type == "cpu" else (2, device.index or 0) if device.type == "cuda" else (-1, 0)
    try:
        device, number = given.__dlpack_device__()
        return int(device), int(number)
    except Exception:  # whatever the classes of others raise
        return -1, 0


def is_on_device(given: Any) -> bool:
    return not isinstance(given, np.ndarray) and hasattr(given, "__dlpack_device__") and _device_of(given)[0] in _CUDA and not unit_of(given)


def device_number(given: Any) -> int:
    return _device_of(given)[1]


def as_numpy(given: Any, argument: str) -> AnyArray:
    """A numpy array over the memory of any array on the host; anything else that numpy makes an array of is copied."""
    if type(given) is np.ndarray:
        return given
    if given is None:
        raise fail(argument, "is None; an array is needed")
    if not isinstance(given, (int, float)):
        given = numbers_alone(given, argument)
    if not isinstance(given, np.ndarray) and hasattr(given, "__dlpack_device__") and not hasattr(given, "units"):
        return _from_dlpack(given, argument)
    try:
        return np.asarray(given)
    except Exception as error:  # whatever the classes of others raise
        library = type(given).__module__.partition(".")[0]
        way = f"; give {argument}[...]" if library == "jax" else f"; give {argument}.values" if hasattr(given, "values") else ""
        raise fail(argument, f"is no array: {' '.join(str(error).split())}{way}") from None


def _from_dlpack(given: Any, argument: str) -> AnyArray:
    if _is_torch(given):
        _require_numbers(given, argument)
        given = given.detach()
    device, number = _device_of(given)
    if device not in (*_HOST, -1):
        raise fail(argument, f"is on device {device}:{number} (DLPack's numbers); arrays on the host are needed here", -1,
                   device, "unsupported")
    # asarray takes arrays that may not be written to, for older numpys. torch 2.10 cannot compile what calls from_dlpack.
    for convert in (np.asarray,) if _is_torch(given) else (np.from_dlpack, np.asarray):
        try:
            array: AnyArray = convert(given)
        except Exception:  # a type that numpy lacks, such as bfloat16, or one that is sparse: frameworks raise what they like
            continue
        if array.dtype.kind != "O":
            return array
    if type(given).__module__.partition(".")[0] == "pyarrow":
        raise fail(argument, f"is a {type(given).__name__}; give its numbers, {argument}.flatten().to_numpy().reshape(len({argument}), -1)")
    layout = f" ({given.layout})" if hasattr(given, "layout") else ""
    kind = getattr(given, "dtype", "a type that numpy does not know")
    raise fail(argument,
               f"is an array of {kind}{layout}, which numpy does not read; convert it to a dense one of float64 or float32")


def _require_numbers(tensor: Any, argument: str) -> None:
    """Raises InputError for tensors of torch that have no memory, share other memory, or hide numbers."""
    kind, plain = type(tensor), importlib.import_module("torch").Tensor
    if kind.__name__ == "MaskedTensor":
        raise fail(argument, f"has a mask; give the numbers below it by {argument}.get_data(), or leave such particles out")
    if tensor.device.type == "meta" or getattr(kind, "__torch_dispatch__", None) is not plain.__torch_dispatch__:
        raise fail(argument, f"is a {kind.__name__} on {tensor.device}, which has no numbers to read; give a plain tensor of the host or of CUDA")


def readable(array: AnyArray, dtype: npt.DTypeLike) -> AnyArray:
    """The array if its numbers are of that type, of this machine's byte order, aligned, and whole numbers apart; else a copy."""
    if array.dtype is dtype and array.flags.carray:  # as most are
        return array
    wanted = np.dtype(dtype)
    fits = array.dtype == wanted and array.dtype.isnative and array.flags.aligned
    if fits and all(step % wanted.itemsize == 0 for step in array.strides):
        return array
    return np.array(array, wanted, order="C")


def real_numbers(given: Any, argument: str) -> AnyArray:
    """float64 and float32 as they are, other real numbers as float64."""
    array = as_numpy(given, argument)
    if (array.dtype is _DOUBLE or array.dtype is _SINGLE) and array.flags.carray:  # as most are
        return array
    if array.dtype.kind == "O" and array.size > 0 and all(type(one) is float or type(one) is int and abs(one) <= 1 << 53 for one in array.ravel().tolist()):
        return array.astype(_DOUBLE)  # as pandas gives columns of types of its own
    if array.dtype.newbyteorder("=") not in _REAL:
        raise _of_another_type(array, argument, "it must be of float64 or float32")
    native = array.dtype.newbyteorder("=")
    return readable(array, native if native in (_DOUBLE, _SINGLE) else _DOUBLE)


def _of_another_type(array: AnyArray, argument: str, wanted: str) -> InputError:
    """Objects are named, because one among many numbers makes all of them objects."""
    if array.dtype.kind != "O":
        return fail(argument, f"is an array of {array.dtype}; {wanted}")
    if array.ndim == 0:
        given = array.item()
        remedy = f"pass {argument}.toarray()" if hasattr(given, "toarray") else "an array is needed"
        return fail(argument, f"is {shown(given)}, of which numpy makes no array; {remedy}")
    for place in np.ndindex(array.shape):
        if not isinstance(array[place], (int, float, np.number)) or abs(array[place]) > 1 << 63:
            at = ", ".join(map(str, place))
            if isinstance(array[place], (list, tuple, np.ndarray)):
                return fail(argument, f"is an array of rows that are objects; give np.stack({argument})")
            return fail(f"{argument}[{at}]", f"is {shown(array[place])}, so {argument} is an array of object; {wanted}",
                        place[0])
    return fail(argument, f"is an array of object; {wanted}")


def require_shape(array: AnyArray, argument: str, *shape: int | None) -> AnyArray:
    """Throws unless the array has that shape; None is any size."""
    if array.shape == shape or array.ndim == len(shape) and all(want in (None, have) for want, have in zip(shape, array.shape)):
        return array
    words = ", ".join("n" if want is None else str(want) for want in shape) + ("," if len(shape) == 1 else "")
    if array.ndim == 0:
        raise fail(argument, f"is one number, {shown(array.item())}; an array of shape ({words}) is needed",
                   code="size_mismatch")
    raise fail(argument, f"has shape {array.shape}; ({words}) is needed", code="size_mismatch")


def integers(given: Any, argument: str, n: int | None = None, dtype: npt.DTypeLike = np.int32) -> AnyArray:
    """Whole numbers, n of them if that is known, one after the other. Those that do not fit are refused, not wrapped."""
    array = as_numpy(given, argument)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise _of_another_type(array, argument, "whole numbers are needed")
    if n is not None:
        require_shape(array, argument, n)
    limits = np.iinfo(dtype)
    if array.size > 0 and not (limits.min <= int(array.min()) and int(array.max()) <= limits.max):
        index = int(np.flatnonzero((array.ravel() < limits.min) | (array.ravel() > limits.max))[0])
        value = int(array.ravel()[index])
        raise fail(f"{argument}[{index}]", f"is {value}; numbers of {limits.bits} bits are needed", index, value, "range_error")
    return np.asarray(array, dtype, order="C")


def reals(given: Any, argument: str, *shape: int | None) -> npt.NDArray[np.float64]:
    """A contiguous array of float64 of that shape; of any shape if none is told."""
    array = real_numbers(given, argument)
    return np.asarray(require_shape(array, argument, *shape) if shape else array, np.float64, order="C")


def described(array: Any) -> str:
    """Its type, such as "int32"."""
    return str(array.dtype).rpartition(".")[2]


def like(result: AnyArray, given: Any) -> Any:
    """The result in the framework of what was given, over the same memory where that framework can."""
    if isinstance(given, np.ndarray):
        return result
    if _is_torch(given):
        return importlib.import_module("torch").from_dlpack(result)
    if not hasattr(given, "__array_namespace__"):
        return result
    namespace = given.__array_namespace__()
    if result.size == 0:  # some frameworks take no null pointers
        return namespace.asarray(np.ascontiguousarray(result))
    return namespace.from_dlpack(np.ascontiguousarray(result))
