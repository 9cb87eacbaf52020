# SPDX-License-Identifier: BSD-3-Clause
"""Pictures have every particle, in its size, and every contact."""
import numpy as np
import pytest

import hgrid

pytest.importorskip("matplotlib").use("Agg")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def test_boxes_in_two_dimensions(rng):
    x, h = rng.random((40, 2)), rng.uniform(0.01, 0.1, (40, 2))
    grid = hgrid.Grid().build(x, extents=h)
    corners = hgrid.plot(x, extents=h, grid=grid, pairs=grid.pairs()).collections[0].get_paths()
    assert all(np.allclose(np.ptp(path.vertices, axis=0), 2 * h[k], rtol=1e-12) for k, path in enumerate(corners)) and len(corners) == 40
    with pytest.raises(hgrid.InputError, match="r or extents are needed"):
        hgrid.plot(x, 0.1, extents=h)


def test_spheres(rng):
    x, r = rng.random((2000, 3)), np.repeat([0.01, 0.2], [1990, 10])
    grid = hgrid.Grid(((0, 0, 0), (1, 1, 1)), periodic="x").build(x, r)
    pairs = grid.pairs()
    axes = hgrid.plot(x, r, grid=grid, pairs=pairs)
    spheres, lines = axes.collections
    sizes = np.sqrt(spheres.get_sizes())
    assert len(sizes) == 2000 and np.allclose(sizes / sizes.max(), r / r.max(), rtol=1e-12)
    assert len(np.unique(spheres.get_facecolors(), axis=0)) == len(grid.plan.levels) > 1
    ends = np.array(lines._segments3d)
    assert np.allclose(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), grid.pairs("d").d, rtol=1e-12)


@pytest.mark.parametrize("view", [(30, -60), (0, -90), (80, 10)])
def test_spheres_have_the_size_of_the_axes(view):
    """Two that touch, and lie across the view, have their centers as far apart in the picture as they are wide."""
    turn = np.radians(view[1])
    x = np.array([[0, 0, 0], [-2 * np.sin(turn), 2 * np.cos(turn), 0]])
    axes = plt.figure(dpi=90).add_subplot(projection="3d", elev=view[0], azim=view[1])
    size = np.sqrt(hgrid.plot(x, 1.0, axes=axes).collections[0].get_sizes()[0]) * 90 / 72
    from mpl_toolkits.mplot3d import proj3d

    axes.figure.canvas.draw()
    across, up, _ = proj3d.proj_transform(*x.T, axes.get_proj())
    first, second = axes.transData.transform(np.column_stack([across, up]))
    assert np.isclose(np.linalg.norm(second - first), size, rtol=1e-6)


def test_boxes(rng):
    x, h = rng.random((30, 3)), rng.uniform(0.02, 0.1, (30, 3))
    grid = hgrid.Grid().build(x, extents=h)
    faces = np.array(hgrid.plot(x, extents=h, grid=grid).collections[0]._faces).reshape(30, 6 * 4, 3)
    assert np.allclose(faces.max(axis=1), x + h) and np.allclose(faces.min(axis=1), x - h)
    assert all(len(np.unique(corners.round(12), axis=0)) == 8 for corners in faces)


def test_axes_of_other_dimensions():
    flat, solid = plt.figure().add_subplot(), plt.figure().add_subplot(projection="3d")
    for x, axes in ((np.zeros((2, 3)), flat), (np.zeros((2, 2)), solid)):
        with pytest.raises(hgrid.InputError, match="axes are of . dimensions, and x of"):
            hgrid.plot(x, 0.1, axes=axes)
