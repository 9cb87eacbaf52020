#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid convert: round trips to the last bit, frames, what is left out, and no output after an error."""
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase  # noqa: E402

PERIODIC = 'Lattice="9 0 0 2 9 0 0 0 9" Origin="1 2 3" pbc="T T F" Properties=species:S:1:pos:R:3:radius:R:1:id:I:1'


class Convert(ToolCase):
    def particles(self):
        draw = random.Random(5)
        return [(draw.gauss(0, 10.0 ** draw.randrange(-9, 9)), draw.random() / 3, -draw.random(), draw.random() / 7) for _ in range(500)]

    def test_through_every_format_and_back(self):
        rows = self.particles()
        self.write("p.csv", "id,x,y,z,r\n" + "".join("{},{!r},{!r},{!r},{!r}\n".format(k + 1, *row) for k, row in enumerate(rows)))
        chain = ["p.csv", "a.xyz", "b.lmp", "c.vtp", "d.extxyz", "e.csv"]
        for source, target in zip(chain, chain[1:]):
            self.assertIn("particles  500\n", self.run_tool("convert", source, target).stdout)
        back = [tuple(map(float, line.split(","))) for line in self.read("e.csv").decode().splitlines() if line[0] not in "#i"]
        self.assertEqual(back, [(k + 1, *row) for k, row in enumerate(rows)])
        for target in ("f.npy", "g.data"):
            self.assertIn("left out   ids", self.run_tool("convert", "p.csv", target).stdout)
            self.run_tool("convert", target, "h.csv", "--overwrite")
            back = [tuple(map(float, line.split(","))) for line in self.read("h.csv").decode().splitlines() if line[0] not in "#x"]
            self.assertEqual(back, rows, target)

    def test_frames(self):
        frame = "2\n" + PERIODIC + " Time={}\nX 1.5 2.5 3.5 0.5 1\nX 2.25 2.5 3.5 0.5 2\n"
        self.write("run.xyz", "".join(frame.format(k / 4) for k in range(4)))
        self.assertIn("particles  6 in 3 frames", self.run_tool("convert", "run.xyz", "all.xyz", "--frames", "1:").stdout)
        told = [[(frame["time"], frame["pairs"]) for frame in self.report(name, "--frames", frames, "--periodic", "xy")]
                for name, frames in (("all.xyz", "all"), ("run.xyz", "1:"))]
        self.assertEqual(told, [[(k / 4, 1) for k in (1, 2, 3)]] * 2)
        self.run_tool("convert", "all.xyz", "again.xyz", "--frames", "all")
        self.assertEqual(self.read("all.xyz"), self.read("again.xyz"))
        told = self.run_tool("convert", "run.xyz", "-", "--frames", 0, "--radius-scale", 2)
        self.assertEqual(told.stdout, "id,x,y,z,r\n1,1.5,2.5,3.5,1\n2,2.25,2.5,3.5,1\n")
        self.assertIn("left out   the box, which is tilted, which axes are periodic, time and step", told.stderr)

    def test_errors_leave_nothing(self):
        self.write("run.xyz", "1\n" + PERIODIC + "\nX 1 2 3 0.5 1\n")
        self.fails(2, "several frames go into extended XYZ", "convert", "run.xyz", "p.csv", "--frames", "all")
        self.fails(2, "cannot tell the format", "convert", "run.xyz", "p.gsd")
        self.fails(2, "run.xyz", "convert", "run.xyz", "run.xyz", "--overwrite")
        self.fails(4, "none.csv", "convert", "none.csv", "p.csv")
        self.write("bad.csv", "x,y,z,r\n1,2,3,0.5\n1,2,three,0.5\n")
        for target in ("p.csv", "p.npy", "p.vtp", "p.lmp", "p.xyz", "p.data"):
            self.fails(3, "line 3", "convert", "bad.csv", target)
        self.write("old.csv", "kept")
        self.fails(2, "--overwrite", "convert", "run.xyz", "old.csv")
        self.write("points.xyz", "1\nProperties=species:S:1:pos:R:3\nX 1 2 3\n")
        self.fails(2, "--radius", "convert", "points.xyz", "p.csv")
        self.run_tool("convert", "points.xyz", "p.csv", "--radius", 0.25)
        self.assertEqual(self.read("p.csv"), b"x,y,z,r\n1,2,3,0.25\n")


if __name__ == "__main__":
    unittest.main()
