#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid contacts on files of other codes: bodies of several particles, and the pairs that each kind of file has."""
import math
import os
import random
import sys
import unittest

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


if __name__ == "__main__":
    unittest.main()
