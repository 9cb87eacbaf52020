#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid contacts --algorithm: the papers' other systems give the grid's contacts, and count as their papers say."""
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase, needs_shared_data, shared_data  # noqa: E402

ALGORITHMS = ("linked-cell", "nbs", "distance-sort", "cell-space", "hgrid-2012", "all-pairs")


class SmallSystem(ToolCase):
    def setUp(self):
        super().setUp()
        draw = random.Random(11)
        rows = [[draw.random() for _ in range(3)] + [draw.choice((0.01, 0.03, 0.09))] for _ in range(300)]
        self.write("p.csv", "# box 0 0 0 1 1 1\nx,y,z,r\n" + "".join("{},{},{},{}\n".format(*row) for row in rows))

    def test_same_bytes_as_the_grid(self):
        for more in ([], ["--periodic", "xyz"], ["--dim", 2], ["--dim", 2, "--periodic", "x"], ["--skin", 0.02]):
            self.run_tool("contacts", "p.csv", "--out", "grid.csv", "--overwrite", *more)
            for algorithm in ALGORITHMS:
                self.run_tool("contacts", "p.csv", "--algorithm", algorithm, "--out", "c.csv", "--overwrite", *more)
                self.assertEqual(self.read("c.csv"), self.read("grid.csv"), (algorithm, more))

    def test_report(self):
        report = self.report("p.csv", "--algorithm", "all-pairs")
        self.assertEqual((report["algorithm"], report["counters"]), ("all-pairs", {"tests": 300 * 299 // 2}))
        self.assertEqual((report["backend"], report["threads"], report["levels"]), ("serial", 1, []))
        self.assertEqual(self.report("p.csv")["algorithm"], "grid")
        self.assertIn("Munjiza", self.run_tool("contacts", "p.csv", "--algorithm", "nbs").stdout)

    def test_no_particles(self):
        self.write("none.data", "0 0 0 0 0 1 1 1\n")
        for algorithm in ALGORITHMS:
            self.assertEqual(self.report("none.data", "--algorithm", algorithm)["pairs"], 0)

    def test_what_belongs_to_the_grid(self):
        for more in (["--cells", "0.1"], ["--direction", "top-down"], ["--keys", "row"], ["--backend", "openmp"]):
            self.fails(2, more[0], "contacts", "p.csv", "--algorithm", "nbs", *more)
        self.fails(2, "--algorithm", "contacts", "p.csv", "--algorithm", "octree")
        self.write("bad.csv", "x,y,z,r\n0,0,0,1\n1,0,0,-1\n")
        for algorithm in ALGORITHMS:
            self.fails(3, "particle 1", "contacts", "bad.csv", "--algorithm", algorithm)


@needs_shared_data
class RealData(ToolCase):
    def test_counts(self):
        for name, pairs in (("drum-38k.txt", 80316), ("penetration-25k-intruder.csv", 53876)):
            for algorithm in ALGORITHMS:
                if algorithm == "all-pairs" and name.startswith("penetration"):
                    continue
                report = self.report(shared_data(name), "--algorithm", algorithm)
                self.assertEqual((report["pairs"], report["algorithm"]), (pairs, algorithm))


if __name__ == "__main__":
    unittest.main()
