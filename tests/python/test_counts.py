# SPDX-License-Identifier: BSD-3-Clause
"""Counts alone, beside the lists that they count."""
import numpy as np
import pytest
from device_framework import ANY_DEVICE, same, system

import hgrid

BOXES = {"open": {}, "periodic": {"cell": np.eye(3), "periodic": True}, "tilted": {"cell": [[1, 0, 0], [0.2, 1, 0], [0, 0, 1]], "periodic": True}}


@pytest.fixture(params=BOXES)
def grid(rng, request):
    x, r = system(rng, 400)
    return hgrid.Grid(**BOXES[request.param]).build(x, r)


def expect(counts, lists):
    assert counts.dtype == np.int64 and counts.tolist() == [len(one) for one in lists] and 0 < counts.sum()


def test_of_regions(rng, grid):
    points, radii = rng.uniform(-0.5, 1.5, (50, 3)), rng.uniform(0, 0.4, 50)
    for more in ({"radius": radii}, {"radius": 0.2, "take": "centres"}, {"radius": radii, "radius_scale": 2.0}, {"radius": radii, "radius_scale": 0}):
        expect(grid.query(points, counts=True, **more), grid.query(points, **more))
    corners = {"lo": points - 0.1, "hi": points + 0.1}
    expect(grid.query(**corners, counts=True), grid.query(**corners))
    assert grid.query(np.empty((0, 3)), counts=True).shape == (0,)


def test_of_two_sets(rng, grid):
    x, r = system(rng, 300)
    asking = hgrid.Grid(grid.box).build(x, r)
    lists = grid.between(asking)
    expect(grid.between(asking, counts=True), lists)
    bonds = np.stack([lists.i, lists.indices], axis=1)[::2]
    expect(grid.between(asking, exclude=bonds, counts=True), grid.between(asking, exclude=bonds))


def test_of_the_nearest(rng, grid):
    for points in (rng.uniform(-0.5, 1.5, (50, 3)), None):
        for by, within in (("centres", 0.1), ("surfaces", 0.02), ("centres", np.inf)):
            found = grid.nearest(points, 5, by=by, within=within)
            counts = grid.nearest(points, 5, by=by, within=within, counts=True)
            assert counts.dtype == np.int64 and np.array_equal(counts, (found.indices < 400).sum(axis=1))
            assert (counts == 5).all() if within == np.inf else 0 < counts.sum() < 5 * len(counts)
    assert grid.nearest(np.zeros((1, 3)), 1000, counts=True).tolist() == [400]


def test_no_list_is_made(grid):
    """The core gives no other array."""
    core = grid._engine.core
    box = np.full((1, 3), 0.25), np.full((1, 3), 0.75)
    for found in (core.query(*box, None, 0.0, None, 0, 1.0, True, 3), core.between(core, None, None, None, True, 3),
                  core.nearest(None, None, 1, False, np.inf, True, True, 3)):
        assert found[0].dtype == np.int64 and found[1:] == (None, None)


def test_errors(grid):
    asked = [lambda **more: grid.query([[0.5, 0.5, np.nan]], **more), lambda **more: grid.between(None, **more),
             lambda **more: grid.nearest([[0.5, 0.5, np.nan]], **more)]
    for ask in asked:
        with pytest.raises(hgrid.InputError) as expected:
            ask()
        with pytest.raises(hgrid.InputError) as caught:
            ask(counts=True)
        assert str(caught.value) == str(expected.value)
    for ask in (lambda **more: grid.query([[0.5, 0.5, 0.5]], **more), lambda **more: grid.between(grid, **more), lambda **more: grid.nearest(**more)):
        with pytest.raises(hgrid.InputError, match="counts is 2"):
            ask(counts=2)


@ANY_DEVICE
def test_on_a_device(rng, framework):
    x, r = system(rng, 300)
    host, device = hgrid.Grid().build(x, r), hgrid.Grid().build(framework.asarray(x), framework.asarray(r))
    points = rng.random((40, 3))
    assert same(device.query(framework.asarray(points), radius=0.2, counts=True), host.query(points, radius=0.2, counts=True))
    assert same(device.between(device, counts=True), host.between(host, counts=True))
