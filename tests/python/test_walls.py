# SPDX-License-Identifier: BSD-3-Clause
"""Walls of triangles: contacts as all pairs have them, values that follow, walls that move, errors."""
import os

import numpy as np
import pytest
from device_framework import ANY_DEVICE, same, same_lists, system

import hgrid


def squares(n, z=0.0):
    """A floor of n by n squares of two triangles each, as an STL file has them: [t, 3, 3]."""
    corner = np.array([[i, j, z] for i in range(n) for j in range(n)], float)
    triangle = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 1, 0], [0, 1, 0]]], float)
    return (corner[:, None, None, :] + triangle[None]).reshape(-1, 3, 3)


def nearest_on_triangle(p, a, b, c):
    """By projection, then edge by edge."""
    normal = np.cross(b - a, c - a)
    inside = p - normal * (np.dot(p - a, normal) / np.dot(normal, normal))
    if all(np.dot(np.cross(w - v, inside - v), normal) >= 0 for v, w in ((a, b), (b, c), (c, a))):
        return inside
    points = [v + (w - v) * np.clip(np.dot(p - v, w - v) / np.dot(w - v, w - v), 0, 1) for v, w in ((a, b), (b, c), (c, a))]
    return min(points, key=lambda q: np.dot(p - q, p - q))


def test_the_example():
    # [docs: walls]
    floor = np.array([[[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[4, 0, 0], [4, 4, 0], [0, 4, 0]]])  # two triangles, as an STL file has them
    x, r = np.array([[2.0, 2.0, 0.4], [1.0, 1.0, 3.0]]), np.array([0.5, 0.5])
    grid = hgrid.Grid().build(x, r)
    walls = hgrid.Mesh(grid, floor)
    contacts = walls.contacts(x, r)
    assert contacts.indices.tolist() == [0]  # ball 0 lies above the edge of both, and has one contact
    way = x[contacts.indices] - contacts.points
    overlap = r[contacts.indices] - np.linalg.norm(way, axis=1)
    assert np.allclose(overlap, 0.1)
    # [docs: end]


@pytest.mark.parametrize("real", [np.float64, np.float32])
def test_contacts_of_single_triangles_are_those_of_all_pairs(real):
    systems, expected = int(os.environ.get("HGRID_SYSTEMS", 20)), 0
    for seed in range(systems):
        random = np.random.default_rng(seed)
        corners = random.uniform(0, 4, (15, 1, 3)) + random.uniform(-1, 1, (15, 3, 3))  # none has a vertex of another
        x, r = random.uniform(0, 4, (40, 3)).astype(real), random.uniform(0.1, 0.6, 40).astype(real)
        contacts = hgrid.Mesh(hgrid.Grid().build(x, r), corners).contacts(x, r)
        found = {}
        for t, i, point in zip(contacts.i.tolist(), contacts.indices.tolist(), contacts.points):
            found[t, i] = point
        for t, (a, b, c) in enumerate(corners):
            for i, p in enumerate(x.astype(float)):
                point = nearest_on_triangle(p, a, b, c)
                gap = np.linalg.norm(p - point) - r[i]
                if abs(gap) < 1e-9:
                    continue
                assert ((t, i) in found) == (gap < 0), seed
                if gap < 0:
                    assert np.allclose(found[t, i], point, atol=1e-9), seed
                    expected += 1
        assert len(contacts) == 15
    assert expected > 5 * systems


def test_a_ball_rolls_over_a_floor_with_one_contact_and_its_value():
    x, r = np.array([[1.0 + 0.3 * k, 1.0 + 0.5 * k, 0.25] for k in range(6)]), np.full(6, 0.3)
    grid = hgrid.Grid(skin=0.05)
    loop = hgrid.VerletList(grid)
    loop.update(x, r)
    walls = hgrid.Mesh(grid, squares(8))
    assert walls.vertices.shape == (81, 3)
    ages = hgrid.PairArray(dtype="int64", fresh=7)
    before = None
    for step in range(60):
        loop.update(x, r)
        contacts = walls.contacts(x, r, margin=0.5 * grid.skin, followers=[ages])
        assert sorted(contacts.indices.tolist()) == list(range(6))
        assert np.allclose(contacts.points[:, 2], 0) and np.allclose(contacts.points[:, :2], x[contacts.indices, :2])
        assert ages.values.tolist() == [7 + step] * 6
        assert before is None or np.array_equal(walls.carry(before), before[walls.origins])
        before = np.arange(6.0)
        ages.values += 1
        x += [0.05, 0.021, 0]


def test_across_a_periodic_face_and_a_wall_that_moves():
    box = hgrid.Box(((0, 0, 0), (4, 4, 4)), periodic=(True, True, False))
    x, r = np.array([[0.0, 0.0, 0.3], [3.9, 2.0, 0.3]]), np.array([0.5, 0.5])
    walls = hgrid.Mesh(hgrid.Grid(box).build(x, r), squares(4))
    contacts = walls.contacts(x, r)
    assert sorted(contacts.indices.tolist()) == [0, 1] and contacts.shifts.shape == (2, 3)
    assert np.allclose(contacts.points[:, 2], 0)
    assert np.allclose(contacts.points, x[contacts.indices] * [1, 1, 0])  # where the ball lies
    at = walls.vertices
    walls.move(at - [0, 0, 1])
    assert len(walls.contacts(x, r).indices) == 0
    assert np.array_equal(walls.vertices, at - [0, 0, 1])
    walls.move(at + [0, 0, 0.6])
    assert sorted(walls.contacts(x, r).indices.tolist()) == [0, 1]  # from below


def test_a_plane_is_two_triangles_that_cover_the_box():
    for seed in range(50):
        random = np.random.default_rng(seed)
        a, b, z = random.uniform([2, 2, -1], [6, 6, 1])
        x, r = random.uniform([-a, -b, z - 1], [2 * a, 2 * b, z + 1], (40, 3)), random.uniform(0.1, 0.9, 40)
        x[:8, :2] = random.integers(-1, 3, (8, 2)) * [a, b]  # above the corners
        # [docs: plane]
        grid = hgrid.Grid(((0, 0, -2), (a, b, 2)), periodic="xy").build(x, r)
        plane = hgrid.Mesh(grid, [[0, 0, z], [a, 0, z], [0, b, z], [a, b, z]], [[0, 1, 2], [1, 3, 2]])
        # [docs: end]
        contacts = plane.contacts(x, r)
        assert sorted(contacts.indices.tolist()) == np.flatnonzero(np.abs(x[:, 2] - z) < r).tolist()
        assert np.allclose(contacts.points[:, 2], z) and np.allclose(contacts.points[:, :2], x[contacts.indices, :2])


def test_a_triangle_without_area_is_its_edges():
    x, r = np.array([[2.0, 4.0, 4.5]]), np.ones(1)
    contacts = hgrid.Mesh(hgrid.Grid().build(x, r), [[[0, 4, 4], [9, 4, 4], [3, 4, 4]]]).contacts(x, r)
    assert contacts.indices.tolist() == [0] and contacts.points.tolist() == [[2, 4, 4]]


def test_a_wall_that_is_wrapped_is_an_error():
    box = hgrid.Box(((0, 0, 0), (4, 4, 4)), periodic=(True, True, False))
    x, r = np.array([[1.0, 1.0, 0.3]]), np.array([0.5])
    walls, ages = hgrid.Mesh(hgrid.Grid(box).build(x, r), squares(4)), hgrid.PairArray(dtype=int)
    at = walls.vertices
    for _ in range(10):  # as far as it likes, in steps
        assert walls.contacts(x, r, followers=[ages]).indices.shape == (1,)
        at += [1.9, 0, 0]
        walls.move(at)
    for wrapped in (at - [20, 0, 0], np.where(np.arange(len(at))[:, None] == 2, at - [4, 0, 0], at)):
        walls.move(wrapped)
        with pytest.raises(hgrid.InputError, match="has moved by half a period or more .* do not wrap a wall") as error:
            walls.contacts(x, r, followers=[ages])
        assert (error.value.code, error.value.argument) == ("range_error", "vertices")
        assert error.value.index == (0 if wrapped[0, 0] != at[0, 0] else 2)
    walls.move(at - [0, 0, 1000])
    assert walls.contacts(x, r, followers=[ages]).indices.shape == (0,)  # along an open axis


def test_vertices_and_triangles():
    x, r = np.array([[0.2, 0.2, 0.1]]), np.array([0.2])
    grid = hgrid.Grid().build(x, r)
    walls = hgrid.Mesh(grid, [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[2, 0, 1]])
    assert walls.contacts(x, r).indices.tolist() == [0]
    assert "3 vertices" in repr(walls) and "of triangles" in repr(walls.contacts(x, r))


def test_errors():
    x, r = np.zeros((2, 3)), np.ones(2)
    grid, floor = hgrid.Grid(), squares(1)
    with pytest.raises(hgrid.StateError, match="is not built"):
        hgrid.Mesh(grid, floor)
    grid.build(x, r)
    for bad, message in ((floor[:, :, :2], "rows of three"), ([[0, 0, "a"]], "vertices"), (floor[:, :2], "make no triangles"),
                         (np.where(floor == 1, np.nan, floor), "vertex 1: nan"), (floor * 1e16, "not within 1e15")):
        with pytest.raises(hgrid.InputError, match=message):
            hgrid.Mesh(grid, bad)
    with pytest.raises(hgrid.InputError, match="3 is none of the 3 vertices") as error:
        hgrid.Mesh(grid, floor[0], [[0, 1, 3]])
    assert error.value.index == 0
    with pytest.raises(hgrid.InputError, match="whole numbers"):
        hgrid.Mesh(grid, floor[0], [[0, 1, 2.5]])
    with pytest.raises(hgrid.InputError, match="triangles"):
        hgrid.Mesh(hgrid.Grid().build(x[:, :2], r), floor)
    with pytest.raises(hgrid.InputError, match="hgrid.Grid"):
        hgrid.Mesh(None, floor)
    walls = hgrid.Mesh(grid, floor)
    with pytest.raises(hgrid.InputError, match="had 2 particles, not 1"):
        walls.contacts(x[:1], r[:1])
    with pytest.raises(hgrid.InputError, match="margin"):
        walls.contacts(x, r, margin=-1)
    with pytest.raises(hgrid.InputError, match="PairArrays"):
        walls.contacts(x, r, followers=[3])
    with pytest.raises(hgrid.InputError, match="4 vertices"):
        walls.move(floor)


@ANY_DEVICE
def test_walls_on_a_device(rng, framework):
    x, r = system(rng, 300)
    floor = np.array([[[0, 0, 0.5], [1, 0, 0.5], [0, 1, 0.5]], [[1, 0, 0.5], [1, 1, 0.5], [0, 1, 0.5]]])
    host, device = hgrid.Grid().build(x, r), hgrid.Grid().build(framework.asarray(x), framework.asarray(r))
    walls, there = hgrid.Mesh(host, floor), hgrid.Mesh(device, floor)
    ages, others = hgrid.PairArray(fresh=3.0), hgrid.PairArray(fresh=3.0)
    for height in (0, 0.01, -0.02):
        moved = walls.vertices + [0, 0, height]
        walls.move(moved), there.move(moved)
        expected = walls.contacts(x, r, margin=0.02, followers=[ages])
        found = there.contacts(framework.asarray(x), framework.asarray(r), margin=0.02, followers=[others])
        assert same_lists(found, expected) and same(found.points, expected.points) and len(expected.indices) > 5
        assert same(others.values, ages.values) and same(there.origins, walls.origins)
        ages.values += np.arange(len(ages))
        others.values = framework.asarray(ages.values.copy())
    assert same(there.vertices, walls.vertices)


@ANY_DEVICE
def test_a_wall_that_is_wrapped_on_a_device(rng, framework):
    x, r = system(rng, 100)
    there, radii = framework.asarray(x), framework.asarray(r)
    walls = hgrid.Mesh(hgrid.Grid(cell=np.eye(3), periodic=True).build(there, radii), squares(1))
    at = walls.vertices if isinstance(walls.vertices, np.ndarray) else squares(1).reshape(-1, 3)[[0, 1, 2, 4]]
    for _ in range(3):
        assert walls.contacts(there, radii).points.shape[1] == 3
        at = at + [0.4, 0, 0.3]
        walls.move(at)
    walls.move(at - [0, 0, 1])
    with pytest.raises(hgrid.InputError, match="vertex 0 has moved by half a period") as error:
        walls.contacts(there, radii)
    assert (error.value.code, error.value.index) == ("range_error", 0)
