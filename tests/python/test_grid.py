# SPDX-License-Identifier: BSD-3-Clause
"""The grid's results, against all pairs."""
import pickle
import warnings

import numpy as np
import pytest
from conftest import keys, system

import hgrid

BOXES = {
    "open": lambda D: None,
    "periodic": lambda D: hgrid.Box((np.zeros(D), np.ones(D)), periodic=True),
    "mixed": lambda D: hgrid.Box((np.zeros(D), np.ones(D)), periodic="y"),
    "tilted": lambda D: hgrid.Box((np.zeros(D), np.ones(D)), periodic=True, tilt=[0.3, -0.2, 0.7][:D * (D - 1) // 2]),
    "cell": lambda D: hgrid.Box(cell=np.array([[0.1, 1.0, 0.2], [-1.1, 0.2, 0.1], [0.2, 0.1, 1.3]])[:D, :D]),
}


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("box", BOXES)
def test_all_pairs_agree(rng, dimension, box):
    for n in (0, 1, 2, 40, 300):
        x, r = system(rng, n, dimension)
        x = 3 * x - 1  # also outside the box
        g = hgrid.Grid(BOXES[box](dimension), skin=0.01).build(x, 1.5 * r)
        for result in (g.pairs(), g.pairs(order="sorted"), g.neighbors(), g.neighbors(full=False)):
            assert hgrid.verify(result, x, 1.5 * r) >= n
        assert g.count() == g.pairs().size


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("box", BOXES)
def test_distances_are_those_of_the_shift(rng, dimension, box):
    x, r = system(rng, 400, dimension)
    g = hgrid.Grid(BOXES[box](dimension)).build(x, r)
    i, j, S, d, D = g.pairs("ijSdD", order="sorted")
    cell = np.zeros((dimension, dimension)) if g.box is None else g.box.cell
    assert len(i) > 20
    np.testing.assert_allclose(x[j] - x[i] + S @ cell, D, rtol=0, atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(D, axis=1), d, rtol=1e-14)
    assert (d <= (r[i] + r[j]) * (1 + 1e-14)).all()
    assert (np.lexsort((j, i)) == np.arange(len(i))).all()


def test_verify_names_the_pair_that_is_wrong(rng):
    x, r = system(rng, 100)
    g = hgrid.Grid().build(x, r)
    p = g.pairs(order="sorted")
    first = p.ij[0].tolist()
    p.ij = p.ij[1:]
    with pytest.raises(AssertionError, match=f"particles {first[0]} and {first[1]} .* missing"):
        hgrid.verify(p, x, r)
    p.ij = np.concatenate([g.pairs().ij, [first]])
    with pytest.raises(AssertionError, match=f"particles {first[0]} and {first[1]} .* twice"):
        hgrid.verify(p, x, r)
    p.ij = np.concatenate([g.pairs().ij, [[0, 0]]])
    with pytest.raises(AssertionError, match="do not touch"):
        hgrid.verify(p, x, r)


def test_particles_that_do_not_pair(rng):
    x, r = system(rng, 500)
    r = 2 * r
    everything = keys(*hgrid.Grid().build(x, r).pairs("ij"))

    def pairs(**more):
        return keys(*hgrid.Grid().build(x, r, **more).pairs("ij"))

    group = rng.integers(-1, 4, 500)
    assert pairs(group=group) == [(i, j) for i, j in everything if group[i] != group[j] or group[i] < 0]
    world = rng.integers(0, 5, 500)
    assert pairs(world=world) == pairs(world=world, worlds=7) == [(i, j) for i, j in everything if world[i] == world[j]]
    active = rng.random(500) < 0.7
    assert pairs(active=active) == [(i, j) for i, j in everything if active[i] and active[j]]
    assert pairs(owned=200) == [(i, j) for i, j in everything if i < 200]
    exclude = np.array(everything[::3])
    left = [pair for pair in everything if pair not in everything[::3]]
    assert pairs(exclude=exclude[::-1]) == pairs(exclude=exclude[::-1, ::-1]) == left
    g = hgrid.Grid().build(x, r)
    assert pairs(exclude=g.pairs()) == pairs(exclude=g.neighbors()) == []
    assert pairs(extra=np.full(500, 0.01)) == keys(*hgrid.Grid().build(x, r + 0.01).pairs("ij"))
    assert keys(*hgrid.Grid().build(x, 2 * r, radius_scale=0.5).pairs("ij")) == everything
    bad = x.copy()
    bad[::7, 1] = np.nan
    g.build(bad, r, nonfinite="skip")
    assert g.plan.skipped == len(bad[::7])
    assert keys(*g.pairs("ij")) == [(i, j) for i, j in everything if i % 7 and j % 7]


def test_rules_and_cutoffs(rng):
    x, r = system(rng, 300)
    r = 2 * r
    d = np.linalg.norm(x[:, None] - x[None], axis=2)
    i, j = np.triu_indices(300, 1)
    within = d[i, j] <= np.maximum(r[i], r[j])
    assert keys(*hgrid.Grid(rule="max").build(x, r).pairs("ij")) == keys(i[within], j[within])
    g = hgrid.Grid(rule="gather").build(x, r)
    lists = g.neighbors()
    assert [lists[k].tolist() for k in range(300)] == [[m for m in np.flatnonzero(d[k] <= r[k]) if m != k] for k in range(300)]
    with pytest.raises(hgrid.InputError, match="gather") as caught:
        g.pairs()
    assert caught.value.code == "unsupported"
    types, table = rng.integers(0, 2, 300), np.array([[0.1, 0.05], [0.05, 0.0]])
    p = hgrid.Grid().build(x, 0.05, types=types, cutoffs=table).pairs("ij")
    limit = table[types[i], types[j]]
    assert keys(*p) == keys(i[(d[i, j] <= limit) & (limit > 0)], j[(d[i, j] <= limit) & (limit > 0)])


def test_worlds_with_boxes_of_their_own(rng):
    x, world = rng.random((200, 3)), rng.integers(0, 2, 200)
    boxes = [hgrid.Box((np.zeros(3), np.ones(3)), periodic=True), hgrid.Box((np.zeros(3), np.full(3, 2.0)), periodic=False)]
    g = hgrid.Grid(boxes[0])
    g.set_boxes(boxes)
    found = keys(*g.build(x, 0.05, world=world).pairs("ij"))
    alone = []
    for w, box in enumerate(boxes):
        ids = np.flatnonzero(world == w)
        alone += keys(*(ids[k] for k in hgrid.Grid(box).build(x[ids], 0.05).pairs("ij")))
    assert found == sorted(alone)
    with pytest.raises(hgrid.InputError, match="boxes of their own"):
        g.pairs("d")


def test_matrix(rng):
    x, r = system(rng, 300)
    for box in (None, BOXES["periodic"](3)):
        g = hgrid.Grid(box).build(x, r)
        lists = g.neighbors()
        indices, counts = g.matrix()
        assert counts.tolist() == np.diff(lists.offsets).tolist() and indices.shape[1] == counts.max()
        wide, _, S = g.matrix(40, padding=-7, shifts=True)
        for k in range(300):
            assert wide[k, :counts[k]].tolist() == lists[k].tolist() and set(wide[k, counts[k]:].tolist()) <= {-7}
        if lists.shifts is not None:
            assert (S[wide >= 0] == lists.shifts).all()
        with pytest.raises(hgrid.InputError, match="max_neighbors is 1; a particle has") as caught:
            g.matrix(1)
        assert caught.value.code == "capacity" and caught.value.needed == counts.max()


def test_queries(rng):
    x, r = system(rng, 500)
    g = hgrid.Grid().build(x, r)
    points = rng.random((20, 3))
    d = np.linalg.norm(points[:, None] - x[None], axis=2)
    found = g.query(points, radius=0.2, take="centres")
    assert [found[q].tolist() for q in range(20)] == [np.flatnonzero(row <= 0.2).tolist() for row in d]
    found = g.query(points, radius=np.linspace(0, 0.3, 20))
    assert [found[q].tolist() for q in range(20)] == [np.flatnonzero(d[q] <= r + radius).tolist()
                                                      for q, radius in enumerate(np.linspace(0, 0.3, 20))]
    found = g.query(lo=points, hi=points + 0.1, take="centres")
    inside = ((points[:, None] <= x) & (x <= points[:, None] + 0.1)).all(axis=2)
    assert [found[q].tolist() for q in range(20)] == [np.flatnonzero(row).tolist() for row in inside]
    with pytest.raises(IndexError):
        found[20]


def test_results_do_not_depend_on_threads_and_levels(rng):
    x, r = system(rng, 5000, ratio=30)
    reference = hgrid.Grid(threads="serial").build(x, r).pairs("ijd", order="sorted")
    options = [{"threads": 2}, {"threads": 3, "direction": "bottom-up"}, {"keys": "morton"}, {"table": "compacted"},
               {"levels": [(r.max(), 0.3, 0.3, 0.3)]}]
    for chosen in options:
        other = hgrid.Grid(**chosen).build(x, r).pairs("ijd", order="sorted")
        assert all(np.array_equal(a, b) for a, b in zip(reference, other))


def test_the_plan_can_be_read(rng):
    x, r = system(rng, 3000, ratio=40)
    g = hgrid.Grid(threads="serial").build(x, r)
    plan = g.plan
    assert sum(level.particles for level in plan.levels) == plan.particles == 3000
    assert plan.candidates >= g.count() and plan.rows > 0 and plan.threads == 1
    assert len(str(plan).splitlines()) == 5 + len(plan.levels)


def test_a_grid_that_is_not_built():
    for call in (lambda g: g.pairs(), lambda g: g.count(), lambda g: g.plan):
        for g in (hgrid.Grid(), hgrid.Grid(((0, 0), (1, 1)), periodic=True)):
            with pytest.raises(hgrid.StateError) as caught:
                call(g)
            assert caught.value.code == "not_built" and isinstance(caught.value, RuntimeError)


def test_skin_is_one_of_a_build_too(rng):
    x, r = system(rng, 300)
    grid, wide = hgrid.Grid(), hgrid.Grid(skin=0.02).build(x, r)
    assert grid.build(x, r).count() < grid.build(x, r, skin=0.02).count() == wide.count()
    assert grid.skin == 0.02 and hgrid.verify(grid.pairs(), x, r) > 0 and grid.build(x, r).count() == wide.count()
    with pytest.raises(hgrid.InputError):
        grid.build(x, r, skin=-1.0)
    assert grid.skin == 0.02
    for call in (grid.valid, hgrid.VerletList(hgrid.Grid()).update, hgrid.VerletList(hgrid.Grid()).build):
        with pytest.raises(TypeError, match="skin is an argument of Grid, Grid.build and VerletList"):
            call(x, r, skin=0.1)
        with pytest.raises(TypeError, match="there is no argument 'groups'; there are extra, group,"):
            call(x, r, groups=None)


def test_bytes_whose_bits_say_who_takes_part(rng):
    x, r = system(rng, 300)
    state = rng.integers(0, 256, 300).astype(np.uint8)
    grid, counts = hgrid.Grid(), set()
    for bits in (1, 6, 128, 255):
        expected = hgrid.Grid().build(x, r, active=(state & bits) > 0).pairs(order="sorted").ij
        assert np.array_equal(grid.build(x, r, active=state, active_bits=bits).pairs(order="sorted").ij, expected)
        counts.add(len(expected))
    assert len(counts) == 4
    for bits, why in ((0, "active_bits is 0"), (256, "active_bits is 256")):
        with pytest.raises(hgrid.InputError, match=why):
            grid.build(x, r, active=state, active_bits=bits)
    with pytest.raises(hgrid.InputError, match="active_bits needs active"):
        grid.build(x, r, active_bits=1)
    with pytest.raises(hgrid.InputError, match=r"active\[0\] is 300; numbers of 8 bits"):
        grid.build(x, r, active=np.full(300, 300), active_bits=1)


def test_regions_with_particles_of_other_sizes(rng):
    x, r = system(rng, 300)
    grid, points = hgrid.Grid().build(x, r), rng.random((20, 3))
    for scale in (0.5, 1.0, 3.0):
        found = grid.query(points, radius=0.05, radius_scale=scale)
        for q, point in enumerate(points):
            assert found[q].tolist() == np.flatnonzero(np.linalg.norm(x - point, axis=1) <= 0.05 + scale * r).tolist()
    with pytest.raises(hgrid.InputError, match="radius_scale is -1"):
        grid.query(points, radius_scale=-1.0)


def test_a_box_of_corners_says_that_it_is_periodic():
    """Warns until 0.4. No warning comes with periodic=, with cells, and from saved data."""
    corners = (0, 0), (1, 1)
    calls = (lambda: hgrid.Grid(corners), lambda: hgrid.Box(corners), lambda: hgrid.Grid().set_box(corners), lambda: hgrid.Grid(corners, tilt=(0.1,)))
    for call in calls:
        with pytest.warns(FutureWarning, match="say periodic=True or periodic=False") as told:
            made = call()
        assert told[0].filename == __file__ and len(told) == 1
        assert made is None or getattr(made, "box", made).periodic == (True, True)
    with pytest.warns(FutureWarning, match=r"pass hgrid.Box\(\(lo, hi\), periodic=True\)"):
        hgrid.Grid().set_boxes([corners])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for periodic in (True, False, "x"):
            box = hgrid.Box(corners, periodic=periodic)
            hgrid.Grid().set_boxes([box])
            again = pickle.loads(pickle.dumps(hgrid.Grid(box)))
            assert again.box.periodic == box.periodic == hgrid.Grid(corners, periodic=periodic).box.periodic
            restored = hgrid.Grid()
            restored.restore(hgrid.Grid(box).save())
            assert restored.box.periodic == box.periodic
        assert hgrid.Box(cell=np.eye(2)).periodic == (True, True)
