# SPDX-License-Identifier: BSD-3-Clause
"""Boxes of grids on a device: boxes that change, and arguments that are no box of the grid."""
import numpy as np
import pytest
from device_framework import ANY_DEVICE, TILTED, all_same, numpy_of, same, system

import hgrid

pytestmark = ANY_DEVICE


def test_boxes_may_change(rng, framework):
    x, r = system(rng, 200)
    boxes = [{"cell": [[1, 0, 0], [shear, 1, 0], [0, 0, 1]]} for shear in (0, 0.25)]
    device, host = hgrid.Grid(**boxes[0]), hgrid.Grid(**boxes[0])
    there = framework.asarray(x), framework.asarray(r)
    numbers = []
    for box in boxes:
        device.set_box(**box), host.set_box(**box)
        expected = host.build(x, r).pairs("SD", order="sorted")
        assert all_same(device.build(*there).pairs("SD", order="sorted"), tuple(expected))
        numbers.append(expected.S.tolist())
    assert numbers[0] != numbers[1]
    before = host.pairs("D", order="sorted").D
    device.set_box(**boxes[0])  # box of the next build
    assert same(device.pairs("D", order="sorted").D, before)
    worlds = np.arange(200) % 2
    for grid, given in ((host, (x, r, worlds)), (device, (*there, framework.asarray(worlds)))):
        grid.set_boxes([hgrid.Box(((0, 0, 0), (side, side, side)), periodic=True) for side in (1, 2)])
        grid.build(*given[:2], world=given[2])
        with pytest.raises(hgrid.InputError, match="worlds have boxes of their own"):
            grid.pairs("d")
    assert same(device.pairs(order="sorted").ij, host.pairs(order="sorted").ij)


def test_boxes_of_another_dimension_are_refused(rng, framework):
    x, r = system(rng, 100)
    flat = rng.random((100, 2))
    solid = {"cell": [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]], "periodic": "xy"}
    for positions, own, other in ((x, TILTED, {"cell": [[1, 0.1], [0.2, 1]]}), (flat, {"cell": [[1, 0.1], [0.2, 1]]}, solid)):
        grid = hgrid.Grid(**own).build(framework.asarray(positions), framework.asarray(r))
        expected, box, wrong = grid.pairs("ijSdD"), grid.box, hgrid.Box(**other)
        world = framework.asarray(np.zeros(100, np.int32))
        before = hgrid.Grid(**own)
        before.set_boxes([wrong])
        for call in (lambda: grid.set_box(**other), lambda: grid.set_boxes([box, wrong]),
                     lambda: before.build(framework.asarray(positions), framework.asarray(r), world=world)):
            with pytest.raises(hgrid.InputError) as caught:
                call()
            assert (caught.value.code, caught.value.argument, caught.value.value) == ("invalid_box", "box", wrong.dimension)
        again = grid.build(framework.asarray(positions), framework.asarray(r)).pairs("ijSdD")
        assert grid.box is box and all_same(again, [numpy_of(array) for array in expected])
        grid.set_box()
        host = hgrid.Grid().build(positions, r)
        assert same(grid.build(framework.asarray(positions), framework.asarray(r)).pairs(order="sorted").ij, host.pairs(order="sorted").ij)
