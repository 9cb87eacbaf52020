# SPDX-License-Identifier: BSD-3-Clause
"""Grids on a device, which an emulator stands in for: HGRID_C_LIBRARY names hgrid's C library linked with it."""
import ctypes
import gc
import threading

import numpy as np
import pytest
import dlpack_capsules
from device_framework import ANY_DEVICE, EMULATED, TILTED, Framework, all_same, numpy_of, same, same_lists, system

import hgrid
from hgrid import _core

pytestmark = ANY_DEVICE


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("strided", [False, True])
def test_results_are_those_of_the_host(rng, framework, dtype, periodic, strided):
    x, r = system(rng, 400, dtype)
    box = TILTED if periodic else {}
    host = hgrid.Grid(skin=0.001, **box).build(x, r)
    device = hgrid.Grid(skin=0.001, **box).build(framework.asarray(x, strided), framework.asarray(r, strided))
    assert device.count() == host.count() > 50
    expected, found = host.pairs("ijPSdD", order="sorted"), device.pairs("ijPSdD", order="sorted")
    assert numpy_of(found.d).dtype == dtype and all_same([found.ij, found.S, found.d, found.D], [expected.ij, expected.S, expected.d, expected.D])
    assert all_same(device.pairs("dS", order="sorted"), (expected.d, expected.S))
    for full in (False, True):
        assert same_lists(device.neighbors(full=full), host.neighbors(full=full))
        width = int(host.neighbors(full=full).counts.max())
        for columns in (None, width, width + 3):
            asked = {"full": full, "padding": -7, "shifts": periodic}
            assert all_same(device.matrix(columns, **asked), host.matrix(columns, **asked))
        with pytest.raises(hgrid.InputError, match=f"max_neighbors is {width - 1}") as caught:
            device.matrix(width - 1, full=full)
        assert (caught.value.code, caught.value.needed) == ("capacity", width)
    assert device.valid(framework.asarray(x), framework.asarray(r))
    assert not device.valid(framework.asarray(x + dtype(0.01) * (np.arange(3) == 1)[None].astype(dtype)), framework.asarray(r))
    plans = device.plan, host.plan
    assert plans[0].levels[-1].radius_max == plans[1].levels[-1].radius_max
    assert plans[0].candidates > 0
    assert {sum(level.particles for level in plan.levels) for plan in plans} == {plan.particles for plan in plans} == {400}
    assert "cuda" in str(device.plan)


@pytest.mark.parametrize("box", [{}, {"cell": [[1, 0.1], [-0.2, 1.1]]}])
def test_two_dimensions(rng, framework, box):
    x, r = rng.random((200, 2)), 0.02 + 0.02 * rng.random(200)
    host, device = hgrid.Grid(**box).build(x, r), hgrid.Grid(**box).build(framework.asarray(x), framework.asarray(r))
    assert all_same(device.pairs("ijSdD", order="sorted"), host.pairs("ijSdD", order="sorted")) and host.count() > 20
    assert same_lists(device.neighbors(), host.neighbors())
    assert all_same(device.matrix(shifts=True), host.matrix(shifts=True))
    assert same_lists(device.query(framework.asarray(x[:9]), radius=0.05), host.query(x[:9], radius=0.05))
    assert same(hgrid.radius_graph(framework.asarray(x), 0.1), hgrid.radius_graph(x, 0.1))
    assert [len(level.cell_size) for level in device.plan.levels] == [2] * len(device.plan.levels)


def test_regions(rng, framework):
    x, r = system(rng, 300)
    points, radius = rng.random((20, 3)), np.full(20, 0.1)
    host, device = hgrid.Grid(**TILTED).build(x, r), hgrid.Grid(**TILTED).build(framework.asarray(x), framework.asarray(r))
    sizes = set()
    for more in ({}, {"radius": radius}, {"radius": 0.1}, {"radius": 0.1, "radius_scale": 2.5}, {"radius": 0.1, "take": "centres"}):
        there = {name: framework.asarray(value) if isinstance(value, np.ndarray) else value for name, value in more.items()}
        expected = host.query(points, **more)
        assert same_lists(device.query(framework.asarray(points), **there), expected)
        sizes.add(len(expected.indices))
    assert len(sizes) == 4 and min(sizes) < 20 < max(sizes)
    expected = host.query(lo=points.astype(np.float32), hi=points.astype(np.float32) + np.float32(0.1))
    there = (framework.asarray(array) for array in (points.astype(np.float32), points.astype(np.float32) + np.float32(0.1)))
    assert same_lists(device.query(**dict(zip(("lo", "hi"), there))), expected)
    with pytest.raises(hgrid.InputError, match="points is on the host"):
        device.query(points)
    assert same_lists(device.query(framework.asarray(points), radius=0.1, radius_scale=0), host.query(points, radius=0.1, radius_scale=0))
    for call in (device.touches, device.insert):
        with pytest.raises(hgrid.InputError, match="insertions are for hosts"):
            call(framework.asarray(points), 0.1)


def test_what_particles_may_have(rng, framework):
    x, r = system(rng, 200)
    more = {"extra": rng.random(200) * 0.01, "group": (np.arange(200) % 9 - 1).astype(np.int32),
            "active": (np.arange(200) % 5 > 0).astype(np.uint8), "world": (np.arange(200) % 3).astype(np.int64)}
    known = {"owned": 150, "radius_scale": 1.5}
    some = hgrid.Grid().build(x, r, **more, **known).pairs(order="sorted").ij
    more["exclude"] = some[::3].copy()
    host = hgrid.Grid().build(x, r, **more, **known)
    assert 5 < host.count() < len(some)

    def compare(**changed):
        there = {name: framework.asarray(array) for name, array in {**more, **changed}.items()}
        device = hgrid.Grid().build(framework.asarray(x), framework.asarray(changed.get("r", r)), **{k: there[k] for k in more}, **known)
        assert same(device.pairs(order="sorted").ij, host.pairs(order="sorted").ij)

    compare()
    compare(group=more["group"].astype(np.int64))
    bits = hgrid.Grid().build(x, r, active=(np.arange(200) % 7).astype(np.uint8), active_bits=2)
    there = framework.asarray((np.arange(200) % 7).astype(np.uint8))
    device = hgrid.Grid().build(framework.asarray(x), framework.asarray(r), active=there, active_bits=2)
    assert 0 < bits.count() == device.count() < hgrid.Grid().build(x, r).count()
    types, cutoffs = (np.arange(200) % 2).astype(np.int32), np.array([[0.01, 0.03], [0.03, 0.04]])
    host = hgrid.Grid().build(x, 0.02, types=types, cutoffs=cutoffs)
    device = hgrid.Grid().build(framework.asarray(x), 0.02, types=framework.asarray(types), cutoffs=framework.asarray(cutoffs))
    assert 0 < host.count() < hgrid.Grid().build(x, 0.02).count() == hgrid.Grid().build(framework.asarray(x), 0.02).count()
    assert same(device.pairs(order="sorted").ij, host.pairs(order="sorted").ij)


def test_numbers_of_other_types(rng, framework):
    """They are converted where they lie; whole numbers that do not fit are refused."""
    x, r = system(rng, 200)
    small = x.astype(np.float32), r.astype(np.float32)
    for given in ((small[0], r), (x, small[1])):
        host, device = hgrid.Grid().build(*given), hgrid.Grid().build(*(framework.asarray(array) for array in given))
        assert all_same(device.pairs("ijdD", order="sorted"), host.pairs("ijdD", order="sorted"))
    whole = (10 * x).astype(np.int64)
    host, device = hgrid.Grid().build(whole, 0.5), hgrid.Grid().build(framework.asarray(whole), 0.5)
    assert all_same(device.pairs("ijdD", order="sorted"), host.pairs("ijdD", order="sorted")) and host.count() > 0
    group = np.zeros(200, np.int64)
    group[7] = 2**40
    with pytest.raises(hgrid.InputError, match=f"group has {2**40}; numbers of 32 bits") as caught:
        hgrid.Grid().build(framework.asarray(x), framework.asarray(r), group=framework.asarray(group))
    assert caught.value.code == "range_error"
    flags = np.full(200, 256, np.int32)
    assert hgrid.Grid().build(x, r, active=flags).count() == hgrid.Grid().build(x, r).count()
    with pytest.raises(hgrid.InputError, match="active has 256; numbers of 8 bits") as caught:
        hgrid.Grid().build(framework.asarray(x), framework.asarray(r), active=framework.asarray(flags))
    assert caught.value.code == "range_error"
    there = framework.asarray(flags // 256)
    assert hgrid.Grid().build(framework.asarray(x), framework.asarray(r), active=there).count() == hgrid.Grid().build(x, r).count()


def test_one_radius_is_not_rounded(framework):
    touching = np.array([[0, 0, 0], [0.2, 0, 0]], np.float32)
    exactly = float(touching[1, 0]) / 2
    assert hgrid.Grid().build(framework.asarray(touching), exactly).count() == 1
    assert hgrid.Grid().build(framework.asarray(touching), np.nextafter(exactly, 0)).count() == 0


def test_results_outlive_the_grid_and_the_next_call(rng, framework):
    x, r = system(rng, 300)
    grid = hgrid.Grid().build(framework.asarray(x), framework.asarray(r))
    first, lists = grid.pairs("ijd", order="sorted"), grid.neighbors()
    expected, d, i = numpy_of(first.ij), numpy_of(first.d), hgrid.Grid().build(x, r).neighbors().i
    grid.build(framework.asarray(x[::-1].copy()), framework.asarray(r)).pairs("ijd", order="sorted")
    del grid
    assert np.array_equal(numpy_of(first.ij), expected) and np.array_equal(numpy_of(first.d), d) and same(lists.i, i)
    gc.collect()  # errors of other tests
    assert not dlpack_capsules._exported, "memory is held that nobody reads any more"


@EMULATED  # the small framework says on which stream it works
def test_streams_are_ordered(rng, cuda, monkeypatch):
    """Calls wait where the framework works on another stream than the grid, or does not tell on which, and else do not."""
    x, r = system(rng, 50)
    expected = hgrid.Grid().build(x, r).pairs(order="sorted").ij
    other = ctypes.c_void_p()
    assert cuda.cudaStreamCreate(ctypes.byref(other)) == 0
    waits = []
    wait = _core.Grid.wait
    monkeypatch.setattr(_core.Grid, "wait", lambda grid: (waits.append(grid), wait(grid)))
    for told in (False, True):
        framework = Framework(cuda, stream=other.value)
        there = framework.asarray(x), framework.asarray(r)
        if told:
            monkeypatch.setattr("hgrid._frameworks.Framework.stream", other.value)
        for stream in (None, other.value) if told else (0, other.value):
            waits.clear()
            grid = hgrid.Grid(stream=stream)
            grid.build(*there)
            assert bool(waits) != told, "arrays are not needed any more"
            waits.clear()
            assert np.array_equal(grid.pairs(order="sorted").ij.numpy(), expected)
            assert framework.asked[-2:] == [stream or (other.value if told else 1)] * 2, "arrays are ready in the grid's order"
            assert bool(waits) != told, "results are there"
        del there, grid
    assert cuda.cudaStreamDestroy(other) == 0


def test_threads_wait_for_each_other(rng, framework):
    x, r = system(rng, 60)
    grid, numbers = hgrid.Grid().build(framework.asarray(x), framework.asarray(r)), []
    threads = [threading.Thread(target=lambda: numbers.extend(grid.count() for _ in range(5))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert numbers == [hgrid.Grid().build(x, r).count()] * 15


def test_drop_ins(rng, framework):
    for dtype in (np.float64, np.float32):
        x = rng.random((150, 3)).astype(dtype)
        batch = np.sort(rng.integers(0, 3, 150))
        there = framework.asarray(x)
        for more in ({}, {"loop": True}, {"flow": "target_to_source"}):
            expected = hgrid.radius_graph(x, 0.2, batch, **more)
            assert same(hgrid.radius_graph(there, 0.2, framework.asarray(batch), **more), expected)
        radii = (0.05 + 0.05 * rng.random(150)).astype(dtype)
        assert same(hgrid.radius_graph(there, framework.asarray(radii)), hgrid.radius_graph(x, radii))
        for pbc in (True, [True, False, True], False):
            expected = hgrid.neighbor_list("ijSdD", positions=x, cutoff=0.2, pbc=pbc, **TILTED)
            found = hgrid.neighbor_list("ijSdD", positions=there, cutoff=0.2, pbc=pbc, **TILTED)
            assert len(expected[0]) > 100 and all_same(found, expected)
        for full, pbc in ((True, True), (True, False), (False, False)):
            lists = hgrid.NeighborList(cutoff=0.2, full_list=full, skin=0.1)
            given = TILTED["cell"], pbc, "ijPSdD"
            assert all_same(lists.compute(there, *given), lists.compute(x, *given))
        with pytest.raises(hgrid.InputError, match="on a device half lists are of open boxes only"):
            lists.compute(there, TILTED["cell"], True)
    for most, allowed in ((int(np.bincount(hgrid.radius_graph(x, 0.2)[1]).max()), True), (3, False)):
        if allowed:
            assert same(hgrid.radius_graph(there, 0.2, max_num_neighbors=most), hgrid.radius_graph(x, 0.2))
            continue
        errors = []
        for points in (x, there):
            with pytest.raises(hgrid.InputError) as caught:
                hgrid.radius_graph(points, 0.2, max_num_neighbors=most)
            errors.append((str(caught.value), caught.value.needed, caught.value.count, caught.value.index))
        assert errors[0] == errors[1]
    corner = np.array([[0, 0, 0], [0.5, 0, 0], [1, 0, 0]])  # one just at the cutoff
    assert hgrid.radius_graph(framework.asarray(corner), 0.5).shape == (2, 0)
    with pytest.raises(hgrid.InputError, match="numbers is on device 2:0"):
        hgrid.neighbor_list("ij", positions=there, cutoff={(1, 1): 0.2}, numbers=framework.asarray(batch))
    with pytest.raises(hgrid.InputError, match="images") as caught:  # which the host searches in copies
        hgrid.neighbor_list("ij", positions=there, cutoff=0.2, pbc=True, cell=0.02 * np.eye(3))
    assert caught.value.code == "box_too_small"


def test_errors(rng, framework):
    x, r = system(rng, 60)
    there = framework.asarray(x), framework.asarray(r)
    with pytest.raises(hgrid.StateError, match="not built"):
        hgrid.Grid().pairs()
    host, device = hgrid.Grid().build(x, r), hgrid.Grid().build(*there)
    for wrong in (x, x.tolist()):
        with pytest.raises(hgrid.InputError, match="x is on the host; the grid works on the device of its first arrays") as caught:
            device.build(wrong, there[1])
        assert caught.value.code == "unsupported"
    with pytest.raises(hgrid.InputError, match="x is on device 2:0 .*arrays on the host are needed") as caught:
        host.build(*there)
    assert caught.value.code == "unsupported"
    for call in (device.pairs, device.neighbors):
        with pytest.raises(hgrid.InputError, match="predicate") as caught:
            call(predicate=1)  # an address that nobody calls
        assert caught.value.code == "unsupported" and caught.value.argument == "predicate"
    with pytest.raises(hgrid.InputError, match="r is on the host"):
        hgrid.Grid().build(there[0], r)
    with pytest.raises(hgrid.InputError, match="r has a size of 59"):
        hgrid.Grid().build(there[0], framework.asarray(r[1:]))
    with pytest.raises(hgrid.InputError, match="r is 0.0; one radius for all must be above 0 on a device"):
        hgrid.Grid().build(there[0], 0.0)
    with pytest.raises(hgrid.InputError, match="r is -1"):
        hgrid.Grid().build(there[0], -1.0)
    bad = x.copy()
    bad[17, 2] = np.nan
    with pytest.raises(hgrid.InputError, match=r"x\[17\] is nan") as caught:
        hgrid.Grid().build(framework.asarray(bad), there[1])
    assert (caught.value.code, caught.value.index) == ("nonfinite", 17)
    assert hgrid.Grid().build(framework.asarray(bad), there[1], nonfinite="skip").count() >= 0
    for result in (device.pairs(), device.neighbors()):
        with pytest.raises(hgrid.InputError, match="result is on device 2:0"):
            hgrid.verify(result, x, r)


def test_empty(framework):
    nothing = framework.asarray(np.empty((0, 3))), framework.asarray(np.empty(0))
    grid = hgrid.Grid().build(*nothing)
    assert grid.count() == 0 and grid.pairs("ijSdD").ij.shape == (0, 2)
    assert numpy_of(grid.neighbors().offsets).tolist() == [0] and grid.neighbors().i.shape == (0,)
    assert grid.matrix()[0].shape == (0, 0)
    assert hgrid.radius_graph(nothing[0], 0.5, max_num_neighbors=3).shape == (2, 0)
    apart = np.array([[0.2, 0, 0], [0.7, 0, 0]])
    for box in ({}, TILTED):
        host, device = hgrid.Grid(**box).build(apart, 0.1), hgrid.Grid(**box).build(framework.asarray(apart), 0.1)
        assert same_lists(device.neighbors(), host.neighbors()) and all_same(device.pairs("ijSD"), host.pairs("ijSD"))
        assert same(device.pairs().S, host.pairs().S)
        assert all_same(*(hgrid.neighbor_list("ijSdD", positions=x, cutoff=0.1, **box) for x in (framework.asarray(apart), apart)))
