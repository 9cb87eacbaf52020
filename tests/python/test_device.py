# SPDX-License-Identifier: BSD-3-Clause
"""Grids on a device, which an emulator stands in for: HGRID_C_LIBRARY names hgrid's C library linked with it."""
import ctypes
import os

import numpy as np
import pytest

import hgrid
from hgrid import _dlpack

pytestmark = pytest.mark.skipif("emulated" not in os.environ.get("HGRID_C_LIBRARY", ""), reason="no emulated device")
_TYPES = {np.dtype(name): code * 256 + np.dtype(name).itemsize * 8
          for name, code in (("int32", 0), ("int64", 0), ("uint8", 1), ("float32", 2), ("float64", 2))}
_DTYPES = {number: dtype for dtype, number in _TYPES.items()}


@pytest.fixture(scope="module")
def cuda():
    # With the symbols of the libraries that it needs. The emulator's kernels are libraries too, which look for some of them.
    return ctypes.CDLL(os.environ["HGRID_C_LIBRARY"], mode=ctypes.RTLD_GLOBAL)


class Framework:
    """A framework of arrays on the device, in one module, as users know them. Each array has memory of its own."""

    def __init__(self, cuda, stream=1):
        self.cuda, self.stream, self.asked = cuda, stream, []

    def asarray(self, array, strided=False):
        """A copy on the device; with a gap behind each number of the last axis."""
        wide = np.repeat(array, 2, axis=-1) if strided else array
        strides = tuple((wide.strides[k] // wide.itemsize) * (2 if strided and k == wide.ndim - 1 else 1) for k in range(wide.ndim))
        return DeviceArray(self, np.ascontiguousarray(wide), array.shape, strides)

    def from_dlpack(self, given):
        return Borrowed(self, _dlpack.memory_of(_Asking(given, self.stream), 0))

    def read(self, address, dtype, shape, strides):
        extent = 1 + sum((n - 1) * step for n, step in zip(shape, strides)) if np.prod(shape) else 0
        flat = np.empty(extent, dtype)
        assert extent == 0 or self.cuda.cudaMemcpy(flat.ctypes.data_as(ctypes.c_void_p), ctypes.c_void_p(address),
                                                   ctypes.c_size_t(flat.nbytes), 2) == 0
        return np.lib.stride_tricks.as_strided(flat, shape, [step * flat.itemsize for step in strides]).copy()


class _Asking:
    """What a framework does: it names its own stream."""

    def __init__(self, given, stream):
        self.given, self.stream = given, stream

    def __dlpack__(self, stream):
        return self.given.__dlpack__(stream=self.stream)


class Borrowed:
    """Memory that another library has given."""

    def __init__(self, framework, memory):
        self.framework, self.memory = framework, memory

    def copy(self):
        m = self.memory
        return self.framework.asarray(self.framework.read(m.address, _DTYPES[m.type], m.shape, m.strides))


class DeviceArray:
    def __init__(self, framework, numbers, shape, strides):
        self.framework, self.dtype, self.shape, self.strides = framework, numbers.dtype, shape, strides
        self.address = ctypes.c_void_p()
        assert framework.cuda.cudaMalloc(ctypes.byref(self.address), ctypes.c_size_t(max(numbers.nbytes, 1))) == 0
        assert numbers.size == 0 or framework.cuda.cudaMemcpy(self.address, numbers.ctypes.data_as(ctypes.c_void_p),
                                                              ctypes.c_size_t(numbers.nbytes), 1) == 0

    def __del__(self):
        self.framework.cuda.cudaFree(self.address)

    def __array_namespace__(self):
        return self.framework

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream=None):
        self.framework.asked.append(stream)
        memory = _dlpack.Memory(self.address.value, _TYPES[self.dtype], self.shape, self.strides, (2, 0), self)
        return _dlpack.Exported(memory, 0, lambda: None).__dlpack__(stream=1)

    def numpy(self):
        return self.framework.read(self.address.value, self.dtype, self.shape, self.strides)


@pytest.fixture()
def framework(cuda):
    return Framework(cuda)


def system(rng, n, dtype=np.float64):
    r = (0.02 * (1 - rng.random(n) * (1 - 5.0**-2)) ** -0.5).astype(dtype)
    return rng.random((n, 3)).astype(dtype), r


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("strided", [False, True])
def test_results_are_those_of_the_host(rng, framework, dtype, periodic, strided):
    x, r = system(rng, 400, dtype)
    box = {"cell": [[1, 0, 0], [0.2, 1, 0], [0, 0, 1]]} if periodic else {}
    host = hgrid.Grid(skin=0.001, **box).build(x, r)
    device = hgrid.DeviceGrid(skin=0.001, **box).build(framework.asarray(x, strided), framework.asarray(r, strided))
    assert device.count() == host.count() > 50
    expected, found = host.pairs("ijS", order="sorted"), device.pairs("ijS", order="sorted")
    assert isinstance(found.ij, DeviceArray) and found.ij.dtype == np.int32
    assert np.array_equal(found.ij.numpy(), expected.ij)
    assert found.S is None if not periodic else np.array_equal(found.S.numpy(), expected.S)
    for full in (False, True):
        expected, found = host.neighbors(full=full), device.neighbors(full=full)
        assert np.array_equal(found.offsets.numpy(), expected.offsets) and np.array_equal(found.indices.numpy(), expected.indices)
        assert found.shifts is None if not periodic else np.array_equal(found.shifts.numpy(), expected.shifts)
    points = rng.random((20, 3))
    expected = host.query(points, radius=np.full(20, 0.1))
    found = device.query(framework.asarray(points), radius=framework.asarray(np.full(20, 0.1)))
    assert np.array_equal(found.offsets.numpy(), expected.offsets) and np.array_equal(found.indices.numpy(), expected.indices)
    assert device.valid(framework.asarray(x), framework.asarray(r))
    assert not device.valid(framework.asarray(x + dtype(0.01) * (np.arange(3) == 1)[None].astype(dtype)), framework.asarray(r))


def test_what_particles_may_have(rng, framework):
    x, r = system(rng, 200)
    more = {"extra": rng.random(200) * 0.01, "group": (np.arange(200) % 9 - 1).astype(np.int32),
            "active": (np.arange(200) % 5 > 0).astype(np.uint8), "world": (np.arange(200) % 3).astype(np.int32)}
    known = {"worlds": 3, "owned": 150, "radius_scale": 1.5}
    some = hgrid.Grid().build(x, r, **more, **known).pairs(order="sorted").ij
    more["exclude"] = some[::3].copy()
    host = hgrid.Grid().build(x, r, **more, **known)
    assert 5 < host.count() < len(some)
    there = {name: framework.asarray(array) for name, array in more.items()}
    device = hgrid.DeviceGrid().build(framework.asarray(x), framework.asarray(r), **there, **known)
    assert np.array_equal(device.pairs(order="sorted").ij.numpy(), host.pairs(order="sorted").ij)


def test_results_outlive_the_grid_and_the_next_call(rng, framework):
    x, r = system(rng, 300)
    grid = hgrid.DeviceGrid().build(framework.asarray(x), framework.asarray(r))
    first = grid.pairs(order="sorted")
    expected = first.ij.numpy()
    grid.build(framework.asarray(x[::-1].copy()), framework.asarray(r)).pairs(order="sorted")
    del grid
    assert np.array_equal(first.ij.numpy(), expected)
    assert not _dlpack._exported, "memory is held that nobody reads any more"


def test_streams_are_ordered(rng, cuda, monkeypatch):
    """Calls wait where the framework works on another stream than the grid, or does not tell on which, and else do not."""
    x, r = system(rng, 50)
    expected = hgrid.Grid().build(x, r).pairs(order="sorted").ij
    other = ctypes.c_void_p()
    assert cuda.cudaStreamCreate(ctypes.byref(other)) == 0
    for told in (False, True):
        framework, waits = Framework(cuda, stream=other.value), []
        there = framework.asarray(x), framework.asarray(r)
        if told:
            monkeypatch.setattr("hgrid._frameworks.Framework.stream", other.value)
        for stream in (None, other.value) if told else (0, other.value):
            grid = hgrid.DeviceGrid(stream=stream)
            wait = grid.wait
            grid.wait = lambda wait=wait: (waits.append(1), wait())
            assert np.array_equal(grid.build(*there).pairs(order="sorted").ij.numpy(), expected)
            assert framework.asked[-2:] == [stream or (other.value if told else 1)] * 2, "arrays are ready in the grid's order"
            assert bool(waits) != told
            del grid.wait, wait
        del there, grid
    assert cuda.cudaStreamDestroy(other) == 0


def test_values_follow_their_pairs(rng, framework):
    x, r = system(rng, 200)
    v = rng.normal(size=x.shape) * 0.004
    lists = hgrid.DeviceVerletList(hgrid.DeviceGrid(skin=0.02)), hgrid.VerletList(hgrid.Grid(skin=0.02))
    builds, born = 0, np.empty(0, np.int64)  # by which build each pair was found first
    for _ in range(12):
        x = x + v
        rebuilt = lists[0].update(framework.asarray(x), framework.asarray(r)), lists[1].update(x, r)
        assert rebuilt[0] == rebuilt[1]
        builds += rebuilt[0]
        found, expected = (verlet.neighbors() for verlet in lists)
        assert np.array_equal(found.indices.numpy(), expected.indices)
        if rebuilt[0]:
            carried = lists[1].carry(born, fresh=builds)
            origins = lists[0].origins().numpy()
            kept = origins >= 0
            born = np.where(kept, born[np.where(kept, origins, 0)] if len(born) else builds, builds)
            assert np.array_equal(born, carried)
    assert builds > 2 and len(set(born)) > 1


def test_errors(rng, framework):
    x, r = system(rng, 60)
    there = framework.asarray(x), framework.asarray(r)
    with pytest.raises(hgrid.StateError, match="not built"):
        hgrid.DeviceGrid().pairs()
    for wrong in (x, [[0.0, 0.0]]):
        with pytest.raises(hgrid.InputError, match="Grid takes arrays on the host") as caught:
            hgrid.DeviceGrid().build(wrong, r)
        assert caught.value.code == "unsupported"
    with pytest.raises(hgrid.InputError, match="r is not on the device"):
        hgrid.DeviceGrid().build(there[0], r)
    with pytest.raises(hgrid.InputError, match="r is of float32") as caught:
        hgrid.DeviceGrid().build(there[0], framework.asarray(r.astype(np.float32)))
    assert caught.value.argument == "r"
    with pytest.raises(hgrid.InputError, match="r has a size of 59"):
        hgrid.DeviceGrid().build(there[0], framework.asarray(r[1:]))
    bad = x.copy()
    bad[17, 2] = np.nan
    with pytest.raises(hgrid.InputError, match=r"x\[17\] is nan") as caught:
        hgrid.DeviceGrid().build(framework.asarray(bad), there[1])
    assert (caught.value.code, caught.value.index) == ("nonfinite", 17)
    assert hgrid.DeviceGrid().build(framework.asarray(bad), there[1], nonfinite="skip").count() >= 0
    with pytest.raises(hgrid.InputError, match="rule is 'of thumb'"):
        hgrid.DeviceGrid(rule="of thumb")
    with pytest.raises(hgrid.InputError, match="letters of 'ijPS'"):
        hgrid.DeviceGrid().build(*there).pairs("ijd")


def test_the_box_may_change(rng, framework):
    x, r = system(rng, 200)
    boxes = [{"cell": [[1, 0, 0], [shear, 1, 0], [0, 0, 1]]} for shear in (0, 0.25)]
    device, host = (kind(**boxes[0]) for kind in (hgrid.DeviceGrid, hgrid.Grid))
    there = framework.asarray(x), framework.asarray(r)
    numbers = []
    for box in boxes:
        device.set_box(**box), host.set_box(**box)
        numbers.append(host.build(x, r).pairs("S", order="sorted").S.tolist())
        assert device.build(*there).pairs("S", order="sorted").S.numpy().tolist() == numbers[-1]
    assert numbers[0] != numbers[1]


def test_empty(framework):
    nothing = framework.asarray(np.empty((0, 3))), framework.asarray(np.empty(0))
    grid = hgrid.DeviceGrid().build(*nothing)
    assert grid.count() == 0 and grid.pairs().ij.shape == (0, 2)
    assert grid.neighbors().offsets.numpy().tolist() == [0]
