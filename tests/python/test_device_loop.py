# SPDX-License-Identifier: BSD-3-Clause
"""Time loops on a device: values that follow their pairs, and checkpoints."""
import ctypes
import pickle

import numpy as np
import pytest
from device_framework import ANY_DEVICE, EMULATED, TILTED, Framework, numpy_of, same, same_lists, system

import hgrid
from hgrid._given import Given

pytestmark = ANY_DEVICE


def test_values_follow_their_pairs(rng, framework):
    x, r = system(rng, 200)
    v = rng.normal(size=x.shape) * 0.004
    margin = (np.arange(200) % 4) * 0.001
    lists = [hgrid.VerletList(hgrid.Grid(skin=0.02, **TILTED), full=full) for full in (True, True)]
    followers = [hgrid.PairArray(2, np.float32, 3), hgrid.PairArray(2, np.float32, 3)]
    builds, born, springs = 0, [None, None], [None, None]  # by which build each pair was found first; a vector each
    for _ in range(12):
        x = x + v
        rebuilt = [lists[0].update(framework.asarray(x), framework.asarray(r), margin=framework.asarray(margin), followers=followers[:1]),
                   lists[1].update(x, r, margin=margin, followers=followers[1:])]
        assert rebuilt[0] == rebuilt[1]
        builds += rebuilt[0]
        assert same_lists(lists[0].neighbors(), lists[1].neighbors())
        if not rebuilt[0]:
            continue
        assert same(followers[0].values, followers[1].values)
        added = rng.normal(size=followers[1].values.shape).astype(np.float32)
        followers[0].values, followers[1].values = framework.asarray(followers[1].values + added), followers[1].values + added
        assert same(lists[0].origins, lists[1].origins)
        born = [verlet.carry(values, fresh=builds) for verlet, values in zip(lists, born)]
        assert same(*born)
        if springs[0] is not None:
            springs = [verlet.carry(values) for verlet, values in zip(lists, springs)]
            assert same(*springs)
        fresh = rng.normal(size=(len(born[1]), 2)).astype(np.float32)
        springs = [framework.asarray(fresh), fresh]
    assert builds > 2 and len(set(born[1])) > 1
    assert lists[0].counters == lists[1].counters
    lists[0].build(framework.asarray(x), framework.asarray(r)), lists[1].build(x, r)
    complicated = rng.normal(size=len(born[1])) + 1j
    assert same(lists[0].carry(framework.asarray(complicated), fresh=2 - 1j), lists[1].carry(complicated, fresh=2 - 1j))
    strided = [(framework.asarray(springs[1], strided=True), "has strides")] if framework.has_strides else []
    for wrong, why in ((springs[0][1:], "the list before this one had"), (springs[1], "values is on the host"), *strided):
        with pytest.raises(hgrid.InputError, match=why) as caught:
            lists[0].carry(wrong)
        assert caught.value.argument == "values"


@EMULATED
def test_updates_in_graphs(rng, cuda):
    """As hgrid.warp captures them: the device decides at each replay whether the list is built again."""
    stream, graph, step = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    assert cuda.cudaStreamCreate(ctypes.byref(stream)) == 0
    framework = Framework(cuda, stream.value)
    x, r = system(rng, 200)
    there, radii = framework.asarray(x), framework.asarray(r)
    host = hgrid.VerletList(hgrid.Grid(skin=0.02, **TILTED))
    device = hgrid.VerletList(hgrid.Grid(skin=0.02, stream=stream.value, **TILTED))
    engine, given, captures = device._engine_for(there), Given(there, radii), 0
    engine._grid.place._on_another_stream = lambda: False  # Warp tells its stream, and this framework does not
    with pytest.raises(hgrid.StateError, match="not built"):
        device.neighbors()
    for _ in range(12):
        x = x + rng.normal(size=x.shape) * 0.002
        cuda.cudaMemcpy(ctypes.c_void_p(there.memory.address), x.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(x.nbytes), 1)
        host.update(x, r)
        if step:
            assert cuda.cudaGraphLaunch(step, stream) == 0
        if engine.wait(given):
            assert cuda.cudaStreamBeginCapture(stream, 1) == 0  # of this thread
            engine.enqueue(given)
            offsets, indices, shifts, status, number = engine.in_graphs()
            assert cuda.cudaStreamEndCapture(stream, ctypes.byref(graph)) == 0 == cuda.cudaGraphInstantiate(ctypes.byref(step), graph, 0)
            captures += 1
        expected = host.neighbors()
        n = len(expected.indices)
        assert same(offsets, expected.offsets) and np.array_equal(numpy_of(indices)[:n], expected.indices)
        assert np.array_equal(numpy_of(shifts)[:n], expected.shifts) and numpy_of(status)[0] == number != 0 != numpy_of(status)[1]
    assert captures == 1 and device.counters.builds == host.counters.builds > 3
    cuda.cudaGraphExecDestroy(step), cuda.cudaGraphDestroy(graph)


def test_distances_are_of_the_grids_own_build(rng, framework):
    x, r = system(rng, 200)
    for place in (np.asarray, framework.asarray):
        verlet = hgrid.VerletList(hgrid.Grid(**TILTED), skin=0.02)
        verlet.update(place(x), place(r))
        assert verlet.grid.pairs("ijS").size > 20
        with pytest.raises(hgrid.StateError) as caught:
            verlet.grid.pairs("dD")
        assert caught.value.code == "stale"


def test_margins_are_read_as_particles_are(framework):
    """Also where positions are whole numbers, or of float32 beside radii of float64."""
    r, margin, step = np.full(4, 2.0), np.full(4, 0.9), np.zeros((4, 3), int)
    step[0, 0] = 1
    for kind in (np.int64, np.float32):
        x = np.arange(12).reshape(4, 3).astype(kind)
        for skin, holds in ((0.2 + 2e-9, True), (0.2 - 2e-9, False)):  # either side of the number that the step needs
            rebuilt = []
            for place in (np.asarray, framework.asarray):
                verlet = hgrid.VerletList(hgrid.Grid(), skin=skin)
                rebuilt.append([verlet.update(place(now), place(r), margin=place(margin)) for now in (x, x + step.astype(kind))])
            assert rebuilt == [[True, not holds]] * 2


def test_checkpoints_go_to_a_device_and_back(rng, framework):
    x, r = system(rng, 200)
    v = rng.normal(size=x.shape) * 0.004
    lists = [hgrid.VerletList(hgrid.Grid(skin=0.02, **TILTED)) for _ in range(2)]
    for step in range(12):
        x = x + v
        given = [framework.asarray(x), framework.asarray(r)], [x, r]
        assert lists[0].update(*given[0]) == lists[1].update(*given[1])
        assert same_lists(lists[0].neighbors(), lists[1].neighbors()) and lists[0].counters == lists[1].counters
        if step % 4 == 2:  # each goes on where the other was
            saved = [verlet.save() for verlet in lists]
            lists = [pickle.loads(pickle.dumps(lists[1])), pickle.loads(pickle.dumps(lists[0]))]
            lists[0].restore(saved[1])
        if step == 6:  # into lists that are at work
            other = hgrid.VerletList(hgrid.Grid(skin=0.3))
            other.update(*given[0])
            other.restore(saved[0])
            lists[0] = other
    grid = hgrid.Grid(skin=0.02).build(*given[0])
    with pytest.raises(hgrid.InputError, match="damaged") as caught:
        grid.restore(grid.save()[:-1])
    assert caught.value.code == "format" and grid.count() == hgrid.Grid(skin=0.02).build(x, r).count()
