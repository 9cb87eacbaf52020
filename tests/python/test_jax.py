# SPDX-License-Identifier: BSD-3-Clause
"""Lists inside programs that jax compiles, against hgrid's own, all pairs, and jax_md's."""
import importlib
import sys

import numpy as np
import pytest
from conftest import keys

import hgrid

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

import hgrid.jax  # noqa: E402

enable_x64 = jax.enable_x64 if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental").enable_x64
TILTED = np.array([[1, 0, 0], [0.3, 1.1, 0], [-0.2, 0.1, 0.9]], np.float32)


def of_numpy(x, cutoff, **more):
    return hgrid.neighbor_list("ijS", positions=np.asarray(x), cutoff=cutoff, **more)


def require_same(found, expected, n):
    """The entries come in one order, and padding stands after them. (In numpy, because jax compiles each slice.)"""
    assert found.i.dtype == found.j.dtype == found.S.dtype == jnp.int32
    mask, found = np.asarray(found.mask), jax.tree.map(np.asarray, found)
    size = len(expected[0])
    assert int(found.count) == size and not found.overflow and size > 0
    for ours, theirs in zip(found[:3], expected):
        assert np.array_equal(ours[:size], theirs)
    assert (found.i[size:] == n).all() and (found.j[size:] == n).all() and (found.S[size:] == 0).all()
    assert np.array_equal(mask, np.arange(len(found.i)) < size)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("dimension, pbc", [(3, True), (3, (True, False, True)), (3, False), (2, True), (2, False)])
def test_lists_are_those_of_numpy(rng, dtype, dimension, pbc):
    with enable_x64(dtype is np.float64):
        cell = TILTED[:dimension, :dimension].astype(dtype)
        x, radii = (3 * rng.random((60, dimension)) - 1).astype(dtype), rng.uniform(0.05, 0.2, 60).astype(dtype)
        for cutoff in (0.3, radii):
            @jax.jit
            def search(x, cell):
                return hgrid.jax.neighbor_list(x, cutoff, capacity=3000, cell=cell, pbc=pbc)
            require_same(search(x, cell), of_numpy(x, cutoff, cell=cell, pbc=pbc), 60)


def test_half_lists_and_particles_that_are_left_out(rng):
    x, cell = rng.random((40, 3)).astype(np.float32), TILTED
    half = hgrid.jax.neighbor_list(x, 0.4, capacity=900, cell=cell, pbc=True, full=False)
    i, j, S = (np.asarray(column)[np.asarray(half.mask)] for column in half[:3])
    assert (i <= j).all() and keys(np.r_[i, j], np.r_[j, i], np.r_[S, -S]) == keys(*of_numpy(x, 0.4, cell=cell, pbc=True))
    active = np.arange(40) % 3 > 0
    kept = hgrid.jax.neighbor_list(np.where(active[:, None], x, np.nan).astype(np.float32), 0.4, capacity=900, active=active)
    i, j, S = of_numpy(x, 0.4)
    require_same(kept, [column[active[i] & active[j]] for column in (i, j, S)], 40)


def test_a_list_that_overflows(rng):
    x = rng.random((30, 3)).astype(np.float32)
    search = jax.jit(hgrid.jax.neighbor_list, static_argnames=("cutoff", "capacity"))
    i, j, _ = of_numpy(x, 0.5)
    for capacity in (len(i), len(i) - 1, 1, 0):
        found = search(x, cutoff=0.5, capacity=capacity)
        assert int(found.count) == len(i) and bool(found.overflow) == (capacity < len(i))
        assert np.array_equal(found.i, i[:capacity]) and np.array_equal(found.j, j[:capacity]) and found.mask.sum() == capacity


def test_matrix(rng):
    x, cell = rng.random((50, 3)).astype(np.float32), TILTED
    i, j, S = of_numpy(x, 0.3, cell=cell, pbc=True)
    most = int(np.bincount(i).max())
    for width in (most + 2, most, most - 1):
        found = jax.jit(lambda x: hgrid.jax.neighbor_matrix(x, 0.3, max_neighbors=width, cell=cell, pbc=True))(x)
        expected_j, expected_S = np.full((50, width), 50), np.zeros((50, width, 3))
        for k in range(50):
            row = np.flatnonzero(i == k)[:width]
            expected_j[k, :len(row)], expected_S[k, :len(row)] = j[row], S[row]
        mask = expected_j < 50
        assert np.array_equal(found.count, np.bincount(i, minlength=50)) and bool(found.overflow) == (width < most)
        assert np.array_equal(found.j, expected_j) and np.array_equal(found.S, expected_S) and np.array_equal(found.mask, mask)
        assert np.array_equal(found.i, np.where(mask, np.arange(50)[:, None], 50))
        D, d = (np.asarray(column) for column in jax.jit(hgrid.jax.vectors)(x, found, cell))
        np.testing.assert_allclose(d[mask], np.linalg.norm(D[mask], axis=-1), rtol=1e-6)
        assert (d[mask] < 0.3).all() and np.isinf(d[~mask]).all() and (D[~mask] == 0).all()


def test_a_batch(rng):
    x = rng.random((4, 3, 25, 3)).astype(np.float32)
    cells = (TILTED * rng.uniform(0.9, 1.3, (4, 1, 1))).astype(np.float32)

    def search(x, cell, radii):
        return hgrid.jax.neighbor_list(x, radii, capacity=800, cell=cell, pbc=True)

    radii = rng.uniform(0.1, 0.2, 25).astype(np.float32)
    inner = jax.vmap(search, in_axes=(0, None, None))
    found = jax.tree.map(np.asarray, jax.jit(jax.vmap(inner, in_axes=(0, 0, None)))(x, cells, radii))
    assert found.mask.shape == (4, 3, 800)
    for a in range(4):
        for b in range(3):
            one = hgrid.jax.Entries(*(column[a, b] for column in found))
            require_same(one, of_numpy(x[a, b], radii, cell=cells[a], pbc=True), 25)


def test_pairs_at_the_cutoff_are_none(rng):
    """The distance decides as it is measured, however the grid rounds."""
    with enable_x64(True):
        x, cell = 10 * rng.random((200, 2, 3)), TILTED.astype(float)
        d = np.array([hgrid.neighbor_list("d", positions=pair, cell=cell, pbc=True, cutoff=0.9).max() for pair in x])

        @jax.jit
        def counts(cutoff):
            def count(x, r):
                return hgrid.jax.neighbor_list(x, jnp.full(2, 0.5 * r), capacity=0, cell=cell, pbc=True).count
            return jax.vmap(count)(x, cutoff)

        assert (counts(d) < counts(np.nextafter(d, 1))).all()


def all_pairs_energy(x, cell, cutoff=0.6):
    """Energy of a smooth potential, by all pairs and images."""
    S = jnp.stack(jnp.meshgrid(*[jnp.arange(-2, 3)] * 3, indexing="ij"), -1).reshape(-1, 3)
    D = x[None, :, None] - x[:, None, None] + S @ cell
    square = (D * D).sum(-1)
    return jnp.where((square < cutoff**2) & (square > 0), (cutoff**2 - square) ** 3, 0).sum()


def test_gradients_are_those_of_all_pairs(rng):
    with enable_x64(True):
        x, cell = jnp.asarray(rng.random((12, 3))), jnp.asarray(TILTED, jnp.float64)

        def energy(x, cell):
            found = hgrid.jax.neighbor_list(x, 0.6, capacity=600, cell=cell, pbc=True)
            _, d = hgrid.jax.vectors(x, found, cell)
            return jnp.where(found.mask, (0.36 - d**2) ** 3, 0).sum()

        def derivatives(energy):
            """Gradients, and how gradients of the positions change along a direction, for a batch."""
            def of_one(x, cell):
                first = jax.grad(energy, (0, 1))
                return jax.jvp(first, (x, cell), (jnp.cos(x), jnp.sin(cell)))
            return jax.jit(jax.vmap(of_one, in_axes=(0, None)))(jnp.stack([x, 0.9 * x]), cell)

        for ours, theirs in zip(jax.tree.leaves(derivatives(energy)), jax.tree.leaves(derivatives(all_pairs_energy))):
            assert abs(theirs).max() > 0.1
            np.testing.assert_allclose(ours, theirs, atol=1e-11)


def test_gradients_at_distance_zero_and_in_padding_are_zero():
    x = jnp.zeros((2, 3))
    found = hgrid.jax.neighbor_list(x, 1.0, capacity=5)
    gradient = jax.grad(lambda x: jnp.where(found.mask, hgrid.jax.vectors(x, found)[1], 0).sum())(x)
    assert int(found.count) == 2 and (gradient == 0).all()
    far = jnp.array([[0.0, 0, 0], [0.5, 0, 0]])
    assert (jax.grad(lambda x: (1 / hgrid.jax.vectors(x, found)[1] ** 2).sum())(far)[:, 0] == jnp.array([32.0, -32.0])).all()


def test_a_loop(rng):
    """Particles that fall towards their neighbors, in a loop that is one program."""
    def step(_, x):
        found = hgrid.jax.neighbor_list(x, 0.3, capacity=600)
        D, _ = hgrid.jax.vectors(x, found)
        return x + 0.01 * jnp.zeros_like(x).at[found.i].add(D)  # ids in the padding are none, which jax leaves out

    x = rng.random((30, 3)).astype(np.float32)
    expected = x.copy()
    for _ in range(5):
        i, j, _ = of_numpy(expected, 0.3)
        np.add.at(expected, i, np.float32(0.01) * (expected[j] - expected[i]))
    np.testing.assert_allclose(jax.jit(lambda x: jax.lax.fori_loop(0, 5, step, x))(x), expected, atol=1e-6)


def test_half_precision_is_widened(rng):
    x = rng.random((30, 3)).astype(np.float16)
    for given in (jnp.asarray(x), jnp.asarray(x, jnp.bfloat16)):
        wide = given.astype(jnp.float32)
        found = hgrid.jax.neighbor_list(given, 0.4, capacity=600)
        require_same(found, of_numpy(wide, 0.4), 30)
        assert np.array_equal(hgrid.jax.vectors(given, found)[0], hgrid.jax.vectors(wide, found)[0])


def test_no_particles():
    found = hgrid.jax.neighbor_list(np.zeros((0, 3), np.float32), 1.0, capacity=2)
    assert int(found.count) == 0 and (found.i == 0).all() and np.isinf(hgrid.jax.vectors(np.zeros((0, 3), np.float32), found)[1]).all()


X = np.zeros((3, 3), np.float32)


@pytest.mark.parametrize("call, message", [
    (lambda: hgrid.jax.neighbor_list(X, 1.0, capacity=-1), "capacity is -1"),
    (lambda: hgrid.jax.neighbor_list(X, 1.0, capacity=2.5), "capacity is 2.5"),
    (lambda: hgrid.jax.neighbor_list(X, 0.0, capacity=1), "cutoff is 0"),
    (lambda: hgrid.jax.neighbor_list(X, None, capacity=1), "cutoff is None"),
    (lambda: hgrid.jax.neighbor_list(X, X[:2, 0], capacity=1), "cutoff has shape (2,)"),
    (lambda: jax.jit(lambda r: hgrid.jax.neighbor_list(X, r, capacity=1))(1.0), "one number is needed"),
    (lambda: hgrid.jax.neighbor_list(X[:, :1], 1.0, capacity=1), "positions has shape (3, 1)"),
    (lambda: hgrid.jax.neighbor_list(X.astype(int), 1.0, capacity=1), "positions is an array of int"),
    (lambda: hgrid.jax.neighbor_list(X, 1.0, capacity=1, pbc=True), "pbc needs a cell"),
    (lambda: hgrid.jax.neighbor_list(X, 1.0, capacity=1, cell=np.eye(2), pbc=True), "cell has shape (2, 2)"),
    (lambda: hgrid.jax.neighbor_list(X, 1.0, capacity=1, cell=np.eye(3), pbc="xw"), "pbc is 'xw'"),
    (lambda: hgrid.jax.neighbor_list(X, 1.0, capacity=1, active=[True]), "active has shape (1,)"),
    (lambda: hgrid.jax.neighbor_list(X, 1.0, capacity=1, threads=0), "threads is 0"),
    (lambda: hgrid.jax.neighbor_matrix(X, 1.0, max_neighbors=-1), "max_neighbors is -1"),
])
def test_errors_name_the_argument(call, message):
    with pytest.raises(hgrid.InputError) as caught:
        call()
    assert message in str(caught.value)


@pytest.mark.parametrize("x, cutoff, cell, message", [
    (np.where(np.arange(9).reshape(3, 3) == 4, np.nan, X), 1.0, np.eye(3), r"positions\[1\] is nan"),
    (X, np.array([1, np.inf, 1], np.float32), np.eye(3), r"cutoff\[1\] is inf"),
    (X, 100.0, np.eye(3), "box_too_small"),
    (X, 1.0, np.zeros((3, 3)), "invalid_box"),
])
def test_errors_of_numbers_come_from_jax(x, cutoff, cell, message):
    search = jax.jit(lambda x, cell: hgrid.jax.neighbor_list(x, cutoff, capacity=1, cell=cell, pbc=True))
    with pytest.raises(Exception, match=message) as caught:
        jax.block_until_ready(search(x, cell))
    assert not isinstance(caught.value, hgrid.Error)
    with pytest.raises(Exception, match="system 1: .*positions"):
        jax.block_until_ready(jax.vmap(lambda x: hgrid.jax.neighbor_list(x, 1.0, capacity=1))(np.stack([X, X * np.nan])))


def test_a_wheel_without_the_module_says_what_to_do(monkeypatch):
    monkeypatch.delitem(sys.modules, "hgrid.jax")
    monkeypatch.setitem(sys.modules, "hgrid._xla", None)
    monkeypatch.delattr(hgrid, "_xla")
    with pytest.raises(ImportError, match="HGRID_JAX=1 pip install"):
        importlib.import_module("hgrid.jax")


def test_lists_are_those_of_jax_md(rng):
    partition, space = pytest.importorskip("jax_md.partition"), pytest.importorskip("jax_md.space")
    x = jnp.asarray(10 * rng.random((300, 3)), jnp.float32)
    displacement, _ = space.periodic(10.0)
    theirs = partition.neighbor_list(displacement, 10.0, 1.5, 0.0, format=partition.NeighborListFormat.Sparse).allocate(x)
    receivers, senders = (np.asarray(column) for column in theirs.idx)
    listed = receivers < 300
    ours = hgrid.jax.neighbor_list(x, 1.5, capacity=9000, cell=10 * np.eye(3), pbc=True)
    assert listed.sum() > 1000
    assert not ours.overflow and keys(ours.i[ours.mask], ours.j[ours.mask]) == keys(receivers[listed], senders[listed])


def test_a_program_is_exported(rng):
    """Exports by the module's own text, and loads its bytes."""
    pytest.importorskip("flatbuffers", reason="jax.export needs it")
    from jax import export
    x = jnp.asarray(rng.random((50, 3)))

    @jax.jit
    def program(x):
        return hgrid.jax.neighbor_list(x, 0.3, capacity=800).count, hgrid.jax.neighbor_matrix(x, 0.3, max_neighbors=30).count

    with pytest.raises(ValueError, match="compatibility"):
        export.export(program)(x).serialize()
    checks = [export.DisabledSafetyCheck.custom_call(name) for name in hgrid.jax.CALLS]
    again = export.deserialize(export.export(program, disabled_checks=checks)(x).serialize())
    for ours, plain in zip(again.call(x), program(x)):
        assert np.array_equal(ours, plain) and np.sum(plain) > 20
