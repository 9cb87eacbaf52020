# SPDX-License-Identifier: BSD-3-Clause
"""Boxes in the place of spheres, against all pairs under all images. Numbers are few eighths, so faces that just touch do."""
import itertools
import pickle

import numpy as np
import pytest
from conftest import keys

import hgrid

L = 4.0
IMAGES = {"open": (0, 0, 0), "periodic": (1, 1, 1), "slit": (1, 1, 0), "tilted": (1, 1, 1)}


@pytest.fixture
def rng():
    return np.random.default_rng(20261127)


def room(kind, dimension):
    if kind == "open":
        return None
    tilt = (1.25,) if dimension == 2 else (1.25, -0.5, 0.75)
    return hgrid.Box(((0,) * dimension, (L,) * dimension), periodic=[bool(f) for f in IMAGES[kind][:dimension]],
                     tilt=tilt if kind == "tilted" else None)


def boxes(rng, n, dimension, real=np.float64):
    """Positions, also outside the room, and half extents, of which some are 0."""
    h = rng.integers(0, 12, (n, dimension)) / 8 * rng.choice([0.125, 0.5, 1], (n, 1))
    return (rng.integers(-8, 40, (n, dimension)) / 8).astype(real), h.astype(real)


def all_pairs(x, h, box=None, skin=0.0):
    """i, j and shifts of all contacts, and how many just touch."""
    x, h, (n, dimension) = x.astype(float), h.astype(float), x.shape
    cell = np.zeros((dimension, dimension)) if box is None else box.cell
    found, just = [], 0
    for m in itertools.product(*(range(-4, 5) if row.any() else (0,) for row in cell)):
        gap = np.abs(x[None] - x[:, None] + np.array(m) @ cell) - h[:, None] - h[None] - skin
        touch = (gap <= 0).all(axis=2)
        first = np.triu(np.ones((n, n), bool), 0 if m > (0,) * dimension else 1)  # a particle meets its image once
        i, j = np.nonzero(touch & first)
        just += int((gap[i, j].max(axis=1) == 0).sum())
        found += [(a, b, *m) for a, b in zip(i.tolist(), j.tolist())]
    return sorted(found), just


def with_shifts(pairs):
    shifts = pairs.S if pairs.S is not None else np.zeros((len(pairs), pairs.box.dimension), int)
    return keys(pairs.ij, shifts)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("kind", IMAGES)
@pytest.mark.parametrize("real", [np.float64, np.float32])
@pytest.mark.parametrize("skin", [0, 0.125])
def test_all_pairs(rng, dimension, kind, real, skin):
    x, h = boxes(rng, 70, dimension, real)
    box = room(kind, dimension)
    expected, just = all_pairs(x, h, box, skin)
    grid = hgrid.Grid(box, skin=skin).build(x, extents=h)
    pairs = grid.pairs("ijSdD")
    assert with_shifts(pairs) == expected and len(expected) > 30 and just > 0
    assert hgrid.verify(pairs, x, extents=h) > 0 and hgrid.verify(grid.neighbors(), x, extents=h) > 0
    assert (np.abs(pairs.D) <= h[pairs.i].astype(float) + h[pairs.j] + skin).all()
    assert np.allclose(pairs.d, np.linalg.norm(pairs.D, axis=1))
    assert grid.count() == pairs.size and 2 * pairs.size == len(grid.neighbors().indices) == len(grid.packed_neighbors().entries)
    largest = np.max([level.extent_max for level in grid.plan.levels], axis=0)
    assert np.array_equal(largest, h.max(axis=0))


@pytest.mark.parametrize("kind", ["open", "periodic"])
def test_flat_and_no_extents(rng, kind):
    x, box = rng.integers(0, 16, (150, 3)) / 4, room(kind, 3)
    for h in (np.zeros(3), np.array([0.5, 0.25, 0]), np.array([0, 0, 0.75])):
        expected, just = all_pairs(x, np.broadcast_to(h, x.shape), box)
        assert with_shifts(hgrid.Grid(box).build(x, extents=h).pairs("ijS")) == expected and just == len(expected) > 2


def test_forms(rng):
    x, h = boxes(rng, 80, 3)

    def found(extents, x=x, **more):
        return keys(hgrid.Grid().build(x, extents=extents, **more).pairs().ij)

    expected = [pair[:2] for pair in all_pairs(x, h)[0]]
    assert found(h) == found(h.tolist()) == found(np.asfortranarray(h)) == found(h[::-1].copy()[::-1]) == expected
    assert found(h.astype(np.float32)) == found(2 * h, radius_scale=0.5) == found(h.astype(">f8")) == expected
    cubes = [pair[:2] for pair in all_pairs(x, np.full_like(x, 0.5))[0]]
    assert found(0.5) == found(1, radius_scale=0.5) == found([0.5] * 3) == found(np.float32(0.5)) == found(np.full_like(x, 0.5)) == cubes
    near = np.array([[0, 0], [0.2, 0]], np.float32)  # one number is not rounded
    for half, count in ((float(near[1, 0]) / 2, 1), (np.nextafter(float(near[1, 0]) / 2, 0), 0)):
        assert hgrid.Grid().build(near, extents=half).count() == count
    assert found(0.0, np.zeros((4, 3))) == list(itertools.combinations(range(4), 2))
    empty = hgrid.Grid().build(np.zeros((0, 3)), extents=np.zeros((0, 3)))
    assert empty.count() == 0 and len(empty.between(hgrid.Grid().build(x, extents=h))) == 80


def test_documented():
    # [docs: boxes]
    x = np.array([[0, 0], [3, 0], [3, 2]])
    half = np.array([[2, 0.5], [1, 0.5], [1, 1]])    # half extents along the axes, in the place of r
    pairs = hgrid.Grid().build(x, extents=half).pairs()
    assert pairs.ij.tolist() == [[0, 1]]             # faces that just meet touch; 1 and 2 have a gap along y
    # [docs: end]


def test_who_pairs(rng):
    x, h = boxes(rng, 120, 3)
    everything = [pair[:2] for pair in all_pairs(x, h)[0]]

    def found(**more):
        return keys(hgrid.Grid().build(x, extents=h, **more).pairs().ij)

    group, world, active = rng.integers(-1, 3, 120), rng.integers(0, 2, 120), rng.random(120) < 0.7
    assert found(owned=70) == [(i, j) for i, j in everything if i < 70]
    assert found(group=group) == [(i, j) for i, j in everything if group[i] != group[j] or group[i] < 0]
    assert found(world=world) == [(i, j) for i, j in everything if world[i] == world[j]]
    assert found(active=active) == [(i, j) for i, j in everything if active[i] and active[j]]
    assert found(exclude=np.array(everything[::2])) == everything[1::2]
    extra = rng.integers(0, 3, 120) / 8
    wider = [pair[:2] for pair in all_pairs(x, h + extra[:, None])[0]]
    assert found(extra=extra) == wider and len(wider) > len(everything)
    result = hgrid.Grid().build(x, extents=h, extra=extra, group=group).pairs()
    assert hgrid.verify(result, x, extents=h, extra=extra, group=group) > 0


def test_two_sets(rng):
    (x, h), (y, g) = boxes(rng, 60, 3), boxes(rng, 90, 3)
    lists = hgrid.Grid().build(y, extents=g).between(hgrid.Grid().build(x, extents=h))
    touch = (np.abs(x[:, None] - y) <= h[:, None] + g).all(axis=2)
    assert [lists[k].tolist() for k in range(60)] == [np.flatnonzero(row).tolist() for row in touch]
    with pytest.raises(hgrid.InputError, match="extents") as caught:
        hgrid.Grid().build(x, 0.1).between(hgrid.Grid().build(x, extents=h))
    assert caught.value.code == "unsupported"


@pytest.mark.parametrize("kind", ["open", "tilted"])
def test_loop(rng, kind):
    x, h = boxes(rng, 50, 3)
    box = room(kind, 3)
    neighbors, grid = hgrid.VerletList(hgrid.Grid(box), full=False, skin=0.25), hgrid.Grid(box, skin=0.25).build(x, extents=h)
    steps = hgrid.PairArray(dtype=int)
    assert grid.valid(x, extents=h) and grid.valid(x + [0.12, 0, 0], extents=h)
    assert not grid.valid(x + [0.25, 0, 0], extents=h) and not grid.valid(x, extents=h + 0.25) and not grid.valid(x, 0.1) and not hgrid.Grid(box).build(x, 0.1).valid(x, extents=h)
    builds = 0
    for step in range(15):
        x += rng.normal(0, 0.02, x.shape)
        margin = np.full(50, 0.01) if step % 2 else None
        builds += neighbors.update(x, extents=h, margin=margin, followers=[steps])
        steps.values += 1
        lists = neighbors.neighbors()
        shifts = lists.shifts if lists.shifts is not None else np.zeros((len(lists.indices), 3), int)
        assert set(all_pairs(x, h, box)[0]) <= set(keys(lists.i, lists.indices, shifts))
    assert 1 < builds < 15 and steps.values.max() == 15
    copy = pickle.loads(pickle.dumps(neighbors))
    assert not copy.update(x, extents=h) and np.array_equal(copy.neighbors().indices, neighbors.neighbors().indices)


def test_checkpoint(rng):
    x, h = boxes(rng, 80, 3)
    grid = hgrid.Grid(room("periodic", 3)).build(x, extents=h)
    other = pickle.loads(pickle.dumps(grid)).build(x, extents=h)
    assert np.array_equal(other.pairs().ij, grid.pairs().ij) and other.plan.levels == grid.plan.levels
    assert other.build(x, 0.25).count() == hgrid.Grid(room("periodic", 3)).build(x, 0.25).count()  # spheres again


X, H = np.arange(30.0).reshape(10, 3), np.full((10, 3), 0.5)


def changed(value):
    other = H.copy()
    other[4, 1] = value
    return other


def built():
    return hgrid.Grid().build(X, extents=H)


@pytest.mark.parametrize("call, code, index, message", [
    (lambda: hgrid.Grid().build(X), "invalid_argument", -1, "r or extents are needed"),
    (lambda: hgrid.Grid().build(X, 0.5, extents=H), "invalid_argument", -1, "extents and r cannot be both given"),
    (lambda: hgrid.VerletList(hgrid.Grid()).update(X), "invalid_argument", -1, "r or extents are needed"),
    (lambda: hgrid.Grid().build(X, extents=changed(-2)), "negative_radius", 4, "extents[4]: -2 is negative"),
    (lambda: hgrid.Grid().build(X, extents=changed(np.nan)), "nonfinite", 4, "extents[4] is nan"),
    (lambda: hgrid.Grid().build(X, extents=changed(1e16)), "range_error", 4, "extents[4]: 1e+16 is not"),
    (lambda: hgrid.Grid(((0,) * 3, (1,) * 3), periodic=True).build(X, extents=changed(9)), "box_too_small", 4, "extents[4]: "),
    (lambda: hgrid.Grid().build(X, extents=-0.5), "negative_radius", -1, "extents is -0.5"),
    (lambda: hgrid.Grid().build(X, extents=[1, 1, -0.5]), "negative_radius", -1, "extents[2] is -0.5"),
    (lambda: hgrid.Grid().build(X, extents=1e15, radius_scale=10), "range_error", -1, "extents times radius_scale is 1e+16"),
    (lambda: hgrid.Grid().build(X, extents=H[:9]), "size_mismatch", -1, "extents has shape (9, 3); (10, 3) is needed"),
    (lambda: hgrid.Grid().build(X, extents=H[:, :2]), "size_mismatch", -1, "extents has shape (10, 2); (10, 3) is needed"),
    (lambda: hgrid.Grid().build(X, extents=[1, 1]), "size_mismatch", -1, "extents has shape (2,); (3,) is needed"),
    (lambda: hgrid.Grid().build(X, extents="wide"), "invalid_argument", -1, "extents is an array of <U4"),
    (lambda: hgrid.Grid(rule="max").build(X, extents=H), "invalid_argument", -1, "extents"),
    (lambda: hgrid.Grid(levels=[(1, 2, 2, 2)]).build(X, extents=H), "unsupported", -1, "levels"),
    (lambda: hgrid.Grid().build(X, extents=H, types=np.zeros(10, int), cutoffs=[[1]]), "unsupported", -1, "cutoffs"),
    (lambda: hgrid.Grid(cell=[[0, 40, 0], [40, 0, 0], [0, 0, 40]]).build(X, extents=H), "unsupported", -1, "extents"),
    (lambda: built().query(X), "unsupported", -1, "extents"),
    (lambda: built().nearest(by="surfaces"), "unsupported", -1, "extents"),
    (lambda: built().touches(X, 0.1), "unsupported", -1, "extents"),
    (lambda: built().insert(X, 0.1), "unsupported", -1, "extents"),
    (lambda: hgrid.verify(built().pairs(), X), "invalid_argument", -1, "r or extents are needed"),
    (lambda: hgrid.verify(built().pairs(), X, extents=H[:9]), "size_mismatch", -1, "extents has shape (9, 3)"),
])
def test_messages(call, code, index, message):
    with pytest.raises(hgrid.InputError) as caught:
        call()
    assert message in str(caught.value) and (caught.value.code, caught.value.index) == (code, index), str(caught.value)


def test_left_out():
    x = np.zeros((3, 2))
    h = np.array([[1, 1], [np.nan, 1], [1, 2]])
    grid = hgrid.Grid().build(x, extents=h, nonfinite="skip")
    assert keys(grid.pairs().ij) == [(0, 2)] and grid.plan.skipped == 1
    assert built().nearest(k=1).indices.shape == (10, 1)


def test_other_frameworks(rng):
    strict = pytest.importorskip("array_api_strict")
    x, h = boxes(rng, 80, 3)
    found = hgrid.Grid().build(strict.asarray(x), extents=strict.asarray(h)).pairs("ij")
    assert all(type(column) is type(strict.asarray(x)) for column in found)
    assert keys(*(np.asarray(column) for column in found)) == [pair[:2] for pair in all_pairs(x, h)[0]]


def test_verify_finds_faults(rng):
    x, h = boxes(rng, 60, 3)
    pairs = hgrid.Grid().build(x, extents=h).pairs()
    with pytest.raises(AssertionError, match="do not touch"):
        hgrid.verify(pairs, x, extents=0.5 * h)
    with pytest.raises(AssertionError, match="are missing"):
        hgrid.verify(pairs, x, extents=h + 0.25)
