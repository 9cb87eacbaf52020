# SPDX-License-Identifier: BSD-3-Clause
"""Particles of HDF5, NetCDF and Parquet files: what was written comes back, for every layout, and errors say what is wrong."""
import pathlib
import re
import sys

import numpy as np
import pytest

import hgrid
from hgrid import files

h5py = pytest.importorskip("h5py")
netCDF4 = pytest.importorskip("netCDF4")
parquet = pytest.importorskip("pyarrow.parquet")
pa = pytest.importorskip("pyarrow")
from particle_files import TILTED, element, shuffled, write_h5md, write_netcdf  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]


def assert_equal(got, x, r=None, ids=None):
    for one, other in ((got.x, x), (got.r, r), (got.ids, ids)):
        assert (one is None) == (other is None)
        assert one is None or np.array_equal(one, other)


class TestH5md:
    def test_frames_boxes_and_ids(self, numbered, rng, tmp_path):
        x, r, ids = numbered
        path = tmp_path / "run.h5"
        write_h5md(path, *shuffled(rng, x, r, ids), edges=TILTED)
        got = files.read(path)
        assert_equal(got, x + 1, r, ids)
        assert (got.frame, got.frames, got.step, got.time) == (1, 2, 20, 1.5)
        assert np.array_equal(got.box.cell, TILTED) and got.box.periodic == (True, True, True)
        assert_equal(files.read(path, frame=0), x, r, ids)
        grid = hgrid.Grid(got.box).build(got.x, got.r)
        assert hgrid.Grid(cell=TILTED, periodic=True).build(x, r).count() == grid.count() > 0
        with pytest.raises(hgrid.RangeError, match="index is 2; there are 2 frames"):
            files.read(path, frame=2)

    def test_open_axes(self, numbered, tmp_path):
        path = tmp_path / "run.h5"
        write_h5md(path, *numbered, boundary=("periodic", "none", "none"), edges=[4.0, np.nan, 0])
        box = files.read(path).box
        assert box.periodic == (True, False, False) and np.array_equal(box.cell, np.diag([4.0, 0, 0]))
        write_h5md(path, *numbered, boundary=("none",) * 3)
        assert files.read(path).box.is_open
        write_h5md(path, *numbered, boundary=("none",) * 3, edges=[4.0, 5, 6])
        assert files.read(path).box.is_open
        assert np.array_equal(files.read(path, periodic="xz").box.cell, np.diag([4.0, 0, 6]))
        write_h5md(path, *numbered, boundary=("mirror",) * 3)
        with pytest.raises(hgrid.InputError, match="boundary is .'mirror'"):
            files.read(path)

    def test_two_dimensions(self, numbered, tmp_path):
        x, r, ids = numbered
        path = tmp_path / "run.h5"
        write_h5md(path, x[:, :2], r, ids, boundary=("periodic", "none"), edges=[4.0, 1])
        got = files.read(path)
        assert_equal(got, x[:, :2] + 1, r, ids)
        assert got.box.dimension == 2 and got.box.periodic == (True, False)

    def test_a_fill_value_is_no_particle(self, numbered, tmp_path):
        x, r, ids = numbered
        path = tmp_path / "run.h5"
        holed = np.where(np.arange(len(ids)) % 3 == 0, -1, ids)
        write_h5md(path, x, r, holed, edges=[4.0, 4, 4], fillvalue=-1)
        assert_equal(files.read(path, frame=0), x[holed >= 0], r[holed >= 0], ids[holed >= 0])
        ids[0] = 0
        write_h5md(path, x, r, ids, edges=[4.0, 4, 4])  # 0 is HDF5's own, which nobody gave
        assert_equal(files.read(path, frame=0), x, r, ids)

    def test_elements_of_other_steps(self, numbered, tmp_path):
        x, r, ids = numbered
        path = tmp_path / "run.h5"
        with h5py.File(path, "w") as file:
            group = file.create_group("particles/all")
            made = element(group, "position", np.stack([x, x + 1, x + 2]), 10)
            made["step"].attrs["offset"] = 30  # 30, 40, 50
            element(group, "diameter", np.stack([r, 4 * r]), [30, 50], dtype="f4")
        assert_equal(files.read(path), x + 2, (4 * r).astype("f4") / 2)
        assert files.read(path).step == 50
        assert_equal(files.read(path, frame=0), x, r.astype("f4") / 2)
        with pytest.raises(hgrid.InputError, match="frame is of step 40"):
            files.read(path, frame=1)

    def test_several_groups(self, numbered, tmp_path):
        x, r, ids = numbered
        path = tmp_path / "run.h5"
        with h5py.File(path, "w") as file:
            for name in ("a", "b"):
                file[f"particles/{name}/position"], file[f"particles/{name}/radius"] = (x if name == "a" else -x), r
            file["other"] = np.zeros(3)
        with pytest.raises(hgrid.InputError, match="2 groups of the file have positions: particles/a, particles/b"):
            files.read(path)
        assert_equal(files.read(path, group="particles/b"), -x, r)
        with pytest.raises(hgrid.InputError, match="does not have"):
            files.read(path, group="particles/c")


@pytest.mark.parametrize("kind", ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA", "NETCDF4"])
def test_netcdf(kind, numbered, rng, tmp_path):
    x, r, ids = numbered
    path = tmp_path / "run.nc"
    write_netcdf(path, *shuffled(rng, x, r, ids), [4, 0, 6], [90, 90, 90], kind)
    got = files.read(path)
    assert_equal(got, x + 1, r, ids)
    assert got.time == 1.5 and got.frames == 2
    assert got.box.periodic == (True, False, True) and np.array_equal(got.box.cell, np.diag([4.0, 0, 6]))
    write_netcdf(path, x, r, ids, [4, 5, 6], [70, 80, 100], kind)
    cell = files.read(path, frame=-2).box.cell
    assert np.allclose(np.linalg.norm(cell, axis=1), [4, 5, 6], rtol=1e-14) and cell[0, 1] == cell[0, 2] == cell[1, 2] == 0
    cosines = [cell[a] @ cell[b] / np.linalg.norm(cell[a]) / np.linalg.norm(cell[b]) for a, b in ((1, 2), (0, 2), (0, 1))]
    assert np.allclose(cosines, np.cos(np.radians([70, 80, 100])), rtol=1e-14)
    write_netcdf(path, x, r, ids, kind=kind)
    assert files.read(path).box.is_open
    write_netcdf(path, x, r, ids, [4, 5, 6], [90, 90, 90], program="OVITO")
    files.read(path)
    write_netcdf(path, x, r, ids, [4, 5, 6], [70, 80, 100], program="OVITO")
    with pytest.warns(UserWarning, match="OVITO wrote this file"):
        files.read(path)
    for angles in ([0, 90, 90], [90, 90, 180], [30, 30, 90]):
        write_netcdf(path, x, r, ids, [4, 5, 6], angles, kind)
        with pytest.raises(hgrid.InputError, match="angles"):
            files.read(path)


def test_a_plane_with_a_short_period(numbered, tmp_path):
    """LAMMPS in two dimensions."""
    x, r, ids = numbered
    x[:, 2] = -1
    write_netcdf(tmp_path / "run.nc", x, r, ids, [4, 5, 0.5], [90, 90, 90])
    with pytest.warns(UserWarning, match="dimension=2"):
        files.read(tmp_path / "run.nc")
    got = files.read(tmp_path / "run.nc", dimension=2)
    assert_equal(got, x[:, :2] + 1, r, ids)
    assert got.box.dimension == 2 and got.box.periodic == (True, True)


@pytest.mark.parametrize("kind", ["NETCDF3_CLASSIC", "NETCDF4"])
def test_missing_numbers_are_nan(kind, numbered, tmp_path):
    x, r, ids = numbered
    with netCDF4.Dataset(tmp_path / "c.nc", "w", format=kind) as file:
        file.createDimension("n", 60)
        for name, values in (("x", x[:, 0]), ("y", x[:, 1]), ("r", np.ma.array(r, mask=np.arange(60) == 7))):
            file.createVariable(name, "f8", ("n",), fill_value=-9.0)[:] = values
    got = files.read(tmp_path / "c.nc")
    assert np.flatnonzero(np.isnan(got.r)).tolist() == [7]
    with pytest.raises(hgrid.InputError, match=r"r\[7\] is nan"):
        hgrid.Grid().build(got.x, got.r)
    parquet.write_table(pa.table({"x": x[:, 0], "y": [None, *x[1:, 1]], "r": r}), tmp_path / "p.parquet")
    assert np.flatnonzero(np.isnan(files.read(tmp_path / "p.parquet").x[:, 1])).tolist() == [0]


@pytest.mark.parametrize("layout", ["columns", "compound", "block", "mdtraj", "pandas"])
def test_hdf5_tables(layout, numbered, rng, tmp_path):
    (x, r, ids), path = numbered, tmp_path / "table.h5"
    y, s, own = shuffled(rng, x, r, ids)
    with h5py.File(path, "w") as file:
        if layout == "columns":
            for name, values in (("PosX", y[:, 0]), ("pos_y", y[:, 1]), ("Z", y[:, 2]), ("Diameter", 2 * s), ("Particle ID", own), ("mass", s[:9])):
                file[name] = values
        elif layout == "compound":
            rows = np.zeros(60, [("position", "f8", 3), ("radius", "f8"), ("id", "i8"), ("name", "S4")])
            rows["position"], rows["radius"], rows["id"] = y, s, own
            file["grains/now"] = rows
        elif layout == "block":
            file["Points"], file["radii"], file["id"] = y, s[:, None], own
        elif layout == "mdtraj":
            file["coordinates"], file["radius"], file["id"] = np.stack([y - 1, y]), s, own
            file["cell_lengths"], file["cell_angles"], file["time"] = np.ones((2, 3)) * [[4], [8]], np.full((2, 3), 90.0), [0.5, 2.5]
        else:
            group = file.create_group("particles")
            group.attrs["pandas_type"], group.attrs["nblocks"] = "frame", 2
            group["block0_items"], group["block0_values"] = [b"x", b"y", b"z", b"r"], np.column_stack([y, s])
            group["block1_items"], group["block1_values"] = [b"id"], own[:, None]
    got = files.read(path)
    assert_equal(got, x, r, ids)
    assert got.frames == (2 if layout == "mdtraj" else 1) and (layout != "mdtraj" or got.time == 2.5 and np.array_equal(got.box.cell, 8 * np.eye(3)))


def test_tables_of_pandas(numbered, tmp_path):
    pandas = pytest.importorskip("pandas")
    x, r, ids = numbered
    table = pandas.DataFrame({"x": x[:, 0], "y": x[:, 1], "z": x[:, 2], "r": r, "id": ids})
    table.to_parquet(tmp_path / "p.parquet")
    assert_equal(files.read(tmp_path / "p.parquet"), x, r, ids)
    pytest.importorskip("tables")
    table.to_hdf(tmp_path / "f.h5", key="grains", mode="w")
    assert_equal(files.read(tmp_path / "f.h5"), x, r, ids)
    table.to_hdf(tmp_path / "c.h5", key="grains", mode="w", format="table", data_columns=True)
    assert_equal(files.read(tmp_path / "c.h5"), x, r, ids)
    table.to_hdf(tmp_path / "t.h5", key="grains", mode="w", format="table")
    with pytest.raises(hgrid.InputError, match="no group of the file"):
        files.read(tmp_path / "t.h5")
    with pytest.raises(hgrid.InputError, match="data_columns=True"):
        files.read(tmp_path / "t.h5", group="grains/table")


@pytest.mark.parametrize("layout", ["columns", "list", "fixed", "struct"])
def test_parquet(layout, numbered, rng, tmp_path):
    x, r, ids = numbered
    y, s, own = shuffled(rng, x, r, ids)
    block = pa.FixedSizeListArray.from_arrays(pa.array(y.ravel()), 3)
    places = {"columns": {"Position X (m)": y[:, 0], "Position Y (m)": y[:, 1], "Position Z (m)": y[:, 2]}, "list": {"pos": pa.array(y.tolist())},
              "fixed": {"position": block}, "struct": {"position": pa.array([{"x": a, "y": b, "z": c} for a, b, c in y.tolist()])}}[layout]
    parquet.write_table(pa.table({"name": ["grain"] * 60, **places, "radius": s.astype("f4"), "atom_id": own}), tmp_path / "p.parquet", row_group_size=7)
    got = files.read(tmp_path / "p.parquet")
    assert_equal(got, x, r.astype("f4"), ids)
    assert got.r.dtype == np.float32 and got.box.is_open


def test_parquet_of_other_types(numbered, tmp_path):
    """Columns of other types do no harm, and lists of unequal lengths are no positions."""
    (x, r, _), path = numbered, tmp_path / "p.parquet"
    odd = {"kind": pa.array(["a"] * 60).dictionary_encode(), "map": pa.array([[("a", 1)]] * 60, pa.map_(pa.string(), pa.int64())), "none": pa.nulls(60),
           "tags": pa.array([None, *[["a"]] * 59]), "when": pa.array([0] * 60, pa.timestamp("s"))}
    parquet.write_table(pa.table({**odd, "pos": pa.array(x.tolist()), "r": r}), path)
    assert_equal(files.read(path), x, r)
    parquet.write_table(pa.table({"pos": pa.array([*x[:58].tolist(), [1.0, 2.0], [1.0, 2.0, 3.0, 4.0]]), "r": r}), path)
    with pytest.raises(hgrid.InputError, match="lengths than 3"):
        files.read(path)


def test_boxes_and_meanings(rng, tmp_path):
    x, half = rng.random((20, 2)), rng.random((20, 2))
    path = tmp_path / "p.parquet"
    parquet.write_table(pa.table({"x": x[:, 0], "y": x[:, 1], "HalfX": half[:, 0], "hy": half[:, 1]}), path)
    got = files.read(path)
    assert_equal(got, x)
    assert np.array_equal(got.extents, half)
    assert hgrid.Grid(got.box).build(got.x, extents=got.extents).count() > 0
    got = files.read(path, columns={"HalfX": "radius", "hy": ""})
    assert_equal(got, x, half[:, 0])
    parquet.write_table(pa.table({"x": x[:, 0], "PosX": x[:, 1], "y": x[:, 1], "size": half[:, 0]}), path)
    with pytest.raises(hgrid.InputError, match="two columns mean the same: 'x' and 'PosX'; columns={'x': ''} leaves one out"):
        files.read(path)
    assert_equal(files.read(path, columns={"x": ""}), x[:, [1, 1]])
    assert_equal(files.read(path, columns={"PosX": "x", "size": "diameter"}), x[:, [1, 1]], half[:, 0] / 2)
    parquet.write_table(pa.table({"x [mm]": x[:, 0], "y [mm]": x[:, 1], "r [m]": half[:, 0]}), path)
    with pytest.warns(UserWarning, match="positions are in mm, and sizes in m: radius_scale="):
        files.read(path)


def test_errors(numbered, rng, tmp_path):
    (x, r, ids), path = numbered, tmp_path / "a b.parquet"
    with pytest.raises(FileNotFoundError):
        files.read(path)
    parquet.write_table(pa.table({"x": x[:, 0], "r": r}), path)
    with pytest.raises(hgrid.InputError, match="no column for y; the columns found are: x, r; columns={'NAME': 'y'}") as error:
        files.read(path)
    assert error.value.code == "format"
    parquet.write_table(pa.table({"x": x[:, 0], "y": r, "id": np.where(ids == ids[3], ids[1], ids)}), path)
    with pytest.raises(hgrid.InputError, match=f"the id {ids[1]} twice in frame 0"):
        files.read(path)
    for given, message in (({"frame": 1}, "there is 1 frame"), ({"group": "a"}, "is for HDF5"), ({"columns": {"no": "x"}}, "names 'no'"), ({"dimension": 3}, "column for z"),
                           ({"columns": {"x": "mass"}}, "must be position"), ({"dimension": 4}, "from 2 to 3"), ({"periodic": True}, "needs a box")):
        with pytest.raises(hgrid.InputError, match=message):
            files.read(path, **{"columns": {"id": ""}, **given})
    path.write_text("x y z r\n")
    with pytest.raises(hgrid.InputError, match="neither HDF5, NetCDF nor Parquet.*hgrid convert"):
        files.read(path)


def test_damaged_files(numbered, rng, tmp_path):
    """Cut off anywhere, or with other bytes, a file is an error of ours, or has numbers."""
    x, r, ids = numbered
    write_h5md(tmp_path / "a.h5", x, r, ids, edges=[4.0, 4, 4])
    write_netcdf(tmp_path / "a.nc", x, r, ids, [4, 5, 6], [70, 80, 100])
    parquet.write_table(pa.table({"x": x[:, 0], "y": x[:, 1], "id": ids}), tmp_path / "a.parquet")
    refused = 0
    for name in ("a.h5", "a.nc", "a.parquet"):
        content = (tmp_path / name).read_bytes()
        for k in range(60):
            end = int(rng.integers(4, len(content))) if k % 2 else len(content)
            damaged = bytearray(content[:end])
            for at in rng.integers(4, end, size=0 if k % 2 else 20):
                damaged[at] = rng.integers(256)
            (tmp_path / "b").write_bytes(damaged)
            try:
                files.read(tmp_path / "b")
            except hgrid.Error:
                refused += 1
    assert refused > 90


@pytest.mark.parametrize("kind, package", [("h5", "h5py"), ("nc", "netCDF4"), ("parquet", "pyarrow")])
def test_a_missing_package_is_named(kind, package, monkeypatch, tmp_path):
    path = tmp_path / f"a.{kind}"
    path.write_bytes({"h5": b"\x89HDF\r\n", "nc": b"CDF\x02", "parquet": b"PAR1"}[kind])
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"pip install {package}$") as error:
        files.read(path)
    assert isinstance(error.value, hgrid.MissingPackageError) and error.value.code == "unsupported"
    extras = (ROOT / "pyproject.toml").read_text()
    assert re.search(rf'^files = \[.*"{package}"', extras, re.M) and re.search(rf'^\w+ = \["{package}"\]$', extras, re.M)
