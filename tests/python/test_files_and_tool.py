# SPDX-License-Identifier: BSD-3-Clause
"""The package and the tool know the same names of columns, and the line that the tool names converts files of other kinds."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest

import hgrid
import hgrid.__main__
from hgrid import _columns

ROOT = pathlib.Path(__file__).parents[2]
BUILT = ROOT / "build/release/bin/hgrid"
TOOL = str(BUILT) if os.access(BUILT, os.X_OK) else hgrid.__main__.tool()
needs_tool = pytest.mark.skipif(TOOL is None, reason="no tool was built")


KEPT = json.loads((ROOT / "tests/real_files/kept/contacts.json").read_text())


@pytest.mark.parametrize("name", [name for name in KEPT if name.endswith((".nc", ".parquet"))])
def test_kept_files(name):
    """Files that packages wrote (tests/real_files/writers.py) have the contacts that were in memory."""
    pytest.importorskip("netCDF4" if name.endswith(".nc") else "pyarrow")
    import hgrid.files
    options, contacts = KEPT[name]
    given = dict(option.removeprefix("--").split("=") for option in options)
    got = hgrid.files.read(ROOT / "tests/real_files/kept" / name)
    grid = hgrid.Grid(got.box)
    if "cell" in given:
        D = int(given["dim"])
        grid = hgrid.Grid(cell=np.reshape([*map(float, given["cell"].split(","))], (D, D)), periodic=given["periodic"])
    i, j, d = grid.build(got.x, float(given["radius"]) if got.r is None else got.r).pairs("ijd", order="sorted")
    r = np.broadcast_to(float(given["radius"]) if got.r is None else got.r, len(got.x))
    found = sorted((*sorted(pair), overlap) for pair, overlap in zip(zip(i.tolist(), j.tolist()), (r[i] + r[j] - d).tolist()))
    assert [pair[:2] for pair in found] == [tuple(pair[:2]) for pair in contacts]
    assert np.allclose([pair[2] for pair in found], [pair[2] for pair in contacts], rtol=0, atol=1e-4)


class TestAliases:
    def test_the_list_is_the_tools(self):
        code = (ROOT / "src/tool/io/column_names.cpp").read_text()
        listed = dict(re.findall(r"\{Role::(\w+),\s*\{([^}]*)\}\}", code))
        assert {role: re.findall(r'"(.*?)"', names) for role, names in listed.items()} == _columns.ALIASES
        for name, ours in (("positions", _columns.POSITIONS), ("length_units[]", _columns.UNITS)):
            text = re.search(re.escape(name) + r" = \{(.*?)\};", code, re.S)[1].replace('"\\xC2\\xB5" "m"', '"µm"').replace(r"\xC2\xB5", "µ")
            assert re.findall(r'"(.*?)"', text) == ours

    @needs_tool
    def test_names_mean_what_the_tool_says(self, rng, tmp_path):
        """Drawn headers: the same columns are taken, or both refuse."""
        pool = [name for names in _columns.ALIASES.values() for name in names]
        said = {True: 0, False: 0}
        for _ in range(80):
            names = [*rng.choice(["x", "X", "pos_x", "x_mm"], 1), *rng.choice(["y", "PosY", "y [m]"], 1), *rng.choice(pool, rng.integers(0, 5)), "mass"]
            ways = (str, str.upper, str.title, lambda n: n + "_mm", lambda n: n + " (m)", lambda n: "v_" + n, lambda n: n.replace("o", "o_"), lambda n: "f_" + n)
            names = [*names[:2], *(ways[rng.integers(len(ways))](name) for name in names[2:])]
            if len(set(names)) < len(names):
                continue
            (tmp_path / "t.csv").write_text(",".join(f'"{name}"' for name in names) + "\n" + ",".join(["1"] * len(names)) + "\n")
            try:
                roles = _columns.roles_of(dict.fromkeys(names, 1))
            except hgrid.InputError:
                roles = {}
            sizes = [] if {"radius", "diameter"} & {*roles} else ["--radius", "1"]
            done = subprocess.run([TOOL, "contacts", tmp_path / "t.csv", *sizes], capture_output=True, text=True)
            if not roles:
                assert "two columns mean the same" in done.stderr, names
                said[False] += 1
                continue
            assert done.returncode == 0, (names, done.stderr)
            size = "radius" if "radius" in roles else "diameter"
            taken = [roles[role][0] + (" (halved)" if role == "diameter" else "") for role in ("x", "y", "z", size, "id") if role in roles]
            assert re.search(r"^columns +(.*?)( \(.* left out\))?$", done.stdout, re.M)[1] == ", ".join(taken), (names, done.stdout)
            said[True] += 1
        assert min(said.values()) > 10


@needs_tool
@pytest.mark.parametrize("kind", ["h5", "nc", "parquet"])
def test_the_tools_line(kind, numbered, rng, tmp_path):
    """The tool names the file, and the line of its message, followed to the letter, has its contacts."""
    for package in ("h5py", "netCDF4", "pyarrow"):
        pytest.importorskip(package)
    import pyarrow as pa
    from particle_files import TILTED, shuffled, write_h5md, write_netcdf
    from pyarrow import parquet
    x, r, ids = numbered
    path, cell = tmp_path / f"run.{kind}", np.diag([4.0, 5, 6])
    if kind == "h5":
        write_h5md(path, *shuffled(rng, x, r, ids), edges=TILTED)
        cell = TILTED
    elif kind == "nc":
        write_netcdf(path, *shuffled(rng, x, r, ids), [4, 5, 6], [90] * 3)
    else:
        parquet.write_table(pa.table({"x": x[:, 0], "y": x[:, 1], "z": x[:, 2], "r": r, "id": ids}), path)
    refused = subprocess.run([TOOL, "contacts", f"run.{kind}"], cwd=tmp_path, capture_output=True, text=True)
    assert refused.returncode == 3
    line = refused.stderr.strip().rpartition(": ")[2]
    assert line.startswith("python3 -m hgrid.files run.")
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "python3").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    (folder / "python3").chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{pathlib.Path(TOOL).parent}:{os.environ['PATH']}",
                   "PYTHONPATH": os.pathsep.join([str(pathlib.Path(hgrid.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])}
    for options, box in (("", {}), ("--periodic xyz", {"cell": cell, "periodic": True})):
        if box and kind == "parquet":
            continue
        expected = hgrid.Grid(**box).build(x + (kind != "parquet"), r)
        i, j = expected.pairs(order="sorted").ij.T if expected.count() else ([], [])
        done = subprocess.run(["bash", "-c", f"{line} {options} --out -"], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found = [tuple(map(int, row.split(",")[:2])) for row in done.stdout.splitlines()[1:]]
        assert sorted(map(tuple, map(sorted, found))) == sorted(map(tuple, map(sorted, zip(ids[i].tolist(), ids[j].tolist()))))
        assert len(found) > 5
    if kind != "parquet":
        command = f"{shlex.quote(sys.executable)} -m hgrid.files run.{kind} --frames all | {TOOL} contacts - --frames all --json"
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.stdout.count('"frame":') == 2, done.stderr


def test_the_command_says_what_is_wrong(tmp_path):
    (tmp_path / "a.h5").write_bytes(b"\x89HDF\r\n\x1a\nrest")
    for arguments, code, message in ((["none.h5"], 1, "none.h5"), (["a.h5", "--frames", "two"], 2, "two"), ([], 2, "FILE"), (["a.h5"], 1, "a.h5")):
        done = subprocess.run([sys.executable, "-m", "hgrid.files", *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == code and message in done.stderr and "Traceback" not in done.stderr and done.stdout == "", done.stderr
