#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid contacts --walls: formats of walls, rows ball,facet,overlap, and errors."""
import os
import struct
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase, needs_shared_data, read_csv, shared_data  # noqa: E402

FACETS = [(0, 0, 0, 10, 0, 0, 0, 10, 0), (0, 0, 3, 10, 0, 3, 0, 10, 3)]
BALLS = "x,y,z,r\n1,1,0.75,1\n1,1,1.5,1.5\n-0.5,0.5,0,0.25\n9,9,0,1\n"
TOUCHING = [(0, 0, 0.25), (1, 0, 0.0), (1, 1, 0.0)]  # ball, facet, overlap


def text_stl():
    lines = ["solid box"]
    for f in FACETS:
        lines += ["facet normal 0 0 1", " outer loop"]
        lines += [" vertex {} {} {}".format(*f[k:k + 3]) for k in (0, 3, 6)]
        lines += [" endloop", "endfacet"]
    return "\n".join(lines + ["endsolid box"])


def binary_stl(count=len(FACETS), header=b"solid, yet binary"):
    return header.ljust(80, b"\0") + struct.pack("<I", count) + b"".join(
        struct.pack("<12fH", 0, 0, 1, *f, 0) for f in FACETS)


class Walls(ToolCase):
    def setUp(self):
        super().setUp()
        self.write("p.csv", BALLS)
        self.write("w.txt", "x1 y1 z1 x2 y2 z2 x3 y3 z3\n" + "".join(" ".join(map(str, f)) + "\r\n" for f in FACETS))

    def rows(self, walls, *more):
        self.run_tool("contacts", "p.csv", "--walls", walls, "--walls-out", "c.csv", "--overwrite", *more)
        header, rows = read_csv(self.read("c.csv").decode())
        self.assertEqual(header, "ball,facet,overlap")
        return rows

    def test_formats(self):
        self.write("w.csv", "# walls\n" + "".join(",".join(map(str, f)) + "\n" for f in FACETS))
        self.write("text.stl", text_stl())
        self.write("binary.stl", binary_stl())
        for walls in ("w.txt", "w.csv", "text.stl", "binary.stl"):
            self.assertEqual(self.rows(walls), TOUCHING, walls)

    def test_options(self):
        self.assertEqual(self.rows("w.txt", "--skin", 0.5), TOUCHING + [(2, 0, -0.25)])
        for algorithm in ("nbs", "cell-space"):
            self.assertEqual(self.rows("w.txt", "--algorithm", algorithm), TOUCHING)
        report = self.report("p.csv", "--walls", "w.txt")
        self.assertEqual((report["facets"], report["wall_pairs"]), (2, 3))
        self.assertNotIn("wall_pairs", self.report("p.csv"))
        self.assertIn("3 pairs of ball and facet", self.run_tool("contacts", "p.csv", "--walls", "w.txt").stdout)

    def test_bad_files(self):
        for content, message in (("1 2 3\n", "line 1"), ("0 0 0 1 0 0 0 1 nan\n", "line 1"), ("", "no triangles"),
                                 ("a b\n1 2 3 4 5 6 7 8 9 10\n", "line 2"), ("solid x\nendsolid\n", "no triangles"),
                                 (text_stl()[:-12], "endsolid"), (text_stl().replace(" vertex 10 0 0\n", ""), "2 vertices, not 3"),
                                 (binary_stl(3), "byte 184"), (binary_stl(1), "more bytes"),
                                 (binary_stl() [:100], "byte 100"), (binary_stl(2**31), "byte 184")):
            self.write("bad", content)
            self.fails(3, message, "contacts", "p.csv", "--walls", "bad", "--walls-out", "c.csv")
        self.fails(4, "none.txt", "contacts", "p.csv", "--walls", "none.txt", "--walls-out", "c.csv")

    def test_bad_use(self):
        self.fails(2, "--walls", "contacts", "p.csv", "--walls-out", "c.csv")
        self.fails(2, "3-D", "contacts", "p.csv", "--dim", 2, "--walls", "w.txt")
        self.fails(2, "open", "contacts", "p.csv", "--walls", "w.txt", "--periodic", "x", "--box", "0,0,0,9,9,9")
        self.fails(2, "w.txt", "contacts", "p.csv", "--walls", "w.txt", "--walls-out", "w.txt")
        for name in ("w.txt", "p.csv"):
            self.fails(2, "is the input", "contacts", "p.csv", "--walls", "w.txt", "--walls-out", name, "--overwrite")


@needs_shared_data
class RealWalls(ToolCase):
    def test_counts(self):
        for name, walls, facets, pairs in (("drum-38k.txt", "drum-walls.txt", 1200, 2625),
                                           ("penetration-25k-intruder.csv", "penetration-walls.txt", 56, 2263)):
            for threads in (1, 2, 5):
                report = self.report(shared_data(name), "--walls", shared_data(walls), "--threads", threads)
                self.assertEqual((report["facets"], report["wall_pairs"]), (facets, pairs), name)


if __name__ == "__main__":
    unittest.main()
