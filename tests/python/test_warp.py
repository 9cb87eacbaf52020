# SPDX-License-Identifier: BSD-3-Clause
"""Lists of arrays of Warp, walked by kernels, on the CPU and on CUDA devices where there are some."""
import os

import numpy as np
import pytest
from conftest import system

import hgrid

wp = pytest.importorskip("warp", "1.19")
wp.config.quiet = True
import hgrid.warp  # noqa: E402
from hgrid import _device  # noqa: E402

DEVICES = ["cpu", *(["cuda:0"] if wp.is_cuda_available() and os.environ.get("HGRID_C_LIBRARY") else [])]
TILTED = {"cell": [[1, 0, 0], [0.2, 1, 0], [-0.1, 0.3, 1]], "periodic": True}
pytestmark = pytest.mark.parametrize("device", DEVICES)


def sums_of(kind):
    @wp.kernel(module="unique")
    def sums(x: wp.array(dtype=kind), near: hgrid.warp.Neighbors, f: wp.array(dtype=kind), ids: wp.array(dtype=int)):
        i = wp.tid()
        total, listed = x.dtype(), int(0)
        for k in range(hgrid.warp.count(near, i)):
            j = hgrid.warp.neighbor(near, i, k)
            total += hgrid.warp.separation(near, i, k, x[i], x[j])
            listed += j + 1000 * hgrid.warp.shift(near, i, k, 1)
        f[i] = total
        ids[i] = listed

    return sums


def given(device, x, r, kind=None):
    kind = kind or wp.vec3d
    scalar = kind._wp_scalar_type_
    return wp.array(x, dtype=kind, device=device), wp.array(r, dtype=scalar, device=device)


def expected(box, x, r, skin):
    grid = hgrid.Grid(skin=skin, **box).build(x, r)
    i, j, S, D = grid.neighbors("ijSD")
    f, ids = np.zeros(x.shape), np.zeros(len(x), int)
    np.add.at(f, i, D)
    np.add.at(ids, i, j + 1000 * (0 if S is None else S[:, 1]))
    return f, ids, len(i)


def launched(sums, x, near):
    f, ids = wp.zeros_like(x), wp.zeros(len(x), dtype=int, device=x.device)
    wp.launch(sums, dim=len(x), inputs=[x, near, f, ids], device=x.device)
    return f, ids


@pytest.mark.parametrize("kind", [wp.vec3f, wp.vec3d, wp.vec2f, wp.vec2d])
@pytest.mark.parametrize("periodic", [False, True])
def test_kernels_walk_the_lists_of_the_host(rng, device, kind, periodic):
    sums, dimension = sums_of(kind), kind._shape_[0]
    x, r = system(rng, 300, dimension)
    box = {"cell": np.array(TILTED["cell"])[:dimension, :dimension], "periodic": True} if periodic else {}
    lists = hgrid.warp.VerletList(hgrid.Grid(skin=0.02, **box))
    for step in range(3):
        x = x + 0.005 * (step > 0)  # all move as one, so half a skin is used up at the second step
        there = given(device, x, r, kind)
        assert lists.update(*there) == (step != 1)
        f, ids = launched(sums, there[0], lists.near)
        if step != 1:
            forces, listed, entries = expected(box, there[0].numpy(), there[1].numpy(), 0.02)
            assert lists.near.indices.shape == (entries,) and entries > 100 and (ids.numpy() == listed).all()
        np.testing.assert_allclose(f.numpy(), forces, atol=1e-12 if kind in (wp.vec3d, wp.vec2d) else 1e-5)
    assert (lists.origins.numpy() >= -1).all() and len(lists.origins) == entries


def test_memory_is_shared(rng, device):
    x, r = given(device, *system(rng, 100))
    found = hgrid.Grid().build(np.from_dlpack(x), np.from_dlpack(r)).neighbors() if device == "cpu" else None
    if found is not None:
        near = hgrid.warp.view(found)
        assert near.indices.ptr == found.indices.ctypes.data and near.offsets.ptr == found.offsets.ctypes.data
    lists = hgrid.warp.VerletList(hgrid.Grid(skin=0.01))
    x.fill_(wp.vec3d(0.5))
    assert lists.update(x, r) and lists.near.indices.shape == (100 * 99,)
    assert lists.near.indices.device == wp.get_device(device)


@pytest.mark.parametrize("periodic", [False, True])
def test_a_graph_reads_later_lists(rng, device, periodic):
    sums, box = sums_of(wp.vec3d), TILTED if periodic else {}
    numbers, r = system(rng, 200)
    x, radii = given(device, numbers, r)
    lists = hgrid.warp.VerletList(hgrid.Grid(skin=0.02, **box), capacity=20000)
    lists.update(x, radii)
    f, ids = launched(sums, x, lists.near)  # the kernel is loaded
    with wp.ScopedCapture(device) as capture:
        wp.launch(sums, dim=200, inputs=[x, lists.near, f, ids], device=device)
    for _ in range(3):
        numbers = numbers + rng.normal(size=numbers.shape) * 0.02
        x.assign(numbers)
        assert lists.update(x, radii)
        wp.capture_launch(capture.graph)
        forces, listed, _ = expected(box, numbers, r, 0.02)
        assert (ids.numpy() == listed).all()
        np.testing.assert_allclose(f.numpy(), forces, atol=1e-12)


def test_a_graph_follows_a_box_in_shear(rng, device):
    sums = sums_of(wp.vec3d)
    numbers, r = system(rng, 200)
    x, radii = given(device, numbers, r)
    lists = hgrid.warp.VerletList(hgrid.Grid(skin=0.2, **TILTED), capacity=200000)
    lists.update(x, radii)
    f, ids = launched(sums, x, lists.near)
    with wp.ScopedCapture(device) as capture:
        wp.launch(sums, dim=200, inputs=[x, lists.near, f, ids], device=device)
    cell = np.array(TILTED["cell"], float)
    before = lists.list.neighbors()
    cell[1, 0] += 0.01
    lists.list.grid.set_box(cell=cell, periodic=True)
    assert not lists.update(x, radii)
    wp.capture_launch(capture.graph)
    i = np.repeat(np.arange(200), before.counts)
    forces = np.zeros((200, 3))
    np.add.at(forces, i, numbers[before.indices] - numbers[i] + before.shifts @ cell)
    np.testing.assert_allclose(f.numpy(), forces, atol=1e-11)


def test_captures_that_cannot_be(rng, device):
    numbers, r = system(rng, 200)
    x, radii = given(device, numbers, r)
    lists = hgrid.warp.VerletList(hgrid.Grid(skin=0.02))
    with pytest.raises(hgrid.StateError, match="call update"):
        lists.near
    lists.update(x, radii)
    with wp.ScopedCapture(device):
        for call, why in ((lambda: lists.update(x, radii), "update it before"), (lambda: lists.near, "give the list a capacity")):
            with pytest.raises(hgrid.StateError, match=why) as caught:
                call()
            assert caught.value.code == "reentrancy"
    assert not lists.update(x, radii)


@pytest.mark.parametrize("wrapped", [False, True])
def test_updates_in_graphs(rng, device, wrapped):
    """The device decides at each replay; on the CPU no graph holds an update. Wrapped positions are no reason to build."""
    n, cell = 200, np.array(TILTED["cell"], float)
    numbers, radii = system(rng, n)
    x, r = given(device, numbers, radii)
    lists = hgrid.warp.VerletList(hgrid.Grid(skin=0.02, **TILTED), wrapped=wrapped)
    if device == "cpu":
        with pytest.raises(hgrid.InputError, match="no graph holds an update; call update before each launch") as caught:
            lists.wait(x, r)
        assert (caught.value.code, caught.value.argument) == ("unsupported", "x")
        return
    with pytest.raises(hgrid.InputError, match="is for graphs without updates"):
        hgrid.warp.VerletList(hgrid.Grid(), capacity=4).wait(x, r)

    @wp.kernel(module="unique")
    def forces(x: wp.array(dtype=wp.vec3d), r: wp.array(dtype=wp.float64), near: hgrid.warp.Neighbors, f: wp.array(dtype=wp.vec3d)):
        i = wp.tid()
        if hgrid.warp.holds(near):
            total = x.dtype()
            for k in range(hgrid.warp.count(near, i)):
                j = hgrid.warp.neighbor(near, i, k)
                d = hgrid.warp.separation(near, i, k, x[i], x[j])
                if wp.length(d) < r[i] + r[j]:
                    total += d
            f[i] = total

    f, graphs, crossed = wp.zeros_like(x), [], 0
    for step in range(40):
        numbers = numbers + rng.normal(size=numbers.shape) * 0.002
        out = np.floor(numbers @ np.linalg.inv(cell))
        crossed += np.count_nonzero(out)
        numbers -= out @ cell * wrapped
        x.assign(numbers)
        # [docs: graphs]
        if lists.wait(x, r):  # at first, and every thousand steps or so
            with wp.ScopedCapture(device) as capture:
                lists.update(x, r)  # the device decides at each replay whether the list is built anew
                wp.launch(forces, dim=n, inputs=[x, r, lists.near, f], device=device)
        wp.capture_launch(capture.graph)
        # [docs: end]
        graphs += [capture.graph] if capture.graph not in graphs else []
        i, D = hgrid.Grid(**TILTED).build(numbers, radii).neighbors("iD")
        expected_forces = np.zeros((n, 3))
        np.add.at(expected_forces, i, D)
        np.testing.assert_allclose(f.numpy(), expected_forces, atol=1e-12)
    lists.wait(x, r)
    assert 3 < lists.list.counters.builds < 20 and len(graphs) < 5 and crossed > 5


def test_lists_that_must_grow(rng, device):
    numbers, r = system(rng, 200)
    x, radii = given(device, numbers, r)
    lists = hgrid.warp.VerletList(hgrid.Grid(skin=0.02), capacity=4)
    entries = expected({}, numbers, r, 0.02)[2]
    for _ in range(2):  # also where the list itself has been built
        with pytest.raises(hgrid.InputError, match="capacity is 4; the list has") as caught:
            lists.update(x, radii)
        assert (caught.value.code, caught.value.argument, caught.value.needed) == ("capacity", "capacity", entries)
    lists.capacity = 2 * entries
    lists.update(x, radii)
    assert lists.near.indices.shape == (2 * entries,) and lists.near.offsets.numpy()[-1] == entries
    with pytest.raises(hgrid.InputError, match="x has 100 particles; the arrays of `near` are of 200") as caught:
        lists.update(*given(device, numbers[:100], r[:100]))
    assert caught.value.code == "size_mismatch"
    assert hgrid.warp.VerletList(hgrid.Grid(), capacity=0).update(*given(device, numbers[:0], r[:0]))


def test_arrays_of_another_type_or_place(rng, device):
    numbers, r = system(rng, 50)
    x, radii = given(device, numbers, r)
    lists = hgrid.warp.VerletList(hgrid.Grid(skin=0.02))
    half = wp.array(numbers, dtype=wp.vec3h, device=device)
    single = wp.array(r, dtype=wp.float32, device=device)
    wide = wp.zeros(50, dtype=wp.int64, device=device)
    for arguments, more, name, why in (((numbers, radii), {}, "x", "a wp.array is needed"), ((half, radii), {}, "x", "vec3h .* vec2 or vec3 of"),
                                       ((radii, radii), {}, "x", "float64 of shape"), ((x, single), {}, "r", "float32; it must be of float64"),
                                       ((x, radii), {"group": wide}, "group", "int64; it must be of int32")):
        with pytest.raises(hgrid.InputError, match=why) as caught:
            lists.update(*arguments, **more)
        assert caught.value.argument == name
    lists.update(x, radii, group=wp.zeros(50, dtype=wp.int32, device=device))
    assert lists.near.indices.shape == (0,)  # all of one group
    apart = hgrid.warp.VerletList(hgrid.Grid())
    apart.list.grid.set_boxes([hgrid.Box(cell=np.eye(3), periodic=True)])
    with pytest.raises(hgrid.InputError, match="has a box for each world"):
        apart.update(x, radii)
    numbers[7] = np.nan
    with pytest.raises(hgrid.InputError, match=r"x\[7\] is nan"):
        lists.update(*given(device, numbers, r))


def test_arrays_of_another_device(rng, device):
    """Where there is no second device, one that only says so."""
    numbers, r = system(rng, 50)
    x, radii = given(device, numbers, r)
    lists = hgrid.warp.VerletList(hgrid.Grid(skin=0.02))
    lists.update(x, radii)
    elsewhere, _ = given(device, numbers, r)
    elsewhere.device = type("Other", (), {"is_capturing": False, "is_cuda": False, "__str__": lambda self: "cuda:7"})()
    for arguments, name in (((elsewhere, radii), "x"), ((x, elsewhere), "r")):
        with pytest.raises(hgrid.InputError, match="is on cuda:7; the list works on") as caught:
            lists.update(*arguments)
        assert (caught.value.code, caught.value.argument) == ("unsupported", name)


def test_arrays_as_the_device_path_reads_them(rng, device, monkeypatch):
    """Without a device, one that only says so, as far as the C library's door."""
    if device != "cpu":
        pytest.skip("other tests use the device itself")
    stand_in, stream = hgrid.warp._OnDevice, type("Stream", (), {"cuda_stream": 7})
    monkeypatch.setattr(_device._core, "load", lambda library: None)
    monkeypatch.setattr(stand_in, "__dlpack_device__", lambda self: (2, 0))
    monkeypatch.setattr(stand_in, "__dlpack__", lambda self, stream: asked.append(stream) or self.array.__dlpack__())
    monkeypatch.setattr(stand_in, "stream_of", lambda device: stream)
    asked = []
    x, r, margin = (stand_in(array) for array in (*given("cpu", *system(rng, 50), wp.vec3f), wp.zeros(50, dtype=float, device="cpu")))
    place = _device.Device(x, None)
    assert (x.shape, x.dtype, r.shape, place.stream, place.columns_of(x)) == ((50, 3), "float32", (50,), 7, 3)
    world = stand_in(wp.array(np.arange(50) % 3, dtype=wp.int32, device="cpu"))
    particles, n = place.particles(_device.Given(x, r, world=world), 3)
    assert n == 50 and asked == [7, 7, 7] and place.widened(_device.Given(x, r), margin).extra is margin
    shifts = place._framework.taken(np.zeros((4, 3), np.int32), False)
    assert isinstance(shifts, stand_in) and shifts[..., :2].array.shape == (4, 3) and hgrid.warp._warps(shifts) is shifts.array
