# SPDX-License-Identifier: BSD-3-Clause
"""Particles with extents on a device: as on the host, of arrays there."""
import numpy as np
import pytest
from device_framework import ANY_DEVICE, TILTED, all_same, same_lists

import hgrid

pytestmark = ANY_DEVICE


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("box", [{}, TILTED])
@pytest.mark.parametrize("strided", [False, True])
def test_results_are_those_of_the_host(rng, framework, dtype, box, strided):
    x, half = rng.random((300, 3)).astype(dtype), (0.12 * rng.random((300, 3))).astype(dtype)
    there = framework.asarray(x, strided), framework.asarray(half, strided)
    host, device = hgrid.Grid(skin=0.01, **box).build(x, extents=half), hgrid.Grid(skin=0.01, **box).build(there[0], extents=there[1])
    assert device.count() == host.count() > 100
    assert all_same(device.pairs("ijSdD", order="sorted"), tuple(host.pairs("ijSdD", order="sorted")))
    assert same_lists(device.neighbors(), host.neighbors()) and device.valid(there[0], extents=there[1])
    assert not device.valid(there[0], extents=framework.asarray(half + dtype(0.01)))
    host_list, device_list = (hgrid.VerletList(hgrid.Grid(**box), skin=0.02) for _ in range(2))
    margin = np.full(300, 0.01, dtype)
    assert host_list.update(x, extents=half, margin=margin)
    assert device_list.update(there[0], extents=there[1], margin=framework.asarray(margin))
    assert same_lists(device_list.neighbors(), host_list.neighbors())


def test_refusals(rng, framework):
    x, half = rng.random((10, 3)), np.full((10, 3), 0.1)
    there = framework.asarray(x)
    for given, text in ((0.1, "an array on the device is needed"), (half, "extents is on the host"), (framework.asarray(half[0]), "extents"),
                        (framework.asarray(half[:9]), "extents"), (framework.asarray(-half), r"extents\[0\]: -0.1 is negative")):
        with pytest.raises(hgrid.InputError, match=text) as caught:
            hgrid.Grid().build(there, extents=given)
        assert caught.value.argument == "extents"
    with pytest.raises(hgrid.InputError, match="extents and r cannot be both given"):
        hgrid.Grid().build(there, framework.asarray(half[:, 0].copy()), extents=framework.asarray(half))
