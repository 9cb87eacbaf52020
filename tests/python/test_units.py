# SPDX-License-Identifier: BSD-3-Clause
"""Units and masks of other libraries are refused by name, and the line that the message gives works; what has neither is taken."""
import re

import numpy as np
import pytest

import hgrid

X = np.array([[0.0, 0, 0], [1, 0, 0], [3, 0, 0]])
R = np.array([0.6, 0.6, 0.6])


def quantities(kind):
    """A function that gives a unit to numbers, and one that gives them a unit of no dimension."""
    if kind == "pint":
        registry = pytest.importorskip("pint").UnitRegistry()
        return lambda a: registry.Quantity(a, "nm"), lambda a: registry.Quantity(a, "")
    if kind == "astropy":
        units = pytest.importorskip("astropy.units")
        return lambda a: a * units.nm, lambda a: a * units.dimensionless_unscaled
    unyt = pytest.importorskip("unyt")
    return lambda a: a * unyt.nm, lambda a: unyt.unyt_array(a, "dimensionless")


CALLS = {
    "x": lambda q: hgrid.Grid().build(q(X), R), "r": lambda q: hgrid.Grid().build(X, q(R)), "extra": lambda q: hgrid.Grid().build(X, R, extra=q(R)),
    "extents": lambda q: hgrid.Grid().build(X, extents=q(X + 1)), "box": lambda q: hgrid.Box((q(np.zeros(3)), q(np.ones(3))), periodic=True),
    "cell": lambda q: hgrid.Box(cell=q(np.eye(3))), "skin": lambda q: hgrid.Grid(skin=q(np.float64(0.1))),
    "positions": lambda q: hgrid.neighbor_list("ij", positions=q(X), cutoff=1.0), "cutoff": lambda q: hgrid.neighbor_list("ij", positions=X, cutoff=q(np.float64(1.0))),
    "points": lambda q: hgrid.Grid().build(X, R).query(q(X), radius=0.1), "reference": lambda q: hgrid.self_capped_distance(q(X), 1.0),
}


@pytest.mark.filterwarnings("ignore")  # of pint, about what is to be refused
@pytest.mark.parametrize("kind", ["pint", "astropy", "unyt"])
@pytest.mark.parametrize("argument", CALLS)
def test_units_are_refused_and_the_remedy_works(kind, argument):
    with_unit, without = quantities(kind)
    given = []

    def of(make):
        return lambda a: given.append(make(a)) or given[-1]

    with pytest.raises(hgrid.InputError, match="has the unit n(ano)?m(eter)?, and hgrid knows none") as error:
        CALLS[argument](of(with_unit))
    assert error.value.argument == argument
    remedy = re.search(r"such as (\S+)\.(\w+\('\w+'\))", str(error.value))
    CALLS[argument](lambda a: eval(f"one.{remedy[2]}", {"one": with_unit(a)}))
    CALLS[argument](without)


def test_units_that_xarray_states():
    xarray = pytest.importorskip("xarray")
    x, r = xarray.DataArray(X, dims=("n", "axis"), attrs={"units": "nm"}), xarray.DataArray(R, dims="n", attrs={"units": "angstrom"})
    with pytest.raises(hgrid.InputError, match="r is in angstrom and x in nm"):
        hgrid.Grid().build(x, r)
    for same in (r.assign_attrs(units="nm"), r.drop_attrs(), R):
        assert hgrid.Grid().build(x, same).count() == 1


def test_masks_are_not_dropped():
    Masked = pytest.importorskip("astropy.utils.masked").Masked
    with pytest.raises(hgrid.InputError, match=r"x\[1, 2\] is masked.*by x.unmasked"):
        hgrid.Grid().build(Masked(X, mask=[[0, 0, 0], [0, 0, 1], [0, 0, 0]]), R)
    with pytest.raises(hgrid.InputError, match=r"r\[0\] is masked.*by r.filled"):
        hgrid.Grid().build(X, np.ma.array(R, mask=[1, 0, 0]))
    assert hgrid.Grid().build(Masked(X, mask=False), np.ma.array(R, mask=False)).count() == 1


def test_tensors_without_numbers_are_refused():
    torch = pytest.importorskip("torch")
    from torch._subclasses.fake_tensor import FakeTensorMode
    with FakeTensorMode() as mode:
        fake = mode.from_tensor(torch.zeros(3, 3))
    cases = {"MaskedTensor": torch.masked.masked_tensor(torch.zeros(3, 3), torch.ones(3, 3, dtype=bool)), "FakeTensor": fake,
             "has no numbers": torch.zeros(3, 3, device="meta")}
    for name, x in cases.items():
        for call in (lambda: hgrid.Grid().build(x, 1.0), lambda: hgrid.neighbor_list("ij", positions=x, cutoff=1.0), lambda: hgrid.KDTree(x)):
            with pytest.raises(hgrid.InputError, match="has a mask" if name == "MaskedTensor" else name):
                call()
    taken = torch.nn.Parameter(torch.tensor(X))
    assert hgrid.Grid().build(taken, R).count() == 1


@pytest.mark.parametrize("dtype", ["Float64", "double[pyarrow]"])
def test_columns_of_pandas_own_types(dtype):
    pandas = pytest.importorskip("pandas")
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(np.column_stack([X, R]), columns=[*"xyzr"]).astype(dtype)
    assert hgrid.Grid().build(frame[[*"xyz"]], frame["r"]).count() == 1
    frame.loc[1, "z"] = pandas.NA
    with pytest.raises(hgrid.InputError, match=r"x\[1, 2\] is "):
        hgrid.Grid().build(frame[[*"xyz"]], R)


def test_types_that_numpy_has_not():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for kind in (ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn):
        with pytest.raises(hgrid.InputError, match=f"x is an array of {np.dtype(kind)}; it must be of float64 or float32"):
            hgrid.Grid().build(X.astype(kind), 0.6)
    big_endian = X.astype(">f8")
    assert hgrid.Grid().build(big_endian, R).count() == 1


def test_arrays_that_are_none():
    """The message says a way that works."""
    pyarrow = pytest.importorskip("pyarrow")
    rows = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(X.ravel()), 3)
    for x in (rows, rows.to_numpy(zero_copy_only=False)):
        with pytest.raises(hgrid.InputError, match="; give ") as error:
            hgrid.Grid().build(x, R)
        remedy = str(error.value).rpartition("give ")[2].removeprefix("its numbers, ")
        assert hgrid.Grid().build(eval(remedy, {"np": np, "x": x, "len": len}), R).count() == 1


def test_a_lazy_array_is_read_once():
    class Lazy:
        reads = 0
        shape, ndim, dtype = X.shape, 2, X.dtype

        def __len__(self):
            return len(X)

        def __array__(self, dtype=None, copy=None):
            Lazy.reads += 1
            return X.copy()

    for call in (lambda x: hgrid.Grid().build(x, 0.6), lambda x: hgrid.VerletList(hgrid.Grid(), skin=0.1).update(x, 0.6), lambda x: hgrid.KDTree(x),
                 lambda x: hgrid.neighbor_list("ij", positions=x, cutoff=1.0), lambda x: hgrid.Grid().build(X, 0.6).query(x, radius=0.1),
                 lambda x: hgrid.Grid().build(X, 0.6).nearest(x), lambda x: hgrid.radius_graph(x, 1.0), lambda x: hgrid.self_capped_distance(x, 1.0)):
        Lazy.reads = 0
        call(Lazy())
        assert Lazy.reads == 1
