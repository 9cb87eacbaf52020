# SPDX-License-Identifier: BSD-3-Clause
"""Beginners' attempts with results, and the repr of objects."""
import numpy as np
import pytest
from conftest import system
from device_framework import EMULATED

import hgrid

BOX = ((0, 0, 0), (1, 1, 1))


def test_pairs_are_a_sequence_of_contacts(rng):
    x, r = system(rng, 200)
    pairs = hgrid.Grid(BOX, periodic=True).build(x, r).pairs("ijSd", order="sorted")
    i, j, S, d = pairs
    assert pairs.size == len(i) > 20 and bool(pairs)
    for k in (0, 7, -1, np.int64(3)):
        a, b, shift, distance = pairs.take(k)
        assert (a, b, distance) == (i[k], j[k], d[k]) and (shift == S[k]).all()
    for some in (slice(2, 9), slice(None, None, -1), d < 0.1, np.array([5, 3]), [5, 3]):
        part = pairs.take(some)
        assert isinstance(part, hgrid.Pairs) and np.array_equal(part.ij, pairs.ij[some]) and np.array_equal(part.d, d[some])
        assert part.size == len(d[some]) and part.D is None
    with pytest.raises(IndexError, match=f"index is {len(d)}; there are {len(d)} contacts, counted from 0") as caught:
        pairs.take(len(d))
    assert isinstance(caught.value, hgrid.InputError) and (caught.value.argument, caught.value.needed) == ("index", len(d))
    with pytest.raises(hgrid.InputError, match="index is 'i'; a whole number or a slice is needed"):
        pairs.take("i")
    with pytest.raises(hgrid.InputError, match="index is True; a whole number"):
        pairs.take(True)
    assert not hgrid.Grid().build(x, 0.0).pairs()


def test_pairs_are_their_quantities(rng):
    """Unpacking, list() and a star give quantities, without a warning; contacts until 0.4 warn of it."""
    x, r = system(rng, 200)
    pairs = hgrid.Grid().build(x, r).pairs("ijd")
    i, j, d = pairs
    assert len(list(pairs)) == len([*pairs]) == len((lambda *columns: columns)(*pairs)) == 3
    assert next(zip(*pairs)) == (i[0], j[0], d[0]) == pairs.take(0)
    for _ in range(2):
        with pytest.warns(FutureWarning, match="take pairs.size") as told:
            assert len(pairs) == len(d)
        assert told[0].filename == __file__
    with pytest.warns(FutureWarning, match=r"take pairs.take\(k\)"):
        assert pairs[2] == (i[2], j[2], d[2])
    with pytest.warns(FutureWarning, match="take pairs.take"):
        assert pairs[d < 0.1].size == np.count_nonzero(d < 0.1)


def test_other_results_are_one_container(rng):
    """Iteration gives the items of [k], and there are len of them."""
    x, r = system(rng, 50)
    grid = hgrid.Grid().build(x, r)
    batch = hgrid.neighbor_lists("ijd", positions=x, offsets=[0, 20, 50], cutoff=0.2)
    lists = hgrid.VerletList(hgrid.Grid(), skin=0.1)
    lists.update(x, r)
    results = (grid.neighbors(), grid.packed_neighbors(), grid.nearest(k=2), grid.query(x, radius=0.1), grid.matrix(), grid.plan, grid.plan.levels[0], batch,
               lists.neighbors(), lists.counters, hgrid.Mesh(hgrid.Grid().build(np.c_[x, x[:, :1]][:, :3], r), np.eye(3)[None]).contacts(np.c_[x, x[:, :1]][:, :3], r), hgrid.PairArray(values=np.arange(5.0)))
    sized = {kind for kind in vars(hgrid).values() if isinstance(kind, type) and hasattr(kind, "__len__")}
    assert sized - set(map(type, results)) == {hgrid.Pairs}  # until 0.4, above
    assert list(hgrid.PairArray()) == []
    for result in results:
        entries = list(result)
        assert len(entries) == len(result)
        for k in (0, len(entries) - 1, -1):
            one, other = result[k], entries[k]
            for a, b in zip(*(value if isinstance(value, tuple) else (value,) for value in (one, other)), strict=True):
                assert a is b or np.array_equal(a, b)
        with pytest.raises(IndexError):
            result[len(entries)]


def test_neighbors_are_a_sequence_of_lists(rng):
    x, r = system(rng, 50)
    lists = hgrid.Grid(BOX, periodic=True).build(x, r).neighbors()
    every = [lists[k].tolist() for k in range(50)]
    assert [some.tolist() for some in lists] == [some.tolist() for some in lists[:]] == every
    assert [some.tolist() for some in lists[1:3]] == every[1:3] and lists[-1].tolist() == every[-1]
    assert [some.tolist() for some in lists[::-7]] == every[::-7] and lists[3:3] == []
    with pytest.raises(IndexError, match="index is -51; there are 50 lists"):
        lists[-51]


@pytest.mark.parametrize("periodic", [False, "xy", True])
@pytest.mark.parametrize("full", [False, True])
def test_packed_neighbors_are_the_neighbors(rng, periodic, full):
    for dimension in (2, 3):
        x, r = rng.random((300, dimension)), 0.1 + 0 * rng.random(300)
        for outside in (0, 3):
            x[::7] += outside
            axes = "xy" if dimension == 2 and periodic == "xy" else periodic
            grid = hgrid.Grid((np.zeros(dimension), np.ones(dimension)), periodic=axes, skin=0.01).build(x, r)
            packed, lists = grid.packed_neighbors(full=full), grid.neighbors(full=full)
            unpacked = packed.unpacked()
            assert len(packed) == 300 and packed.entries.dtype == np.int64 and len(lists.indices) > 300
            for a, b in ((unpacked.offsets, lists.offsets), (unpacked.indices, lists.indices), (packed.indices, lists.indices),
                         (packed.counts, lists.counts)):
                assert np.array_equal(a, b)
            assert (unpacked.shifts is None) == (lists.shifts is None) == (not periodic)
            assert lists.shifts is None or np.array_equal(unpacked.shifts, lists.shifts)
            kind = "full" if full else "each contact once"
            assert repr(packed) == f"<hgrid.PackedNeighbors: {len(lists.indices)} entries of 300 lists, {kind}, skin 0.01, {grid.box!r}>"
    grid = hgrid.Grid(hgrid.Box(((0, 0, 0), (1, 1, 1)), periodic=True, tilt=(100.2, 0, 0))).build(x[:9], r[:9])
    with pytest.raises(hgrid.InputError, match="tilted by so many periods"):
        grid.packed_neighbors()
    with pytest.raises(hgrid.InputError, match="full is 'no'"):
        grid.packed_neighbors(full="no")


def test_what_things_say_of_themselves(rng):
    x = np.array([[0.1, 0.1, 0.1], [0.2, 0.1, 0.1]])
    grid = hgrid.Grid(BOX, periodic="xy", skin=0.01)
    box = "Box(([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]), periodic=(True, True, False))"
    assert repr(grid) == f"<hgrid.Grid: not built, skin 0.01, rule 'sum', {box}>"
    verlet = hgrid.VerletList(grid)
    assert repr(verlet) == f"<hgrid.VerletList: not built, full, skin 0.01, of {grid!r}>"
    grid.build(x[:1], 0.05)
    assert repr(grid).startswith("<hgrid.Grid: 1 particle on the host, skin 0.01,")
    assert str(grid.plan).startswith("1 particle on 1 level, ")
    assert " bytes, 1 thread, " in str(hgrid.Grid(threads=1).build(x, 0.1).plan)
    grid.build(x, 0.05)
    assert repr(grid.pairs("ijSd")) == f"<hgrid.Pairs: 1 contact, ij int32, S int32, d float64, skin 0.01, {box}>"
    lists = "2 entries of 2 lists, full, indices int32, shifts int32"
    assert repr(grid.neighbors()) == f"<hgrid.Neighbors: {lists}, skin 0.01, {box}>"
    assert "1 entry of 2 lists, each contact once, " in repr(grid.neighbors(full=False))
    again = hgrid.Grid(BOX, periodic="xy", skin=0.01).build(x, 0.05)
    again.restore(grid.save())
    assert repr(again).startswith("<hgrid.Grid: not built,")
    verlet.update(x, 0.05)
    assert repr(verlet) == f"<hgrid.VerletList: 1 build in 1 step, full, skin 0.01, of {grid!r}>"
    assert "2 particles on the host" in repr(grid)
    verlet.neighbors()
    assert repr(verlet).startswith("<hgrid.VerletList: 2 entries, 1 build in 1 step,")
    assert repr(hgrid.Grid()) == "<hgrid.Grid: not built, skin 0, rule 'sum', open box>"
    assert repr(hgrid.NeighborList(cutoff=0.2, full_list=True)) == "<hgrid.NeighborList: cutoff 0.2, full lists, skin 0>"
    grid.set_boxes([hgrid.Box(BOX, periodic=True)])
    assert "1 box of worlds" in repr(grid)


@pytest.mark.parametrize("given", [
    {"box": BOX, "periodic": True}, {"box": BOX, "periodic": "z", "tilt": (0, 0.1, 0)}, {"box": ((0, 0), (1, 2)), "periodic": True, "tilt": (0.5,)}, {"dimension": 2},
    {"cell": [[0, 1, 1], [1, 0, 1], [1, 1, 0]], "periodic": [True, False, True]}])
def test_boxes_can_be_read_back(given):
    box = hgrid.Box(**given)
    again = eval(repr(box), {"Box": hgrid.Box})
    assert again.facts() == box.facts() and (again.cell == box.cell).all()


@EMULATED
def test_results_on_a_device(rng, framework):
    x, r = system(rng, 40)
    host, there = hgrid.Grid(BOX, periodic=True).build(x, r), [framework.asarray(array) for array in (x, r)]
    device = hgrid.Grid(BOX, periodic=True).build(*there)
    pairs, same = device.pairs("ijd", order="sorted"), host.pairs("ijd", order="sorted")
    assert pairs.size == same.size > 0 and [v.numpy().item() for v in pairs.take(-1)] == list(same.take(-1))
    assert np.array_equal(pairs.take(slice(1, 4)).ij.numpy(), same.take(slice(1, 4)).ij) and pairs.take(slice(1, 4)).size == 3
    assert [some.numpy().tolist() for some in device.neighbors()[2:5]] == [some.tolist() for some in host.neighbors()[2:5]]
    assert repr(device).startswith("<hgrid.Grid: 40 particles on device 2:0, ")
    assert " contacts on device 2:0, ij int32, S int32, d float64," in repr(device.pairs("d"))
    assert " on device 2:0, full, indices int32" in repr(device.neighbors())
    for wrong, message in ((dict(r="1"), "r is '1'; an array on the device is needed"),
                           (dict(radius_scale="1"), "radius_scale is '1'"),
                           (dict(owned=1.5), "owned is 1.5; a whole number"), (dict(group=[1]), "group is on the host"),
                           (dict(world=framework.asarray(-np.ones(40, np.int32))), r"world\[0\]: -1 is none of the worlds"),
                           (dict(x=framework.asarray(x.astype(complex))),
                            "x is of complex128; it must be of float64 or float32")):
        with pytest.raises(hgrid.InputError, match=message):
            hgrid.Grid(BOX, periodic=True).build(**{"x": there[0], "r": there[1], **wrong})
    with pytest.raises(hgrid.InputError, match=r"batch\[0\]: -1 is none of the worlds"):
        hgrid.radius_graph(there[0], 0.1, framework.asarray(-np.ones(40, np.int32)))
    with pytest.raises(hgrid.InputError, match=r"points\[0\]: nan is not finite"):
        device.query(framework.asarray(np.array([[np.nan, 0, 0]])))
    with pytest.raises(hgrid.Error, match="max_neighbors is 4611686018427387904; it must be from 0 to 2147483647"):
        device.matrix(2**62)


def test_what_lists_are_of(rng):
    x, r = system(rng, 30)
    grid = hgrid.Grid().build(x, r)
    for lists, kind in ((grid.neighbors(), "full"), (grid.neighbors(full=False), "each contact once"), (grid.between(grid), "of two sets"),
                        (grid.query(x, radius=0.1), "of regions")):
        assert f", {kind}, indices" in repr(lists)


@pytest.mark.parametrize("cutoff", [5e-324, 1e-16, 1e-15])
def test_a_distance_below_the_least(cutoff):
    x = np.eye(3)
    for call in (lambda: hgrid.neighbor_list("ij", positions=x, cutoff=cutoff), lambda: hgrid.radius_graph(x, cutoff),
                 lambda: hgrid.NeighborList(cutoff=cutoff, full_list=True).compute(x, x, False)):
        with pytest.raises(hgrid.InputError, match=f"is {cutoff}; it must be 0, or from 2e-15") as error:
            call()
        assert error.value.code == "range_error"
