# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on a device: of a small framework, in one module, where an emulator stands in for the device (each array has memory of its
own); or of torch, cupy or jax, whichever HGRID_FRAMEWORK names, on a device."""
import ctypes
import importlib
import os

import numpy as np
import pytest

import dlpack_capsules

_TYPES = {np.dtype(name): code * 256 + np.dtype(name).itemsize * 8
          for name, code in (("int32", 0), ("int64", 0), ("int16", 0), ("uint8", 1), ("uint64", 1), ("float32", 2), ("float64", 2), ("complex128", 5))}
_DTYPES = {number: dtype for dtype, number in _TYPES.items()}

EMULATED = pytest.mark.skipif("emulated" not in os.environ.get("HGRID_C_LIBRARY", ""), reason="no emulated device")
ANY_DEVICE = pytest.mark.skipif("emulated" not in os.environ.get("HGRID_C_LIBRARY", "") and "HGRID_FRAMEWORK" not in os.environ,
                                reason="no device")
TILTED = {"cell": [[1, 0, 0], [0.2, 1, 0], [0, 0, 1]]}


class Framework:
    has_strides = True
    int32, int64, uint8, uint64, float32, float64 = np.int32, np.int64, np.uint8, np.uint64, np.float32, np.float64

    def __init__(self, cuda, stream=1):
        self.cuda, self.stream, self.asked = cuda, stream, []

    def asarray(self, array, strided=False):
        """A copy on the device; with a gap after each number of the last axis."""
        array = np.ascontiguousarray(array)
        wide = np.repeat(array, 2, axis=-1) if strided else array
        strides = tuple((wide.strides[k] // wide.itemsize) * (2 if strided and k == wide.ndim - 1 else 1) for k in range(wide.ndim))
        own = _Own(self, np.ascontiguousarray(wide))
        memory = dlpack_capsules.Memory(own.address.value, _TYPES[array.dtype], array.shape, strides, (2, 0), own)
        return DeviceArray(self, memory)

    def from_dlpack(self, given):
        memory = dlpack_capsules.memory_of(_Asking(given, self.stream), 0)
        assert memory.address, "some frameworks take no null pointers"
        return DeviceArray(self, memory)

    def max(self, array):
        return array.numpy().max()

    def min(self, array):
        return array.numpy().min()

    def argmax(self, array):
        return array.numpy().argmax()

    def read(self, address, dtype, shape, strides):
        extent = 1 + sum((n - 1) * step for n, step in zip(shape, strides)) if np.prod(shape) else 0
        flat = np.empty(extent, dtype)
        assert extent == 0 or self.cuda.cudaMemcpy(flat.ctypes.data_as(ctypes.c_void_p), ctypes.c_void_p(address),
                                                   ctypes.c_size_t(flat.nbytes), 2) == 0
        return np.lib.stride_tricks.as_strided(flat, shape, [step * flat.itemsize for step in strides]).copy()


class _Asking:
    """Names the framework's own stream, as frameworks do."""

    def __init__(self, given, stream):
        self.given, self.stream = given, stream

    def __dlpack__(self, stream):
        return self.given.__dlpack__(stream=self.stream)


class _Own:
    """Memory of the framework's own with these numbers."""

    def __init__(self, framework, numbers):
        self.cuda, self.address = framework.cuda, ctypes.c_void_p()
        assert self.cuda.cudaMalloc(ctypes.byref(self.address), ctypes.c_size_t(max(numbers.nbytes, 1))) == 0
        assert numbers.size == 0 or self.cuda.cudaMemcpy(self.address, numbers.ctypes.data_as(ctypes.c_void_p),
                                                         ctypes.c_size_t(numbers.nbytes), 1) == 0

    def __del__(self):
        self.cuda.cudaFree(self.address)


class DeviceArray:
    """Over memory of its own, or that another library has given."""

    def __init__(self, framework, memory):
        self.framework, self.memory, self.shape = framework, memory, memory.shape
        self.dtype = _DTYPES[memory.type]

    def copy(self):
        return self.framework.asarray(self.numpy())

    def __array_namespace__(self):
        return self.framework

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream=None):
        self.framework.asked.append(stream)
        return dlpack_capsules.Exported(self.memory._replace(owner=self), 0, lambda: None).__dlpack__(stream=1)

    def numpy(self):
        return self.framework.read(self.memory.address, self.dtype, self.shape, self.memory.strides)

    @property
    def T(self):
        return self.framework.asarray(self.numpy().T)

    def astype(self, kind):
        return self.framework.asarray(self.numpy().astype(kind))

    def view(self, kind):
        return self.framework.asarray(self.numpy().view(kind))

    def __getitem__(self, where):
        return self.framework.asarray(self.numpy()[where])

    def __int__(self):
        return int(self.numpy().item())

    def __add__(self, other):
        return self.framework.asarray(self.numpy() + other.numpy())

    def __sub__(self, other):
        return self.framework.asarray(self.numpy() - other.numpy())

    def __gt__(self, number):
        return (self.numpy() > number)


class _Installed:
    """One that users have. `strided`: with a gap after each number of the last axis."""
    has_strides = True

    def __init__(self, name):
        self.module = importlib.import_module(name)

    def asarray(self, array, strided=False):
        array = np.ascontiguousarray(array)
        if not strided or not self.has_strides:
            return self.put(array)
        return self.put(np.repeat(array, 2, axis=-1))[..., ::2]


class _Torch(_Installed):
    def put(self, array):
        return self.module.tensor(array, device="cuda")


class _Cupy(_Installed):
    def put(self, array):
        return self.module.asarray(array)


class _Jax(_Installed):
    has_strides = False

    def __init__(self, name):
        super().__init__(name)
        self.module.config.update("jax_enable_x64", True)

    def put(self, array):
        return self.module.device_put(array, self.module.devices("gpu")[0])


def installed(name):
    return {"torch": _Torch, "cupy": _Cupy, "jax": _Jax}[name](name)


def numpy_of(array):
    """Its numbers on the host."""
    name = type(array).__module__.partition(".")[0]
    if name == "torch":
        return array.cpu().numpy()
    if name == "cupy":
        return array.get()
    return np.asarray(array) if name.startswith("jax") else array.numpy()


def system(rng, n, dtype=np.float64):
    r = (0.02 * (1 - rng.random(n) * (1 - 5.0**-2)) ** -0.5).astype(dtype)
    return rng.random((n, 3)).astype(dtype), r


def same(found, expected):
    """Expects an equal type, equal bits, and the device."""
    if expected is None:
        return found is None
    there = numpy_of(found)
    return found.__dlpack_device__()[0] == 2 and there.dtype == expected.dtype and np.array_equal(there, expected)


def all_same(found, expected):
    return all(same(*two) for two in zip(found, expected, strict=True))


def same_lists(found, expected):
    return all(same(getattr(found, name), getattr(expected, name)) for name in ("offsets", "indices", "shifts", "i", "counts"))
