# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of all shapes, strides and types: they work, or the error names the argument, the index and the value."""
import pickle

import numpy as np
import pytest
from conftest import keys, system
from hypothesis import given, settings
from hypothesis import strategies as st

import hgrid

REALS = ["f8", "f4", ">f8", ">f4", "<f8", "i4", ">i2", "u1", "i8"]


@st.composite
def views(draw):
    """Returns numbers as a view of some memory, and as a plain array."""
    n, dimension = draw(st.integers(0, 40)), draw(st.integers(2, 3))
    numbers = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 12, (n, dimension)).astype(draw(st.sampled_from(REALS)))
    form = draw(st.sampled_from(["plain", "fortran", "reversed", "every", "columns", "record", "unaligned", "read-only"]))
    view = numbers
    if form == "fortran":
        view = np.asfortranarray(numbers)
    elif form == "reversed":
        view = numbers[::-1, ::-1].copy()[::-1, ::-1]
    elif form == "every":
        view = np.repeat(np.repeat(numbers, 3, axis=0), 2, axis=1)[::3, ::2]
    elif form == "columns":
        view = np.ascontiguousarray(numbers.T).T
    elif form == "record":
        record = np.zeros(n, [("id", "i1"), ("x", numbers.dtype, dimension), ("more", "f4")])
        record["x"] = numbers
        view = record["x"]
    elif form == "unaligned":
        memory = np.zeros(numbers.nbytes + 1, np.uint8)
        view = memory[1:].view(numbers.dtype).reshape(numbers.shape) if n else numbers
        view[...] = numbers
    elif form == "read-only":
        view.flags.writeable = False
    return view, numbers.astype(np.float64)


@settings(max_examples=300, deadline=None)
@given(views(), st.sampled_from(["f8", "f4", ">f8", "i4"]), st.booleans())
def test_any_view_gives_what_a_plain_array_gives(view, kind, reverse):
    x, plain = view
    r = np.full(len(x), 1, kind)
    r = r[::-1] if reverse else r
    g = hgrid.Grid().build(x, r)
    found, expected = g.pairs("ijd", order="sorted"), hgrid.Grid().build(plain, np.ones(len(x))).pairs("ijd", order="sorted")
    assert np.array_equal(found.ij, expected.ij)
    np.testing.assert_allclose(found.d, expected.d, rtol=1e-7)
    assert hgrid.verify(g.pairs(), plain, 1.0) >= len(x)


def test_float32_is_read_exactly(rng):
    x, r = system(rng, 2000)
    small, radii = x.astype(np.float32), r.astype(np.float32)
    p = hgrid.Grid().build(small, radii).pairs("ijdD", order="sorted")
    q = hgrid.Grid().build(small.astype(np.float64), radii.astype(np.float64)).pairs("ijdD", order="sorted")
    assert np.array_equal(p.ij, q.ij) and p.d.dtype == p.D.dtype == np.float32
    assert np.array_equal(p.d, q.d.astype(np.float32))
    # One radius is not rounded to float32, and serves all.
    touching = np.array([[0, 0], [0.2, 0]], np.float32)
    exactly = float(touching[1, 0]) / 2
    assert hgrid.Grid().build(touching, exactly).count() == 1
    assert hgrid.Grid().build(touching, np.nextafter(exactly, 0)).count() == 0


def test_numbers_of_other_types_are_no_problem():
    assert hgrid.Grid().build([[0, 0], [1, 0]], [0.5, 0.5]).count() == 1
    assert hgrid.Grid().build([], []).count() == 0


FAULTS = [
    (dict(x=np.zeros((4, 4))), "x has shape (4, 4); (n, 2) or (n, 3) is needed", {}),
    (dict(x=np.zeros(4)), "x has shape (4,)", {}),
    (dict(x=np.zeros((4, 3), complex)), "x is an array of complex128", {}),
    (dict(x=[["a", "b"]]), "x is an array of <U1", {}),
    (dict(x=[[1, 2], [3]]), "x is no array", {}),
    (dict(r=np.ones(3)), "r has shape (3,); (4,) is needed", {"code": "size_mismatch"}),
    (dict(r=-1.0), "r is -1.0", {"code": "negative_radius"}),
    (dict(r=[1, 1, -2, 1]), "r[2]: -2 is negative", {"code": "negative_radius", "index": 2, "value": -2.0}),
    (dict(r=[1, np.inf, 1, 1]), 'r[1] is inf; pass nonfinite="skip"', {"code": "nonfinite", "index": 1, "value": np.inf}),
    (dict(x=[[0, 0], [1, 1], [2, 2e15], [0, 0]]), "x[2]: y = 2e+15 is beyond 1e15", {"code": "range_error", "index": 2}),
    (dict(extra=[0, 0, 0, -1]), "extra[3]: -1 is negative", {"index": 3}),
    (dict(group=[0.5, 1, 1, 1]), "group is an array of float64; whole numbers", {}),
    (dict(group=[0, 1, 2**40, 1]), f"group[2] is {2**40}; numbers of 32 bits", {"index": 2, "value": 2**40}),
    (dict(active=[1, 1, 1]), "active has shape (3,)", {}),
    (dict(owned=5), "owned is 5; there are 4 particles", {}),
    (dict(world=[0, 1, -1, 0], worlds=2), "world[2]: -1 is none of the worlds", {"index": 2}),
    (dict(worlds=2), "worlds needs world", {}),
    (dict(exclude=[[0, 1], [1, 9]]), "exclude in list or pair 1", {"code": "range_error", "value": 9.0}),
    (dict(types=[0, 0, 0, 0]), "cutoffs and types belong together", {}),
    (dict(nonfinite="ignore"), "nonfinite is 'ignore'", {}),
]


@pytest.mark.parametrize("change, message, facts", FAULTS)
def test_errors_name_what_is_wrong(change, message, facts):
    good = dict(x=np.array([[0, 0], [1, 0], [2, 0], [3, 0]], float), r=np.ones(4))
    g = hgrid.Grid().build(**good)
    with pytest.raises(hgrid.InputError) as caught:
        g.build(**{**good, **change})
    assert isinstance(caught.value, ValueError) and message in str(caught.value)
    for name, value in facts.items():
        assert getattr(caught.value, name) == value
    assert g.count() == 5  # the grid is as it was: neighbors touch, and so do particles two apart
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value) and copy.code == caught.value.code


def test_nan_is_named(rng):
    x, r = system(rng, 3000)
    x[1723, 2] = np.nan
    with pytest.raises(ValueError) as caught:
        hgrid.Grid().build(x, r)
    assert str(caught.value).startswith('x[1723] is nan; pass nonfinite="skip"')
    assert (caught.value.argument, caught.value.index, caught.value.code) == ("x", 1723, "nonfinite")


@pytest.mark.parametrize("make, message", [
    (lambda: hgrid.Grid(((0, 0, 0), (1, 1))), "two corners"),
    (lambda: hgrid.Grid(((0, 0), (1, -1)), periodic=True), "axis y"),
    (lambda: hgrid.Grid(((0, 0), (1, 1)), periodic="z"), "periodic is 'z'"),
    (lambda: hgrid.Grid(periodic=True), "needs a box or a cell"),
    (lambda: hgrid.Grid(cell=np.zeros((3, 3))), "vector a of the box is zero"),
    (lambda: hgrid.Grid(cell=np.zeros((2, 3))), "cell has shape (2, 3)"),
    (lambda: hgrid.Grid(rule="sums"), "rule is 'sums'; it must be one of 'sum', 'max', 'gather'"),
    (lambda: hgrid.Grid(((0, 0), (1, 1)), table="big"), "table is 'big'"),
    (lambda: hgrid.Grid(threads=0), "threads is 0"),
    (lambda: hgrid.Grid(((0, 0), (1, 1)), periodic=True).build(np.zeros((3, 3)), 1.0), "3 columns; the grid has 2"),
    (lambda: hgrid.Grid(((0, 0), (1, 1)), periodic=True).build([[0.5, 0.5]], 9.0), "images"),
])
def test_errors_of_grids(make, message):
    with pytest.raises(hgrid.InputError) as caught:
        make().build(np.zeros((1, 2)), 1.0)
    assert message in str(caught.value)


def test_other_frameworks(rng):
    strict = pytest.importorskip("array_api_strict")
    x, r = system(rng, 300)
    p = hgrid.Grid().build(strict.asarray(x), strict.asarray(r)).pairs("ijSd")
    assert all(type(column) is type(strict.asarray(x)) for column in p)
    assert keys(*(np.asarray(column) for column in p)) == keys(*hgrid.Grid().build(x, r).pairs("ijSd"))
    lists = hgrid.Grid().build(strict.asarray(x), strict.asarray(r)).neighbors()
    assert type(lists.i) is type(lists.indices) and lists.i.shape == (2 * p.ij.shape[0],)
    edges = hgrid.radius_graph(strict.asarray(x), 0.1)
    assert edges.dtype == strict.int64 and np.array_equal(np.asarray(edges), hgrid.radius_graph(x, 0.1))


class OnDevice:
    shape = 5, 3

    def __array_namespace__(self):
        return np

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **more):
        raise AssertionError("the array was read")


def test_arrays_on_a_device_are_none_for_a_grid_on_the_host():
    grid = hgrid.Grid().build(np.zeros((1, 3)), 1.0)
    for call in (lambda: grid.build(OnDevice(), 1.0), lambda: hgrid.Grid().build(np.zeros((5, 3)), OnDevice()),
                 lambda: grid.query(OnDevice()), lambda: hgrid.verify(grid.pairs(), OnDevice(), 1.0)):
        with pytest.raises(hgrid.InputError, match="is on device 2:0 .DLPack's numbers.; arrays on the host are needed") as caught:
            call()
        assert caught.value.code == "unsupported"


def test_a_device_needs_the_c_library(monkeypatch):
    monkeypatch.setenv("HGRID_C_LIBRARY", "libof_nobody.so")
    for call in (lambda: hgrid.Grid().build(OnDevice(), 1.0), lambda: hgrid.radius_graph(OnDevice(), 1.0)):
        with pytest.raises(hgrid.StateError, match="arrays on a device need hgrid's C library, built with CUDA: libof_nobody.so") as caught:
            call()
        assert caught.value.code == "device"
