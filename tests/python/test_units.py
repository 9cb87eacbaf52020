# SPDX-License-Identifier: BSD-3-Clause
"""Units and masks of other libraries are refused by name, and the line that the message gives works; arrays without them are taken."""
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
    if kind == "quantities":
        quantities = pytest.importorskip("quantities")
        return lambda a: quantities.Quantity(a, "nm"), lambda a: quantities.Quantity(a, "dimensionless")
    if kind == "scipp":
        scipp = pytest.importorskip("scipp")
        return lambda a: scipp.array(dims=["n", "axis"][:a.ndim], values=a, unit="nm") if a.ndim else scipp.scalar(a, unit="nm"), lambda a: a
    if kind == "openmm":
        unit = pytest.importorskip("openmm.unit")
        return lambda a: unit.Quantity(a, unit.nanometer), lambda a: a
    unyt = pytest.importorskip("unyt")
    return lambda a: a * unyt.nm, lambda a: unyt.unyt_array(a, "dimensionless")


CALLS = {
    "x": lambda q: hgrid.Grid().build(q(X), R), "r": lambda q: hgrid.Grid().build(X, q(R)), "extra": lambda q: hgrid.Grid().build(X, R, extra=q(R)),
    "extents": lambda q: hgrid.Grid().build(X, extents=q(X + 1)), "box": lambda q: hgrid.Box((q(np.zeros(3)), q(np.ones(3))), periodic=True),
    "cell": lambda q: hgrid.Box(cell=q(np.eye(3))), "skin": lambda q: hgrid.Grid(skin=q(np.float64(0.1))),
    "positions": lambda q: hgrid.neighbor_list("ij", positions=q(X), cutoff=1.0), "cutoff": lambda q: hgrid.neighbor_list("ij", positions=X, cutoff=q(np.float64(1.0))),
    "points": lambda q: hgrid.Grid().build(X, R).query(q(X), radius=0.1), "reference": lambda q: hgrid.self_capped_distance(q(X), 1.0),
}


@pytest.mark.filterwarnings("ignore")  # pint's warning about the refused argument
@pytest.mark.parametrize("kind", ["pint", "astropy", "unyt", "quantities", "scipp", "openmm"])
@pytest.mark.parametrize("argument", CALLS)
def test_units_are_refused_and_the_remedy_works(kind, argument):
    with_unit, without = quantities(kind)
    given = []

    def of(make):
        return lambda a: given.append(make(a)) or given[-1]

    with pytest.raises(hgrid.InputError, match="has the unit n(ano)?m(eter)?, and hgrid knows none") as error:
        CALLS[argument](of(with_unit))
    assert error.value.argument == argument
    shown, remedy = re.search(r"^(\S+) has.* such as (.*)$", str(error.value)).groups()
    name = shown.partition("[")[0]
    CALLS[argument](lambda a: eval(remedy, {name: with_unit(a) if name == shown else [with_unit(a)] * 2}))
    CALLS[argument](without)


def test_units_that_xarray_states():
    xarray = pytest.importorskip("xarray")
    x, r = xarray.DataArray(X, dims=("n", "axis"), attrs={"units": "nm"}), xarray.DataArray(R, dims="n", attrs={"units": "angstrom"})
    with pytest.raises(hgrid.InputError, match="r is in angstrom and x in nm"):
        hgrid.Grid().build(x, r)
    for same in (r.assign_attrs(units="nm"), r.drop_attrs(), R):
        assert hgrid.Grid().build(x, same).count() == 1


def test_units_that_files_state(tmp_path):
    with pytest.importorskip("h5py").File(tmp_path / "u.h5", "w") as file:
        for name, data, unit in (("x", X, "nm"), ("r", R, "m"), ("same", R, "nm")):
            file[name] = data
            file[name].attrs["units"] = unit
        with pytest.raises(hgrid.InputError, match="r is in m and x in nm"):
            hgrid.Grid().build(file["x"], file["r"])
        assert hgrid.Grid().build(file["x"], file["same"]).count() == 1
    x, r = masked("netCDF4", False), masked("netCDF4", False)
    x.units, r.units = "nm", "m"
    with pytest.raises(hgrid.InputError, match="extents is in m and x in nm"):
        hgrid.Grid().build(x, extents=r)


@pytest.mark.filterwarnings("ignore")  # warnings of pint and unyt about the refused argument
@pytest.mark.parametrize("kind", ["pint", "astropy", "unyt"])
def test_units_within(kind):
    """Lists of quantities, and tables that wrap them."""
    with_unit, _ = quantities(kind)
    for x in ([with_unit(row) for row in X], [list(map(with_unit, row)) for row in X], (X[0], X[1], with_unit(X[2]))):
        with pytest.raises(hgrid.InputError, match=r"x\[\d\].* has the unit n") as error:
            hgrid.Grid().build(x, R)
        assert eval(str(error.value).rpartition("such as ")[2], {"x": x}) is not None
    with pytest.raises(hgrid.InputError, match="box.* has the unit n"):
        hgrid.Box(((with_unit(0.0),) * 3, (with_unit(1.0),) * 3), periodic=True)
    wrapped = pytest.importorskip("xarray").DataArray(with_unit(R))
    if kind == "pint":  # others are read as they are wrapped, and lose the unit then
        with pytest.raises(hgrid.InputError, match=r"such as r\.data\.m_as\('nanometer'\)"):
            hgrid.Grid().build(X, wrapped)


def test_columns_with_units():
    table, nddata = pytest.importorskip("astropy.table"), pytest.importorskip("astropy.nddata")
    for r in (table.Column(R, unit="nm"), nddata.NDData(R, unit="nm")):
        with pytest.raises(hgrid.InputError, match="r has the unit nm") as error:
            hgrid.Grid().build(X, r)
        assert hgrid.Grid().build(X, eval(str(error.value).rpartition("such as ")[2], {"r": r})).count() == 1


def masked(kind, hide):
    """X as an array of a library with masks, whose entry [1, 2] is hidden, and the message's name for the numbers below."""
    mask = np.zeros(X.shape, bool)
    mask[1, 2] = hide
    ma = np.ma.array(X, mask=mask)
    if kind == "astropy":
        return pytest.importorskip("astropy.utils.masked").Masked(X, mask=mask)
    if kind == "NDData":
        return pytest.importorskip("astropy.nddata").NDData(X, mask=mask)
    if kind == "dask":
        return pytest.importorskip("dask.array").from_array(ma)
    if kind == "netCDF4":
        file = pytest.importorskip("netCDF4").Dataset(f"{id(ma)}.nc", "w", diskless=True)
        file.createDimension("n", 3), file.createDimension("axis", 3)
        variable = file.createVariable("x", "f8", ("n", "axis"))
        variable[:] = ma
        return variable
    return ma if kind == "numpy" else list(ma)


@pytest.mark.parametrize("kind", ["numpy", "astropy", "NDData", "rows", "dask", "netCDF4"])
def test_masks_are_not_dropped(kind):
    x = masked(kind, True)
    with pytest.raises(hgrid.InputError, match=r"x\[1(, |\]\[)2\] is masked") as error:
        hgrid.Grid().build(x, R)
    remedy = re.search(r"below the mask by (x\S*),", str(error.value))[1]
    below = eval(remedy.replace("filled(...)", "filled(0)"), {"x": x})
    assert len(below) == 3 and (kind == "rows" or hgrid.Grid().build(below, R))
    if kind != "NDData":  # numpy makes no array of it
        assert hgrid.Grid().build(masked(kind, False), np.ma.array(R, mask=False)).count() == 1


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
    assert hgrid.Grid().build(cases["MaskedTensor"].get_data(), 1.0).count() == 3
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
    arrays = []
    try:
        import pyarrow
        arrays += [pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(X.ravel()), 3)]
        arrays += [arrays[0].to_numpy(zero_copy_only=False)]
    except ImportError:
        pass
    try:
        import jax
        arrays += [jax.new_ref(jax.numpy.asarray(X))]
    except (ImportError, AttributeError):
        pass
    try:
        import scipp
        arrays += [scipp.array(dims=["n", "axis"], values=X, unit=None)]
    except ImportError:
        pass
    for x in arrays:
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
