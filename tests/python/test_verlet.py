# SPDX-License-Identifier: BSD-3-Clause
"""Lists that live through a time loop."""
import pickle

import numpy as np
import pytest
from conftest import system

import hgrid


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("periodic", [True, False])
def test_no_contact_is_missed_and_history_follows(rng, full, periodic):
    x, r = system(rng, 400)
    v = hgrid.VerletList(hgrid.Grid((np.zeros(3), np.ones(3)), periodic=periodic), full=full, skin=0.02)
    ages, known, follower = None, {}, hgrid.PairArray(dtype=int)
    for _ in range(25):
        rebuilt = v.update(x, r, followers=[follower])
        lists = v.neighbors()
        if rebuilt:
            ages = v.carry(ages, fresh=0)
            assert len(v.origins) == len(ages)
        else:
            assert lists is v.neighbors()
        shifts = np.zeros((len(lists.indices), 3), int) if lists.shifts is None else lists.shifts
        now = list(zip(lists.i.tolist(), lists.indices.tolist(), map(tuple, shifts.tolist())))
        ages += 1
        follower.values += 1
        assert [known.get(key, 0) + 1 for key in now] == ages.tolist() == follower.values.tolist()
        known = dict(zip(now, ages.tolist()))
        g = hgrid.Grid((np.zeros(3), np.ones(3)), periodic=periodic).build(x, r)
        touching = g.neighbors(full=full)
        zeros = np.zeros((len(touching.indices), 3), int) if touching.shifts is None else touching.shifts
        assert set(zip(touching.i.tolist(), touching.indices.tolist(), map(tuple, zeros.tolist()))) <= set(now)
        x += rng.uniform(-0.003, 0.003, x.shape)
    assert 1 < v.counters.builds < v.counters.steps == 25


def test_values_of_any_shape_are_carried(rng):
    x, r = system(rng, 300)
    v = hgrid.VerletList(hgrid.Grid(), skin=0.05)
    assert v.update(x, r)
    springs = v.carry(np.zeros((0, 3), np.float32), fresh=[1, 2, 3])
    assert springs.dtype == np.float32 and (springs == [1, 2, 3]).all() and len(springs) == len(v.neighbors().indices)
    history = v.carry(np.zeros(0, [("normal", "f8"), ("tangential", "f8", 3)]), fresh=0)
    assert len(history) == len(springs) and (history["tangential"] == 0).all()
    with pytest.raises(hgrid.InputError, match="values has"):
        v.carry(springs[1:])
    assert not v.update(x, r)
    assert not v.update(x + 0.02 * np.array([1, 0, 0]), r, margin=0.5)
    v.build(x, r, exclude=v.neighbors())
    assert len(v.neighbors().indices) == 0


def test_followers_are_of_one_list_and_complete(rng):
    x, r = system(rng, 300)
    v = hgrid.VerletList(hgrid.Grid(), skin=0.05)
    springs = hgrid.PairArray(3, np.float32, [1, 2, 3])
    assert springs.values is None and len(springs) == 0 and "no values of shape (3,), float32" in repr(springs)
    assert v.update(x, r, followers=[springs]) and len(springs) == len(v.neighbors().indices) > 20
    assert springs.values.dtype == np.float32 and (springs.values == [1, 2, 3]).all()
    late = hgrid.PairArray(dtype=[("normal", "f8"), ("contact", "i4")])
    assert not v.update(x, r, followers=[springs, late]) and (late.values["contact"] == 0).all() and len(late) == len(springs)
    springs.values = 2 * springs.values
    v.build(x, r, followers=[springs, late])
    assert (springs.values == [2, 4, 6]).all()
    copied = pickle.loads(pickle.dumps(springs))
    v.build(x, r, followers=[late, copied])
    v.update(x, r, followers=[springs])  # the list before is still known
    for _ in range(2):
        v.build(x, r, followers=[late, copied])
    with pytest.raises(hgrid.StateError, match="left out where the list was built") as caught:
        v.update(x, r, followers=[late, springs])
    assert (caught.value.code, caught.value.argument) == ("stale", "followers")
    assert (copied.values == springs.values).all()
    springs.values = springs.values[1:]
    with pytest.raises(hgrid.InputError, match=f"followers have {len(springs)} values; the list has {len(springs) + 1}") as caught:
        v.update(x, r, followers=[springs])
    assert caught.value.code == "size_mismatch"
    with pytest.raises(hgrid.StateError):
        hgrid.VerletList(hgrid.Grid(), skin=0.05).build(x, r, followers=[late])
    for wrong, why in ((lambda: hgrid.PairArray("ab"), "shape is 'a'"), (lambda: hgrid.PairArray(1.5), "shape is 1.5"),
                       (lambda: v.update(x, r, followers=[3]), "followers have 3"),
                       (lambda: v.update(x, r, followers=[hgrid.PairArray((), "f8", "one")]), "followers cannot be of 'f8' with 'one'")):
        with pytest.raises(hgrid.InputError, match=why):
            wrong()


def test_followers_that_memory_was_short_for_follow_at_the_next_call(rng, monkeypatch):
    x, r = system(rng, 300)
    v, ids = hgrid.VerletList(hgrid.Grid(), skin=0.05), hgrid.PairArray(dtype=int)
    v.update(x, r, followers=[ids])
    ids.values[:] = np.arange(len(ids))
    carry = type(v._engine).carry

    def short(*given):
        raise MemoryError

    monkeypatch.setattr(type(v._engine), "carry", short)
    with pytest.raises(MemoryError):
        v.build(x[::-1].copy(), r[::-1].copy(), followers=[ids])
    monkeypatch.setattr(type(v._engine), "carry", carry)
    expected = np.where(v.origins >= 0, v.origins, 0)
    assert not v.update(x[::-1].copy(), r[::-1].copy(), followers=[ids]) and (ids.values == expected).all() and ids.values.any()


def test_margins_and_choices(rng):
    x, r = system(rng, 300)
    v = hgrid.VerletList(hgrid.Grid(), skin=0.0)
    v.update(x, r, margin=np.full(300, 0.05))
    along = np.array([1.0, 0, 0])
    assert not v.update(x + 0.04 * along, r) and v.update(x + 0.06 * along, r)
    for first in (0, 0.01, 1e9):
        chosen = hgrid.VerletList(hgrid.Grid(), skin=first, choose_skin=True)
        for step in range(30):
            chosen.update(x + 0.001 * step, r)
        assert 0 < chosen.counters.skin < 1 and chosen.counters.steps == 30
    strict = hgrid.VerletList(hgrid.Grid(), skin=0.001, rebuild=False)
    strict.update(x, r)
    with pytest.raises(hgrid.StateError) as caught:
        strict.update(x + 1, r)
    assert caught.value.code == "stale"
    for bad in (dict(check_every=0), dict(skin=-1, choose_skin=True)):
        with pytest.raises(hgrid.InputError):
            hgrid.VerletList(hgrid.Grid(), **bad)
    with pytest.raises(hgrid.StateError):
        hgrid.VerletList(hgrid.Grid()).neighbors()


def test_a_box_that_shears(rng):
    x, r = system(rng, 300)
    box = (np.zeros(3), np.ones(3))
    g = hgrid.Grid(box, periodic=True, tilt=(0, 0, 0))
    v = hgrid.VerletList(g, skin=0.03)
    builds = 0
    for step in range(20):
        offset = 0.01 * step
        g.set_box(box, periodic=True, tilt=(offset, 0, 0))
        builds += v.update(x + np.outer(x[:, 1], [offset, 0, 0]), r)
    assert 1 < builds < 20
    hgrid_of_now = hgrid.Grid(box, periodic=True, tilt=(offset, 0, 0)).build(x + np.outer(x[:, 1], [offset, 0, 0]), r)
    assert hgrid_of_now.count() <= len(v.neighbors().indices) // 2
    assert g.valid(x + np.outer(x[:, 1], [offset, 0, 0]), r)


def test_distances_belong_to_the_build_of_the_grid(rng):
    x, r = system(rng, 100)
    g = hgrid.Grid().build(x, r)
    hgrid.VerletList(g, skin=0.01).update(x, r)
    with pytest.raises(hgrid.StateError, match="Verlet list built this grid"):
        g.pairs("d")


@pytest.mark.parametrize("types", [("f4", "f4", "f8"), ("f4", "f8", "f4"), ("f8", "f4", "f4"), ("f4", "f4", "f4")])
def test_margins_beside_numbers_of_other_types(rng, types):
    x, r = system(rng, 200)
    x, r, extra = x.astype(types[0]), r.astype(types[1]), np.full(200, 0.001, types[2])
    verlet = hgrid.VerletList(hgrid.Grid(skin=0.0))
    assert verlet.update(x, r, extra=extra, margin=np.full(200, 0.01))
    assert not verlet.update(x + np.asarray(0.005, x.dtype), r, extra=extra, margin=np.full(200, 0.01))
    assert verlet.update(x + np.asarray(0.02, x.dtype), r, extra=extra, margin=np.full(200, 0.01))


def test_wrapped_positions_make_the_list_of_unwrapped_ones(rng):
    for D, tilted in ((3, False), (2, False), (3, True)):
        L = np.ones(D)
        cell = np.diag(L)
        cell[1, 0] = 0.3 if tilted else 0
        x, r = rng.uniform(0, 1, (200, D)), rng.uniform(0.02, 0.05, 200)
        u, taken = x.copy(), np.zeros((200, D), int)
        v = rng.normal(size=x.shape)
        lists = [hgrid.VerletList(hgrid.Grid(hgrid.Box(cell=cell)), skin=0.04, wrapped=w) for w in (True, False)]
        values = [hgrid.PairArray(dtype=int, fresh=-1) for _ in lists]
        for _ in range(80):
            rebuilt = [lists[0].update(x, r, followers=[values[0]]), lists[1].update(u, r, followers=[values[1]])]
            assert rebuilt[0] == rebuilt[1]
            wrapped, plain = (made.neighbors() for made in lists)
            assert (wrapped.offsets == plain.offsets).all() and (wrapped.indices == plain.indices).all()
            assert (wrapped.shifts - taken[wrapped.indices] + taken[wrapped.i] == plain.shifts).all()
            ways = [a[n.indices] - a[n.i] + n.shifts @ cell for a, n in ((x, wrapped), (u, plain))]
            assert np.abs(ways[0] - ways[1]).max() < 1e-13
            assert (values[0].values == values[1].values).all()
            assert lists[0].periods.shape == (200, D) and lists[1].periods is None
            for one in values:
                one.values += 1
            u += 0.002 * v
            x += 0.002 * v
            for k in reversed(range(D)):
                n = np.floor(x[:, k])
                taken[:, k] += n.astype(int)
                x -= n[:, None] * cell[k]
        assert 3 < lists[0].counters.builds == lists[1].counters.builds < 40
        assert taken.any()
        for made in lists:
            assert made.counters.wrapped == 0 and made.counters.note == ""
        copied = pickle.loads(pickle.dumps(lists[0]))
        assert copied.update(x, r) == lists[0].update(x, r) and (copied.periods == lists[0].periods).all()
        assert (copied.neighbors().shifts == lists[0].neighbors().shifts).all()


def test_distances_of_a_list_are_for_the_last_update(rng):
    box = hgrid.Box((np.zeros(3), np.ones(3)), periodic=True)
    for wrapped, full in ((False, True), (True, True), (True, False)):
        x, r = rng.uniform(0, 1, (150, 3)), rng.uniform(0.02, 0.06, 150)
        v = hgrid.VerletList(hgrid.Grid(box), skin=0.04, wrapped=wrapped, full=full)
        with pytest.raises(hgrid.StateError, match="not built"):
            v.neighbors("d")
        for shift in (0.0, 0.01):
            v.update(x + shift, r)
            i, j, S, d, D = v.neighbors("ijSdD")
            made, now = v.neighbors(), x + shift
            assert (i == made.i).all() and (j == made.indices).all() and (S == made.shifts).all()
            np.testing.assert_allclose(D, now[j] - now[i] + S, atol=1e-14)
            np.testing.assert_allclose(d, np.linalg.norm(D, axis=1), atol=1e-14)
            assert (d > r[i] + r[j]).any() and (d < r[i] + r[j]).any()
        assert v.counters.builds == 1
        with pytest.raises(hgrid.StateError, match="neighbors\\('d'\\)"):
            made.d
        with pytest.raises(hgrid.InputError, match="letters of"):
            v.neighbors("x")
        copied = pickle.loads(pickle.dumps(v))
        with pytest.raises(hgrid.StateError, match="call update"):
            copied.neighbors("d")
        copied.update(x + shift, r)
        assert (copied.neighbors("d")[0] == d).all()


def test_wrapped_positions_are_told_of_and_refused(rng):
    x, r = rng.uniform(0.2, 0.8, (100, 3)), np.full(100, 0.02)
    grid = hgrid.Grid((np.zeros(3), np.ones(3)), periodic=True)
    v = hgrid.VerletList(grid, skin=0.04)
    v.update(x, r)
    x[7, 1] -= 1
    assert v.update(x, r) and v.counters.wrapped == 1 and "wrapped=True" in v.counters.note
    with pytest.raises(hgrid.InputError, match="a quarter of each period") as caught:
        hgrid.VerletList(grid, skin=0.6, wrapped=True).update(x, r)
    assert (caught.value.code, caught.value.argument, caught.value.value) == ("unsupported", "skin", 0.6)
    with pytest.raises(hgrid.InputError, match="wrapped"):
        hgrid.VerletList(grid, wrapped="yes")
