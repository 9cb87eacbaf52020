#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid contacts on files of other codes: bodies of several particles, the pairs that each kind of file has, and the lines that
convert those that are not read."""
import bz2
import gzip
import io
import json
import lzma
import math
import os
import random
import shutil
import subprocess
import sys
import unittest
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase  # noqa: E402


class Bodies(ToolCase):
    def test_groups(self):
        """Pairs within a body do not count; a number below 0, and molecule 0, is no body."""
        draw = random.Random(11)
        spheres = [(draw.random(), draw.random(), draw.random(), 0.1) for _ in range(150)]
        group = [draw.choice((-1, 0, 7, 2**40)) for _ in spheres]
        touching = [(i, j) for i, a in enumerate(spheres) for j, b in enumerate(spheres) if i < j and math.dist(a[:3], b[:3]) <= 0.2]
        for column, least in (("clump", 0), ("mol", 1), ("id_multisphere", 0)):
            expected = [(i, j) for i, j in touching if group[i] < least or group[i] != group[j]]
            self.write("g.csv", f"x,y,z,r,{column}\n" + "".join("{},{},{},{},{}\n".format(*s, g) for s, g in zip(spheres, group)))
            report = self.report("g.csv", "--group", column)
            self.assertEqual((report["pairs"], report["groups"]), (len(expected), 3 - least))
            self.assertNotIn("--group", str(report["notes"]))
            noted = self.report("g.csv")
            self.assertIn("--group " + column, str(noted["notes"]))
            self.assertEqual(noted["pairs"], len(touching))
            self.assertGreater(len(touching), len(expected))
        self.write("two.csv", "x,y,z,r,clump\n0,0,0,1,5\n1,0,0,1,5\n9,0,0,1,5\n9,1,0,1,-1\n")
        self.assertIn("whose particles pair with all others", self.run_tool("contacts", "two.csv", "--group", "clump").stdout)
        self.assertEqual(self.report("two.csv", "--group", "clump")["pairs"], 1)
        self.fails(2, "no column 'body' of groups", "contacts", "two.csv", "--group", "body")


class Series(ToolCase):
    def test_several_files(self):
        """Frames of all files, one after the other, as if one file had them."""
        frame = "2\nProperties=species:S:1:pos:R:3:radius:R:1:id:I:1 Time={}\nX 0 0 0 1 1\nX {} 0 0 1 2\n"
        for k, text in enumerate((frame.format(0, 1), frame.format(1, 5) + frame.format(2, 1.5), frame.format(3, 2))):
            self.write(f"run_{k + 9}.xyz", text)
        self.write("all.xyz", b"".join(self.read(f"run_{k}.xyz") for k in (9, 10, 11)))
        files = ["run_9.xyz", "run_10.xyz", "run_11.xyz"]
        outputs = []
        for names, frames in ((files, ()), (["all.xyz"], ("--frames", "all"))):
            self.run_tool("contacts", *names, *frames, "--out", "c.csv", "--summary", "s.csv", "--particles-out", "p.csv", "--overwrite")
            outputs.append([self.read(name) for name in ("c.csv", "s.csv", "p.csv")])
        self.assertEqual(*outputs)
        reports = json.loads(self.run_tool("contacts", *files, "--json").stdout)
        self.assertEqual([(r["source"], r["frame"], r["time"], r["pairs"]) for r in reports],
                         [("run_9.xyz", 0, 0, 1), ("run_10.xyz", 1, 1, 0), ("run_10.xyz", 2, 2, 1), ("run_11.xyz", 3, 3, 1)])
        self.assertNotIn("comes before", str(reports))
        self.assertEqual([r["frame"] for r in json.loads(self.run_tool("contacts", *files, "--frames", "1::2", "--json").stdout)], [1, 3])
        self.assertEqual(self.report(*files, "--frames", "2")["source"], "run_10.xyz")
        self.assertEqual(self.report(*files, "--frames", "-1")["source"], "run_11.xyz")
        noted = self.run_tool("contacts", *sorted(files)).stdout
        self.assertIn("run_11.xyz comes before run_9.xyz", noted)
        line = noted.partition("letters sort names; ")[2].partition(" sorts")[0].replace("FILES", "run_*.xyz")
        done = subprocess.run(["bash", "-c", f"echo {line}"], cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.split(), files)
        self.run_tool("contacts", *files, "--out", "c.pvd")
        self.assertEqual(sum(name.endswith(".vtp") for name in os.listdir(self.folder)), 4)

    def test_errors_of_several(self):
        self.write("a.csv", "x,y,z,r\n0,0,0,1\n"), self.write("b.csv", "x,y,z,r\n0,0,zero,1\n")
        self.fails(3, "b.csv, line 2", "contacts", "a.csv", "b.csv", "--out", "c.csv")
        self.fails(4, "none.csv", "contacts", "a.csv", "none.csv", "--out", "c.pvd")
        self.fails(2, "b.csv: is the input", "contacts", "a.csv", "b.csv", "--out", "b.csv", "--overwrite")
        self.fails(2, "there is no frame 7; the files have 2", "contacts", "a.csv", "a.csv", "--frames", "7")
        self.fails(2, "one table", "contacts", "a.csv", "a.csv", "--out", "c.npy")
        self.assertEqual(self.report("--columns", "x,y,z,r", "a.csv")["columns"], "x, y, z, r")


BOX = "0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n"
ROWS = "1 1 1 0.6\n2 1 1 0.6\n0.2 1 4 0.7\n8.8 1 4 0.3\n"

# Four spheres in each kind of file: a pair, and another one across the faces of the box.
KINDS = {
    "count.txt": "4\nx y z r\n" + ROWS,
    "yade.txt": "#format x_y_z_r\n" + ROWS,
    "fortran.txt": "x y z r\n" + ROWS.replace("0.7", "0.07D+01"),
    "quoted.csv": "\"x\",\"y\",\"z\",\"r\"\n" + "".join("\"" + row.replace(" ", "\",\"") + "\"\n" for row in ROWS.splitlines()),
    "units.csv": "x,y,z,r\nm,m,m,m\n" + ROWS.replace(" ", ","),
    "a.data": f"text\n\n4 atoms\n{BOX}\nAtoms # sphere\n\n"
              + "".join("{0} 1 {5} 1 {1} {2} {3}\n".format(k, *row.split(), 2 * float(row.split()[3])) for k, row in enumerate(ROWS.splitlines())),
    "a.restart": "restart_version 3\nxmin 0 xmax 9 ymin 0 ymax 9 zmin 0 zmax 9\ndt 1 t 0 tmax 1\ndim 3 gravity 0 0 0\nWallsPeriodic 0\nParticles 4\n"
                 + "".join("BP {} {} {} 0 0 0 {} 0 0 0 0 0 0 1 1 0\n".format(*row.split()) for row in ROWS.splitlines()),
    "a.vtk": "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n" + "".join(row.rsplit(" ", 1)[0] + "\n" for row in ROWS.splitlines())
             + "POINT_DATA 4\nSCALARS Radius float 1\nLOOKUP_TABLE default\n" + "".join(row.rsplit(" ", 1)[1] + "\n" for row in ROWS.splitlines()),
    "a.vtu": "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"4\"><PointData><DataArray type=\"Float32\" Name=\"radius\">"
             + "".join(row.rsplit(" ", 1)[1] + " " for row in ROWS.splitlines())
             + "</DataArray></PointData><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\">"
             + "".join(row.rsplit(" ", 1)[0] + "\n" for row in ROWS.splitlines()) + "</DataArray></Points></Piece></UnstructuredGrid></VTKFile>\n",
    "a.yaml": "---\ncreator: LAMMPS\ntimestep: 0\nnatoms: 4\nboundary: [ p, p, p, p, p, p, ]\nbox:\n" + "  - [ 0, 9 ]\n" * 3
              + "keywords: [ x, y, z, radius,  ]\ndata:\n" + "".join("  - [ " + row.replace(" ", " , ") + ", ]\n" for row in ROWS.splitlines()) + "...\n",
    "a.dump": "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n4\nITEM: BOX BOUNDS pp pp pp\n" + "0 9\n" * 3 + "ITEM: ATOMS x y z v_radius\n" + ROWS,
    "a.extxyz": "4\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=position:R:3:radii:R:1\n" + ROWS,
}


class Kinds(ToolCase):
    def test_each_has_the_pair(self):
        for name, content in KINDS.items():
            self.write(name, content), self.write(name + ".gz", gzip.compress(content.encode()))
            for file in (name, name + ".gz"):
                self.assertEqual(self.report(file)["pairs"], 1, file)
            box = () if name.startswith("a.") and not name.startswith("a.vt") else ("--box", "0,0,0,9,9,9")
            self.assertEqual(self.report(name, "--periodic", "xyz", *box)["pairs"], 2, name)

    def test_a_file_that_is_cut_is_refused(self):
        for name, content in KINDS.items():
            if name.endswith((".csv", "yade.txt", "fortran.txt")):
                continue  # tables do not say how many rows they have
            self.write("cut-" + name, content[:content.rstrip(".\n").rindex("\n") - 3])
            self.fails(3, "cut-" + name, "contacts", "cut-" + name)

    def test_lines_that_convert(self):
        """Each message of a packed file has a line for the shell, which finds the pair."""
        table = KINDS["count.txt"].encode()
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as packed:
            packed.writestr("NAME-INSIDE", table)
        folder = os.path.dirname(os.environ["HGRID_TOOL"])
        for name, content, needs in (("p.bz2", bz2.compress(table), "bzip2"), ("p.xz", lzma.compress(table), "xz"), ("p.zip", archive.getvalue(), "unzip"),
                                     ("p.txt", KINDS["count.txt"].encode("utf-16"), "iconv")):
            self.write(name, content)
            line = self.fails(3, name, "contacts", name).strip().rsplit(": ", 1)[1]
            self.assertTrue(line.startswith(needs), line)
            if shutil.which(needs):
                done = subprocess.run(["bash", "-c", f"PATH={folder}:$PATH; {line}"], cwd=self.folder, capture_output=True, check=True, text=True)
                self.assertIn("pairs      1,", done.stdout)


if __name__ == "__main__":
    unittest.main()
