#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid contacts for daily work: notices of the report, coordination numbers, ids, series of frames, and files of other codes."""
import gzip
import json
import math
import os
import random
import re
import resource
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase, needs_shared_data, read_csv, shared_data  # noqa: E402


def lattice(n, spacing, radius):
    """n x n x n spheres."""
    return [(spacing * x, spacing * y, spacing * z, radius) for x in range(n) for y in range(n) for z in range(n)]


class Units(ToolCase):
    """Radii that are diameters, in another unit, or halved: each run says so, and names the remedy."""

    def notes(self, *arguments):
        report = self.report(*arguments)
        text = self.run_tool("contacts", *arguments).stdout
        for note in report["notes"]:
            self.assertIn("note       " + note, text)
        return " ".join(report["notes"])

    def test_spheres_that_touch(self):
        self.write("p.csv", "x,y,z,r\n" + "".join("{},{},{},{}\n".format(*p) for p in lattice(5, 1, 0.501)))
        self.assertEqual(self.notes("p.csv"), "")
        self.assertIn("--radius-scale 0.5", self.notes("p.csv", "--radius-scale", 2))
        self.assertIn("more volume", self.notes("p.csv", "--radius-scale", 1000))
        self.assertIn("no particles touch", self.notes("p.csv", "--radius-scale", 0.5))
        self.assertNotIn("overlap", self.notes("p.csv", "--radius-scale", 2, "--rule", "max"))

    @needs_shared_data
    def test_real_packing(self):
        intruder = shared_data("penetration-25k-intruder.csv")
        self.assertEqual(self.notes(intruder), "")
        self.assertEqual(self.report(intruder)["columns"], "x, y, z, r")
        for scale, remedy in ((2, "are the radii diameters"), (0.5, "no particles touch")):
            self.assertIn(remedy, self.notes(intruder, "--radius-scale", scale))
        # Metres for millimetres: 312 million pairs; counted only, they are known by their volume.
        self.assertIn("more volume", self.notes(intruder, "--radius-scale", 1000, "--count"))

    def test_units_in_the_header(self):
        self.write("p.csv", "x [mm],y [mm],z [mm],r [m]\n0,0,0,1\n1,0,0,1\n")
        self.assertIn("positions are in mm, radii in m: give --radius-scale 1000", self.notes("p.csv"))
        self.assertNotIn("positions are in", self.notes("p.csv", "--radius-scale", 1000))
        self.assertIn("give --radius-scale 1000", self.notes("p.csv", "--radius-scale", 500))
        self.write("p.csv", "x [d],y [d],z [d],r [m]\n0,0,0,1\n1,0,0,1\n")
        self.assertIn("positions are in d, radii in m: give --radius-scale", self.notes("p.csv"))
        self.assertNotIn("positions are in", self.notes("p.csv", "--radius-scale", 3))
        self.write("p.csv", "x [mm],y [mm],z [mm],d (mm),Diameter [mm]\n0,0,0,7,2\n2,0,0,7,2\n")
        report = self.report("p.csv")
        self.assertEqual((report["columns"], report["notes"]), ("x [mm], y [mm], z [mm], Diameter [mm] (halved)", []))
        self.assertEqual((report["pairs"], report["radius_min"]), (1, 1))

    def test_a_table_without_a_header_is_announced(self):
        self.write("p.txt", "1 0 0 0 0.5\n2 1 0 0 0.5\n")
        self.fails(3, "--columns", "contacts", "p.txt")
        self.assertEqual(self.report("p.txt", "--columns", "id,x,y,z,r")["pairs"], 1)
        self.write("four.txt", "0.5 0 0 0\n0.5 1 0 0\n")
        self.assertIn("taken as x, y, z, r: --columns", self.notes("four.txt"))
        self.assertEqual(self.notes("four.txt", "--columns", "r,x,y,z"), "")
        self.assertEqual(self.report("four.txt", "--columns", "r,x,y,z")["pairs"], 1)
        self.fails(3, "4 columns where --columns names 5", "contacts", "four.txt", "--columns", "id,x,y,z,r")
        self.write("named.csv", "a,b,c,d\n0,0,0,0.5\n1,0,0,0.5\n")
        self.assertEqual(self.report("named.csv", "--columns", "x,y,z,r")["pairs"], 1)

    def test_remedies(self):
        self.write("p.csv", "x;y;z;r\n0;0;0;0,5\n")
        self.fails(3, "decimal comma", "contacts", "p.csv")
        self.write("p.csv", "x,y,z,r\n0,0,0,1\n1,2\n")
        self.fails(3, "--bad-rows skip", "contacts", "p.csv")
        self.assertEqual(self.report("p.csv", "--bad-rows", "skip")["skipped_rows"], 1)
        self.write("p.csv", "id,x,y,z,r\n9,0,0,0,1\n4,0,0,0,-1\n")
        self.fails(3, "particle 0 has the id 4", "contacts", "p.csv")

    def test_bad_rows_are_left_out_where_they_are_few(self):
        self.write("counts.csv", "x,y,z,r\n3\n0,0,0,1\n4\n4\n")
        for more in ((), ("--bad-rows", "skip")):
            said = self.fails(3, "counts.csv, line 2: 1 column where the header has 4; 3 of the 4 rows are bad", "contacts", "counts.csv", *more)
            self.assertNotIn("skip", said)

    def test_columns_are_named_where_a_file_lets_them(self):
        """A file without radii: --columns is advised where it helps, and helps."""
        box = "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
        dump = f"ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\n{box}ITEM: ATOMS x y z q\n0 0 0 1\n1 0 0 1\n"
        npy = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }\n"
        for name, content, columns in (
                ("more.csv", "x,y,z,size\n0,0,0,1\n1,0,0,1\n", "x,y,z,r"), ("atoms.xyz", "2\n\nA 0 0 0 1\nA 1 0 0 1\n", "a,x,y,z,r"),
                ("bare.csv", "x,y,z\n0,0,0\n1,0,0\n", ""), ("words.csv", "x,y,z,kind\n0,0,0,A\n1,0,0,B\n", ""),
                ("plain.xyz", "2\n\nA 0 0 0\nA 1 0 0\n", ""), ("named.xyz", "1\nProperties=pos:R:3:q:R:1\n0 0 0 1\n", ""), ("a.dump", dump, "x,y,z,r"),
                ("a.npy", b"\x93NUMPY\1\0" + bytes([len(npy), 0]) + npy + bytes(24), "")):
            self.write(name, content)
            said = self.fails(2, "give --radius R for all", "contacts", name)
            self.assertEqual("--columns" in said, columns != "", said)
            self.report(name, "--radius", 1)
            if columns:
                self.assertEqual(self.report(name, "--columns", columns)["pairs"], 1)

    def test_periods_that_a_file_states(self):
        """The options that the note advises are taken, and make discs of flat files."""
        def dump(columns, rows, high=10, bounds="pp pp pp"):
            head = f"ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n{len(rows)}\nITEM: BOX BOUNDS {bounds}\n0 {high}\n0 {high}\n-0.5 0.5\n"
            return head + f"ITEM: ATOMS {columns} radius\n" + "".join(row + "\n" for row in rows)
        flat = ["1 1 0 0.6", "2 1 0 0.6"]
        for name, content, options, pairs in (
                ("flat.dump", dump("x y z", flat), "--dim 2 --periodic xy", 1), ("deep.dump", dump("x y z", ["1 1 0 0.4", "1.7 1 0 0.4"]), "--periodic xyz", 1),
                ("two.dump", dump("x y", ["0.2 3 0.5", "3 3 0.5", "3.9 3 0.5", "5.8 3 0.5"], 6), "--periodic xy", 2),
                ("z.dump", dump("x y z", flat, bounds="ff ff pp"), "", 1), ("two_z.dump", dump("x y", ["1 1 1", "2 1 1"], bounds="ff ff pp"), "", 1),
                ("flat.lmp", "text\n\n2 atoms\n0 10 xlo xhi\n0 10 ylo yhi\n-0.5 0.5 zlo zhi\n\nAtoms # sphere\n\n1 1 1.2 1 1 1 0\n2 1 1.2 1 9.9 1 0\n",
                 "--dim 2 --periodic xy", 1),
                ("touching.lmp", "text\n\n2 atoms\n0 9 xlo xhi\n0 9 ylo yhi\n-0.5 0.5 zlo zhi\n\nAtoms # sphere\n\n1 1 1 1 1 1 0\n2 1 1 1 1.9 1 0\n",
                 "--dim 2 --periodic xy", 1),
                ("deep.lmp", "text\n\n2 atoms\n0 10 xlo xhi\n0 10 ylo yhi\n0 5 zlo zhi\n\nAtoms # sphere\n\n1 1 1.2 1 1 1 0.1\n2 1 1.2 1 1 1 4.9\n",
                 "--periodic xyz", 1),
                ("cell.xyz", '2\nProperties=pos:R:3:radius:R:1 Lattice="9 0 0 0 9 0 0 0 1"\n0 0 0 1\n8 0 0 1\n', "--dim 2 --periodic xy", 1)):
            self.write(name, content)
            advised = re.search(r"(?:was not|took none): ((?:--\w+ \w+ ?)*)", self.notes(name))
            self.assertEqual(advised[1].strip() if advised else "", options)
            self.assertEqual(self.report(name, *options.split())["pairs"], pairs)
        self.write("none.xyz", '2\nProperties=pos:R:3:radius:R:1 pbc="T T F"\n0 0 0 1\n8 0 0 1\n')
        self.assertIn("--periodic xy beside --box or --cell", self.notes("none.xyz"))
        self.assertEqual(self.report("none.xyz", "--periodic", "xy", "--cell", "9,0,0,0,9,0,0,0,9")["pairs"], 1)


class Analysis(ToolCase):
    def test_lattice(self):
        """A cubic lattice of 4^3: corners touch 3 others, edges 4, faces 5, the inner ones 6. The corners are rattlers."""
        spheres = lattice(4, 1, 0.505)
        random.Random(1).shuffle(spheres)
        self.write("p.csv", "x,y,z,r\n" + "".join("{},{},{},{}\n".format(*p) for p in spheres))
        a = self.report("p.csv", "--particles-out", "o.csv")
        self.assertEqual((a["contacts"], a["coordination"], a["rattlers"]), (144, 4.5, 8))
        self.assertAlmostEqual(a["coordination_without_rattlers"], (288 - 24) / 56)
        self.assertAlmostEqual(a["overlap_mean"], 0.01 / 1.01)
        self.assertAlmostEqual(a["overlap_max"], 0.01 / 1.01)
        self.assertAlmostEqual(a["packing_fraction"], 64 * 4 / 3 * math.pi * 0.505**3 / 4.01**3)
        header, rows = read_csv(self.read("o.csv").decode())
        self.assertEqual(header, "id,x,y,z,r,contacts,largest_overlap")
        for k, (row, sphere) in enumerate(zip(rows, spheres)):
            inner = sum(0 < c < 3 for c in sphere[:3])
            self.assertEqual((row[0], row[1:5], row[5]), (k, sphere, 3 + inner))
            self.assertAlmostEqual(row[6], 0.01)
        periodic = self.report("p.csv", "--periodic", "xyz", "--box", "0,0,0,4,4,4")
        self.assertEqual((periodic["coordination"], periodic["rattlers"]), (6, 0))
        self.assertAlmostEqual(periodic["packing_fraction"], 4 / 3 * math.pi * 0.505**3)
        for how in (["--algorithm", "nbs"], ["--backend", "serial"], ["--skin", 0.3]):  # pairs with a gap are no contacts
            self.assertEqual(self.report("p.csv", *how)["contacts"], 144)
        self.assertEqual(self.report("p.csv", "--rule", "gather", "--skin", 0.5)["coordination"], 0)

    def test_two_dimensions_and_own_images(self):
        self.write("p.csv", "x,y,r\n0.5,0.5,0.5\n")
        report = self.report("p.csv", "--periodic", "xy", "--box", "0,0,1,1", "--particles-out", "o.csv")
        self.assertEqual((report["coordination"], report["rattlers"]), (4, 0))
        self.assertAlmostEqual(report["packing_fraction"], math.pi / 4)
        self.assertEqual(self.read("o.csv"), b"id,x,y,r,contacts,largest_overlap\n0,0.5,0.5,0.5,4,0\n")

    def test_no_memory_for_a_list(self):
        self.write("p.csv", "x,y,z,r\n" + "0,0,0,1\n" * 40000)  # 800 million pairs
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29))  # pylint: disable=unnecessary-lambda-assignment
        self.fails(5, "--count needs no memory", "contacts", "p.csv", "--threads", 1, preexec_fn=limit)

    def test_count(self):
        self.write("p.csv", "x,y,z,r\n0,0,0,1\n1,0,0,1\n")
        report = self.report("p.csv", "--count")
        self.assertEqual(report["pairs"], 1)
        self.assertNotIn("contacts", report)
        self.fails(2, "--count keeps no pairs", "contacts", "p.csv", "--count", "--particles-out", "o.csv")


class Ids(ToolCase):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        self.rows = [(7 * k + 1, *(draw.random() for _ in range(3)), 0.05) for k in range(300)]
        self.table("sorted.csv", self.rows)
        shuffled = draw.sample(self.rows, len(self.rows))
        self.table("shuffled.csv", shuffled)

    def table(self, name, rows):
        return self.write(name, "id,x,y,z,r\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))

    def test_the_order_of_rows_does_not_matter(self):
        for name in ("c.csv", "c.npy", "c.vtp"):
            first, second = "sorted-" + name, "shuffled-" + name
            for table, out in (("sorted.csv", first), ("shuffled.csv", second)):
                self.run_tool("contacts", table, "--out", out)
            self.assertEqual(self.read(first), self.read(second))
        place = {row[0]: row[1:4] for row in self.rows}
        _, pairs = read_csv(self.read("sorted-c.csv").decode())
        self.assertGreater(len(pairs), 50)
        for i, j, *_, overlap in pairs:
            self.assertAlmostEqual(overlap, 0.1 - math.dist(place[i], place[j]))

    def test_exclusions_are_ids(self):
        self.run_tool("contacts", "sorted.csv", "--out", "c.csv")
        self.assertEqual(self.report("shuffled.csv", "--exclude", "c.csv")["pairs"], 0)
        self.write("e.csv", "1,2\n")
        self.fails(3, "'2' is the id of no particle", "contacts", "sorted.csv", "--exclude", "e.csv")


class Frames(ToolCase):
    """A dump of 22 frames, whose rows are in another order in each: two spheres that meet, and two that stay."""

    def setUp(self):
        super().setUp()
        draw, text = random.Random(5), ""
        for frame in range(22):
            atoms = [(30, 0, 0, 0), (10, 2.1 - 0.02 * frame, 0, 0), (40, 0, 5, 0), (20, 0, 6.5, 0)]
            draw.shuffle(atoms)
            text += f"ITEM: TIMESTEP\n{100 * frame}\nITEM: TIME\n{frame / 8}\nITEM: NUMBER OF ATOMS\n4\nITEM: BOX BOUNDS ff ff ff\n"
            text += "0 9\n0 9\n0 9\nITEM: ATOMS x y z id radius\n" + "".join(f"{x} {y} {z} {i} 1\n" for i, x, y, z in atoms)
        self.write("run.dump", text)
        self.write("run.dump.gz", gzip.compress(text.encode()))

    def test_a_contact_in_time(self):
        for name in ("run.dump", "run.dump.gz"):
            done = self.run_tool("contacts", name, "--frames", "all", "--out", "c.csv", "--summary", "z.csv", "--overwrite")
            self.assertEqual([line.split()[0] for line in done.stdout.splitlines()[1:23]], [str(k) for k in range(22)])
            header, rows = read_csv(self.read("c.csv").decode())
            self.assertEqual(header, "frame,i,j,ix,iy,iz,overlap")
            met = {row[0]: row[6] for row in rows if row[1:3] == (10, 30)}
            self.assertEqual(sorted(met), list(range(5, 22)))
            for frame, overlap in met.items():
                self.assertAlmostEqual(overlap, 0.02 * frame - 0.1)
            self.assertEqual(sum(row[1:3] == (20, 40) for row in rows), 22)
            lines = [line.split(",") for line in self.read("z.csv").decode().splitlines()]
            at = {column: k for k, column in enumerate(lines[0])}
            self.assertEqual([float(line[at["coordination"]]) for line in lines[1:]], [0.5] * 5 + [1.0] * 17)
            self.assertEqual([float(line[at["time"]]) for line in lines[1:]], [k / 8 for k in range(22)])
            self.assertEqual([line[at["step"]] for line in lines[1:]], [str(100 * k) for k in range(22)])

    def test_which(self):
        def frames(which):
            return [r["frame"] for r in json.loads(self.run_tool("contacts", "run.dump", "--frames", which, "--json").stdout)]
        self.assertEqual(frames("3:6"), [3, 4, 5])
        self.assertEqual(frames("20:"), [20, 21])
        self.assertEqual(frames(":10:4"), [0, 4, 8])
        self.assertEqual(frames("all"), list(range(22)))
        for which, last in (("-1", 21), ("7", 7)):
            report = self.report("run.dump", "--frames", which)
            self.assertEqual((report["frame"], report["step"], report["time"]), (last, 100 * last, last / 8))
        self.fails(2, "there is no frame 22; the file has 22", "contacts", "run.dump", "--frames", "22:30")

    def test_tables_and_what_is_none(self):
        self.write("w.csv", "-1 -1 0 1 -1 0 0 1 0\n")
        self.run_tool("contacts", "run.dump", "--frames", "0:2", "--particles-out", "p.csv", "--walls", "w.csv", "--walls-out", "b.csv")
        header, rows = read_csv(self.read("p.csv").decode())
        self.assertEqual(header, "frame,id,x,y,z,r,contacts,largest_overlap")
        self.assertEqual([row[:2] for row in rows], [(f, i) for f in (0, 1) for i in (10, 20, 30, 40)])
        self.assertEqual(self.read("b.csv"), b"frame,ball,facet,overlap\n0,30,0,1\n1,30,0,1\n")
        self.fails(2, "one table", "contacts", "run.dump", "--frames", "all", "--out", "c.vtp")

    def test_a_series_for_paraview(self):
        self.run_tool("contacts", "run.dump", "--frames", "3:6", "--out", "a&b.pvd")
        series = xml.etree.ElementTree.fromstring(self.read("a&b.pvd"))
        self.assertEqual((series.tag, series.get("type")), ("VTKFile", "Collection"))
        sets = [(float(each.get("timestep")), each.get("file")) for each in series.iter("DataSet")]
        self.assertEqual(sets, [(k / 8, f"a&b_{k}.vtp") for k in (3, 4, 5)])
        for k in (3, 4, 5):  # equal to that frame alone
            self.run_tool("contacts", "run.dump", "--frames", str(k), "--out", "one.vtp", "--overwrite")
            self.assertEqual(self.read(f"a&b_{k}.vtp"), self.read("one.vtp"))
        self.fails(2, "exists", "contacts", "run.dump", "--frames", "all", "--out", "a&b.pvd")
        os.remove(self.path("a&b.pvd"))
        self.fails(2, "a&b_3.vtp: exists", "contacts", "run.dump", "--frames", "3:6", "--out", "a&b.pvd")
        self.assertFalse(os.path.exists(self.path("a&b.pvd")))
        self.run_tool("contacts", "run.dump", "--frames", "3:6", "--out", "a&b.pvd", "--overwrite")

    def test_a_bad_frame_leaves_no_output(self):
        text = self.read("run.dump").decode().splitlines(keepends=True)
        self.write("bad.dump", "".join(text[:-1]))
        self.fails(3, "declares 4 particles", "contacts", "bad.dump", "--frames", "all", "--out", "c.csv", "--summary", "z.csv")
        self.fails(3, "declares 4 particles", "contacts", "bad.dump", "--frames", "all", "--out", "c.pvd")
        self.assertEqual(self.report("bad.dump", "--frames", 20)["frame"], 20)


if __name__ == "__main__":
    unittest.main()
