#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid contacts of boxes: files with half extents, every output, and options for spheres only."""
import itertools
import os
import random
import re
import struct
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase, read_csv, read_npy  # noqa: E402

UNIT = 1 / 64  # places and extents are multiples of it, so overlaps are exact and many boxes just touch


def overlaps(boxes, axes, period=0, skin=0.0):
    """{(i, j, ix, iy, iz): least overlap along the axes} of all that overlap or, with a skin, have a gap up to it, by trying them all."""
    images = [(-1, 0, 1) if period and k < axes else (0,) for k in range(3)]
    found = {}
    for (i, a), (j, b) in itertools.combinations(enumerate(boxes), 2):
        for m in itertools.product(*images):
            least = min(a[3 + k] + b[3 + k] - abs(a[k] - b[k] - m[k] * period) for k in range(axes))
            if least >= -skin:
                found[(i, j, *m)] = least
    return dict(sorted(found.items()))


def npy(boxes):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(boxes)}, 6), }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"".join(struct.pack("<6d", *b) for b in boxes)


class Boxes(ToolCase):
    def setUp(self):
        super().setUp()
        draw = random.Random(11)
        self.boxes = []
        for _ in range(120):  # needles, plates, cubes and points
            half = [draw.choice((0, 1, 2, 8)) * UNIT for _ in range(3)]
            self.boxes.append([draw.randrange(64) * UNIT for _ in range(3)] + half)
        self.rows = "".join(",".join(map(str, b)) + "\n" for b in self.boxes)
        self.write("b.csv", "# box 0 0 0 1 1 1\nx,y,z,hx,hy,hz\n" + self.rows)

    def found(self, *arguments):
        _, rows = read_csv(self.run_tool("contacts", *arguments, "--out", "-").stdout)
        return {tuple(map(int, row[:5])): float(row[5]) for row in rows}

    def test_contacts(self):
        expected = overlaps(self.boxes, 3)
        self.assertIn(0, expected.values())
        self.assertEqual(self.found("b.csv"), expected)
        for more in (("--real", "float"), ("--backend", "serial"), ("--order", "fixed")):
            self.assertEqual(self.found("b.csv", *more), expected)
        self.assertEqual(self.found("b.csv", "--periodic", "xyz"), overlaps(self.boxes, 3, period=1))
        self.assertEqual(self.found("b.csv", "--skin", UNIT), overlaps(self.boxes, 3, skin=UNIT))

    def test_two_dimensions(self):
        flat = [[*b[:2], 0, *b[3:5], 0] for b in self.boxes]
        self.write("flat.csv", "hy y x hx\n" + "".join(f"{b[4]} {b[1]} {b[0]} {b[3]}\n" for b in self.boxes))
        expected = overlaps(flat, 2)
        self.assertEqual(self.found("flat.csv"), expected)
        self.assertEqual(self.found("b.csv", "--dim", 2), expected)
        self.assertEqual(self.found("b.csv", "--dim", 2, "--periodic", "xy"), overlaps(flat, 2, period=1))
        header, _ = read_csv(self.run_tool("contacts", "flat.csv", "--particles-out", "-").stdout)
        self.assertEqual(header, "id,x,y,hx,hy,contacts,largest_overlap")

    def test_files(self):
        expected = overlaps(self.boxes, 3)
        self.write("names.txt", "HalfX [m];half_y;half-z;PosX;PosY;PosZ\n" + "".join(";".join(map(str, b[3:] + b[:3])) + "\n" for b in self.boxes))
        self.write("none.txt", self.rows)
        self.write("b.npy", npy(self.boxes))
        whole = [[*b[:3], *(2 * h for h in b[3:])] for b in self.boxes]
        self.write("whole.xyz", f"{len(whole)}\nwithout Properties\n" + "".join("box " + " ".join(map(str, b)) + "\n" for b in whole))
        for given in (("names.txt",), ("none.txt", "--columns", "x,y,z,hx,hy,hz"), ("b.npy",),
                      ("whole.xyz", "--columns", "species,x,y,z,hx,hy,hz", "--radius-scale", 0.5)):
            self.assertEqual(self.found(*given), expected, given)
        order = list(range(len(self.boxes)))
        random.Random(3).shuffle(order)
        self.write("ids.csv", "id,x,y,z,hx,hy,hz\n" + "".join(f"{7 * k}," + ",".join(map(str, self.boxes[k])) + "\n" for k in order))
        self.assertEqual(self.found("ids.csv"), {(7 * i, 7 * j, *m): o for (i, j, *m), o in expected.items()})

    def test_outputs(self):
        expected = overlaps(self.boxes, 3, period=1)
        self.run_tool("contacts", "b.csv", "--periodic", "xyz", "--out", "c.npy", "--particles-out", "p.csv")
        _, rows = read_npy(self.path("c.npy"))
        self.assertEqual({tuple(row[:5]): row[5] for row in rows}, expected)
        header, rows = read_csv(self.read("p.csv").decode())
        self.assertEqual(header, "id,x,y,z,hx,hy,hz,contacts,largest_overlap")
        for k, row in enumerate(rows):
            of_k = [o for pair, o in expected.items() for end in pair[:2] if end == k]
            self.assertEqual([float(v) for v in row], [k, *self.boxes[k], len(of_k), max(of_k, default=0)])

    def test_paraview(self):
        self.write("two.csv", "x,y,z,hx,hy,hz\n0,0,0,1,2,3\n0.5,-3.75,1,1,2,3\n")
        arrays = self.arrays("two.csv")
        self.assertNotIn("radius", arrays)
        self.assertEqual(arrays["extent"], [(1, 2, 3), (1, 2, 3), (0, 0, 0), (0, 0, 0)])
        self.assertEqual(arrays["overlap"], [(0.25,)] * 4)
        self.assertEqual(arrays["normal"], [(0, 0, 0), (0, 0, 0), (0, 1, 0)])  # along y they overlap least
        self.write("far.csv", "x,y,z,hx,hy,hz\n0,0,0,1,2,1\n1.5,0,3,1,1,1\n")
        self.assertEqual(self.arrays("far.csv", "--dim", 2)["normal"][2], (-1, 0, 0))  # z was not searched

    def arrays(self, *arguments):
        self.run_tool("contacts", *arguments, "--out", "two.vtp", "--overwrite")
        head, _, raw = self.read("two.vtp").partition(b'<AppendedData encoding="raw">\n_')
        arrays = {}
        for kind, name, width, at in re.findall(rb'type="(\w+)" Name="(\w+)" NumberOfComponents="(\d)" format="appended" offset="(\d+)"', head):
            size = struct.unpack_from("<Q", raw, int(at))[0]
            code = {b"UInt8": "B", b"Int32": "i", b"Int64": "q", b"Float32": "f", b"Float64": "d"}[kind]
            values = struct.unpack_from(f"<{size // struct.calcsize(code)}{code}", raw, int(at) + 8)
            arrays.setdefault(name.decode(), [values[k:k + int(width)] for k in range(0, len(values), int(width))])
        self.assertNotIn(b"Vectors=", head)
        return arrays

    def test_report(self):
        self.write("three.csv", "x,y,z,hx,hy,hz\n0,0,0,1,2,3\n0,4,0,1,2,3\n0,0,5.5,4,0.5,3\n")
        report = self.report("three.csv")
        self.assertEqual((report["extent_min"], report["extent_max"]), ([1, 0.5, 3], [4, 2, 3]))
        self.assertNotIn("radius_min", report)
        self.assertAlmostEqual(report["packing_fraction"], (2 * 48 + 48) / (8 * 8 * 11.5))
        self.assertEqual((report["contacts"], report["overlap_max"], report["overlap_mean"]), (2, 0.5, 0.25))  # 0.5 of a width of 1, and 0
        self.assertEqual(sum(level["particles"] for level in report["levels"]), 3)
        self.assertTrue(all(len(level["extent_max"]) == 3 for level in report["levels"]))
        text = self.run_tool("contacts", "three.csv").stdout
        for part in ("half extents 1 0.5 3 to 4 2 3", "% of the least width", "extent_max", "are the half extents whole widths"):
            self.assertIn(part, text)
        self.write("units.csv", "x [m],y,z,hx [mm],hy,hz\n0,0,0,1,1,1\n")
        self.assertIn("positions are in m, half extents in mm: give --radius-scale 0.001", self.report("units.csv")["notes"])
        self.assertEqual(self.report("three.csv", "--count")["pairs"], 2)

    def test_radii_and_half_extents(self):
        self.write("both.csv", "x,y,z,r,hx,hy,hz\n0,0,0,1,9,9,9\n3,0,0,1,9,9,9\n")
        report = self.report("both.csv")
        self.assertEqual((report["pairs"], report["radius_max"]), (0, 1))
        self.assertIn("the file has half extents, hx hy hz, which were left out for its radii: --columns names others", report["notes"])
        self.assertEqual(self.report("both.csv", "--columns", "x,y,z,mass,hx,hy,hz")["pairs"], 1)

    def test_columns_of_such_names_may_be_something_else(self):
        self.write("field.csv", "x,y,z,r,hx [A/m],Hx [T]\n0,0,0,1,9,9\n1.5,0,0,1,9,9\n")
        report = self.report("field.csv")
        self.assertEqual((report["pairs"], [note for note in report["notes"] if "half extents" in note]), (1, []))
        self.write("lacks.csv", "x,y,z,hx,hz\n0,0,0,9,9\n1.5,0,0,9,9\n")
        self.fails(2, "no column of radii, nor of half extents along all axes", "contacts", "lacks.csv")
        self.assertEqual(self.report("lacks.csv", "--radius", 1)["pairs"], 1)
        self.write("b.npy", npy(self.boxes))
        for name in ("b.csv", "b.npy"):
            report = self.report(name, "--radius", 0.25)
            self.assertEqual((report["radius_max"], "extent_max" in report, report["columns"]), (0.25, False, "x, y, z"))
        self.write("flat.csv", "x,y,hx,hy,hz\n0,0,1,1,-1\n")
        self.assertEqual(self.report("flat.csv")["columns"], "x, y, hx, hy")

    def test_empty_frames(self):
        self.write("f.xyz", "1\na comment\nb 0 0 0 1 1 1\n0\na comment\n1\na comment\nb 0 0 0 1 1 1\n")
        columns = ("--columns", "species,x,y,z,hx,hy,hz")
        report = self.report("f.xyz", *columns, "--frames", 1)
        self.assertEqual((report["particles"], "extent_max" in report, "radius_max" in report), (0, True, False))
        self.run_tool("contacts", "f.xyz", *columns, "--frames", "all", "--out", "f.pvd")
        for k in range(3):
            self.assertIn(b'Name="extent"', self.read(f"f_{k}.vtp"))

    def test_refusals(self):
        self.write("negative.csv", "id,x,y,z,hx,hy,hz\n5,0,0,0,1,1,1\n3,0,0,0,1,-2,1\n")
        self.fails(3, "; particle 0 has the id 3", "contacts", "negative.csv")
        self.write("bad.csv", "x,y,z,hx,hy,hz\n0,0,0,1,wide,1\n")
        self.fails(3, "column 5 (hy): 'wide' is not a number", "contacts", "bad.csv")
        for option in (("--algorithm", "all-pairs"), ("--rule", "max"), ("--cells", "1"), ("--plan", "p.json"), ("--walls", "w.txt")):
            self.write("p.json", '{"levels": [{"radius_max": 1, "cell_size": [2, 2, 2]}]}')
            self.write("w.txt", "0 0 0 1 0 0 0 1 0\n")
            self.fails(2, f"{' '.join(option) if option[0] == '--algorithm' else option[0]} is for spheres", "contacts", "b.csv", *option)
        self.fails(2, "b.csv: boxes, with half extents", "plan", "b.csv")


if __name__ == "__main__":
    unittest.main()
