# SPDX-License-Identifier: BSD-3-Clause
"""The command hgrid of the package gives the contacts of Grid, and of the tool that CMake builds, if it exists."""
import gzip
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import system

import hgrid
from hgrid._command import main


ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(x, r, head="# box 0 0 0 1 1 1\n", sep=",", names="x,y,z,r"):
    rows = np.column_stack([x, r]).tolist()
    return head + (names.replace(",", sep) + "\n" if names else "") + "".join(sep.join(map(repr, row)) + "\n" for row in rows)


def expected(x, r, periodic="", skin=0.0):
    i, j, S, d = hgrid.Grid(((0,) * x.shape[1], (1,) * x.shape[1]), periodic=periodic, skin=skin).build(x, r).pairs("ijSd", order="sorted")
    return np.column_stack([i, j, S, np.zeros((len(i), 3 - x.shape[1])), r[i] + r[j] - d])


def found(*arguments):
    out = "found.csv" if "--out" not in arguments else arguments[arguments.index("--out") + 1]
    assert main(["contacts", *map(str, arguments), *([] if "--out" in arguments else ["--out", out, "--overwrite"])]) == 0
    return np.loadtxt(out, delimiter=",", skiprows=1, ndmin=2)


def test_files_of_all_kinds(here, rng, capsys):
    x, r = system(rng, 500)
    contacts = expected(x, r)
    np.save("p.npy", np.column_stack([x, r]))
    np.save("x.npy", x.astype(np.float32))
    (here / "p.csv").write_text(table(x, r))
    (here / "units.txt").write_text(table(x, 2 * r, "", " ", "X[m],y,Z(m),Radius"))
    (here / "bare.txt").write_text(table(x, r, "", "\t", ""))
    (here / "p.csv.gz").write_bytes(gzip.compress(table(x, r).encode()))
    for name in ("p.npy", "p.csv", "bare.txt", "p.csv.gz"):
        assert np.array_equal(found(name), contacts)
    assert f"pairs      {len(contacts):,}" in capsys.readouterr().out and len(contacts) > 100
    assert np.array_equal(found("units.txt", "--radius-scale", 0.5), contacts)
    assert np.array_equal(found("p.csv", "--periodic", "xz", "--skin", 0.01), expected(x, r, "xz", 0.01))
    assert np.array_equal(found("bare.txt", "--periodic", "y", "--box", "0,0,0,1,1,1"), expected(x, r, "y"))
    single = x.astype(np.float32).astype(np.float64)
    assert np.array_equal(found("x.npy", "--radius", 0.03), expected(single, np.full(500, 0.03)))


def test_two_dimensions_and_ids(here, rng, capsys):
    x, r = system(rng, 300, 2)
    (here / "d.csv").write_text(table(x, r, "# box 0 0 1 1\n", names="x,y,r"))
    contacts = expected(x, r, "xy")
    assert np.array_equal(found("d.csv", "--periodic", "xy"), contacts)
    order = rng.permutation(300)
    rows = np.column_stack([order + 7, x[order], r[order]])
    (here / "i.csv").write_text("# box 0 0 1 1\nid,x,y,r\n" + "".join("%d,%r,%r,%r\n" % tuple(row) for row in rows.tolist()))
    shifted = contacts.copy()
    shifted[:, :2] += 7
    assert np.array_equal(found("i.csv", "--periodic", "xy"), shifted)
    assert main(["contacts", "i.csv", "--count"]) == 0
    assert f"pairs      {len(expected(x, r)):,}" in capsys.readouterr().out


def test_outputs(here, rng, capsysbinary):
    x, r = system(rng, 200)
    np.save("p.npy", np.column_stack([x, r]))
    assert main(["contacts", "p.npy", "--out", "c.npy"]) == 0
    contacts = np.load("c.npy")
    assert np.array_equal(np.array(contacts.tolist()), expected(x, r)) and contacts.dtype.names[2:] == ("ix", "iy", "iz", "overlap")
    capsysbinary.readouterr()
    assert main(["contacts", "p.npy", "--out", "-"]) == 0
    out, err = capsysbinary.readouterr()
    assert out.startswith(b"i,j,ix,iy,iz,overlap\n0,") and out.count(b"\n") == len(contacts) + 1 and b"particles  200" in err
    assert main(["contacts", "p.npy", "--out", "c.npy"]) == 2 and sorted(os.listdir()) == ["c.npy", "p.npy"]


@pytest.mark.parametrize("text, arguments, code, message", [
    ("x,y,z,r\n0,0,0,1\n0,nan,0,1\n", (), 3, "f: x[1] is"),
    ("x,y,z,r\n0,0,0,1\n0,zero,0,1\n", (), 3, "zero"),
    ("x,y,z\n0,0,0\n", (), 3, "--radius"),
    ("a,b,c\n0,0,0\n", (), 3, "no column x"),
    ("id,x,y,r\n4,0,0,1\n4,1,1,1\n", (), 3, "id 4 stands there twice"),
    ("id,x,y,r\n4.5,0,0,1\n", (), 3, "whole numbers"),
    ("# nothing\n", (), 3, "no rows"),
    ("0,0,1\n", ("--columns", "x,y,z,r"), 3, "3 columns, and 4 names"),
    ("x,y,z,r\n0,0,0,1\n", ("--periodic", "x"), 2, "--periodic needs a box"),
    ("x,y,z,r\n0,0,0,1\n", ("--skin", "-1"), 2, "skin"),
    ("x,y,z,r\n0,0,0,1\n", ("--out", "c.vtp"), 2, "tool that CMake builds"),
    (None, (), 4, "f: No such file"),
    ("x,y,z,r\n0,0,0,1\n", ("--out", "none/c.csv"), 4, "No such file"),
])
def test_refusals(here, capsys, text, arguments, code, message):
    if text is not None:
        (here / "f").write_text(text)
    assert main(["contacts", "f", *arguments]) == code
    err = capsys.readouterr().err
    assert err.startswith("hgrid: ") and message in err and err.count("\n") == 1
    assert sorted(os.listdir()) == ([] if text is None else ["f"])


def test_no_particles(here, capsys):
    (here / "f").write_text("x,y,z,r\n")
    assert main(["contacts", "f", "--out", "c.csv"]) == 0 and "particles  0" in capsys.readouterr().out
    assert (here / "c.csv").read_text() == "i,j,ix,iy,iz,overlap\n"


def test_commands_of_the_tool_are_named(capsys):
    with pytest.raises(SystemExit) as end:
        main(["generate"])
    assert end.value.code == 2 and "tool that CMake builds" in capsys.readouterr().err


def test_the_line_of_the_documents(here, rng):
    x, r = system(rng, 100)
    (here / "packing.csv").write_text(table(x, r))
    line, = re.findall(r"^(hgrid contacts .*?) *# or python -m hgrid contacts$", (ROOT / "docs/python.md").read_text(), re.M)
    done = subprocess.run([sys.executable, "-m", *line.split()], check=True, capture_output=True, text=True)
    assert "particles  100 in 3 dimensions" in done.stdout
    assert np.array_equal(np.loadtxt("contacts.csv", delimiter=",", skiprows=1), expected(x, r, "xyz"))


@pytest.mark.skipif("HGRID_TOOL" not in os.environ, reason="the tool is not there")
def test_the_tool_writes_the_same(here, rng):
    x, r = system(rng, 2000)
    (here / "p.csv").write_text(table(x, r))
    half = r[:, None] * rng.choice([0.2, 1, 3], (len(r), 3))
    rows = "".join(",".join(map(repr, row)) + "\n" for row in np.hstack([x, half]).tolist())
    (here / "boxes.csv").write_text("# box 0 0 0 1 1 1\nx,y,z,hx,hy,hz\n" + rows)
    np.save("boxes.npy", np.hstack([x, half]))
    for options in ((), ("--periodic", "xyz"), ("--skin", "0.01", "--periodic", "y")):
        for name in ("p.csv", "boxes.csv", *(() if "--periodic" in options else ("boxes.npy",))):
            subprocess.run([os.environ["HGRID_TOOL"], "contacts", name, *options, "--out", "tool.csv", "--overwrite"], check=True, capture_output=True)
            theirs = np.loadtxt("tool.csv", delimiter=",", skiprows=1, ndmin=2)
            assert len(theirs) > 0 and np.array_equal(found(name, *options), theirs)


def test_boxes_just_touch(here):
    (here / "f").write_text("hx,hy,x,y\n1,2,0,0\n0.5,0.5,1.5,2.5\n9,0,20,0\n")
    assert np.array_equal(found("f"), [[0, 1, 0, 0, 0, 0]])
    assert np.array_equal(found("f", "--radius-scale", "2"), [[0, 1, 0, 0, 0, 1.5], [0, 2, 0, 0, 0, 0]])
