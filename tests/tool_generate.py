#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid generate: sizes, packing fraction, formats, and the way back through hgrid contacts."""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase  # noqa: E402

SIZES = {"mono": ["--mono"], "power": ["--size-ratio", 10, "--exponent", -3],
         "singular": ["--size-ratio", 10, "--exponent", -1], "bidisperse": ["--bidisperse", 3],
         "lognormal": ["--lognormal", 8]}


class Generate(ToolCase):
    def generate(self, name, *arguments):
        return self.run_tool("generate", *arguments, "--out", name, "--overwrite").stdout

    def particles(self, name):
        lines = self.read(name).decode().splitlines()
        self.assertTrue(lines[0].startswith("# box "))
        box = [float(word) for word in lines[0].split()[2:]]
        return box, [[float(value) for value in line.split(",")] for line in lines[2:]]

    def test_sizes_and_packing(self):
        for dim in (2, 3):
            for name, sizes in SIZES.items():
                self.generate("p.csv", "--n", 3000, *sizes, "--packing", 0.4, "--dim", dim)
                box, particles = self.particles("p.csv")
                radii = [p[-1] for p in particles]
                self.assertEqual((len(particles), len(particles[0]), len(box)), (3000, dim + 1, 2 * dim), name)
                volume = sum(math.pi * r * r if dim == 2 else 4 / 3 * math.pi * r ** 3 for r in radii)
                self.assertAlmostEqual(volume / box[-1] ** dim, 0.4, delta=1e-12, msg=name)
                self.assertGreaterEqual(min(radii), 1)
                self.assertLessEqual(max(radii), 1 if name == "mono" else 10)
                self.assertTrue(all(0 <= x < box[-1] for p in particles for x in p[:-1]), name)

    def test_seeds(self):
        contents = []
        for seed in (1, 1, 2):
            self.generate("p.csv", "--n", 100, *SIZES["power"], "--packing", 0.5, "--seed", seed)
            contents.append(self.read("p.csv"))
        self.assertEqual(contents[0], contents[1])
        self.assertNotEqual(contents[0], contents[2])

    def test_a_seed_that_is_none(self):
        told = self.fails(2, "--seed", "generate", "--n", "10", "--mono", "--packing", "0.1", "--seed=-1", "--out", "a.csv")
        self.assertLess(len(told), 200)

    def test_a_command_that_is_nearly_one(self):
        self.fails(2, "did you mean hgrid contacts?", "contact", "a.csv")
        self.assertNotIn("did you mean", self.fails(2, "not expected", "nonsense", "a.csv"))

    def test_round_trip(self):
        for dim in (2, 3):
            counts = set()
            for name in ("p.csv", "p.npy", "p.data"):
                self.generate(name, "--n", 2000, *SIZES["power"], "--packing", 0.6, "--dim", dim)
                report = self.report(name, "--dim", dim)
                counts.add((report["particles"], report["pairs"]))
                if name != "p.npy":  # which has no room for the box
                    self.report(name, "--periodic", "xyz"[:dim])
            self.assertEqual(len(counts), 1, counts)

    def test_pipe(self):
        done = self.run_tool("generate", "--n", 500, "--mono", "--packing", 0.5, "--out", "-")
        self.assertIn("next ", done.stderr)
        self.assertEqual(self.report("-", "--periodic", "xyz", input=done.stdout)["particles"], 500)

    def test_relaxed_between_walls(self):
        text = self.generate("p.csv", "--n", 2000, *SIZES["power"], "--packing", 0.55, "--relaxed")
        self.assertIn("relaxed", text)
        box, particles = self.particles("p.csv")
        for *x, r in particles:
            self.assertTrue(all(r <= a <= box[-1] - r for a in x))
        self.assert_little_overlap([], particles)

    def test_relaxed_periodic_does_not_depend_on_threads(self):
        contents = set()
        for threads in ("1", "3"):
            self.run_tool("generate", "--n", 1500, "--lognormal", 4, "--packing", 0.55, "--relaxed", "--periodic", "xyz",
                          "--out", "p.csv", "--overwrite", environment={"OMP_NUM_THREADS": threads})
            contents.add(self.read("p.csv"))
        self.assertEqual(len(contents), 1)
        self.assert_little_overlap(["--periodic", "xyz"], self.particles("p.csv")[1])

    def assert_little_overlap(self, arguments, particles):
        rows = self.run_tool("contacts", "p.csv", *arguments, "--out", "-").stdout.splitlines()[1:]
        relative = []
        for row in rows:
            i, j, *_, overlap = row.split(",")
            relative.append(float(overlap) / (2 * min(particles[int(i)][3], particles[int(j)][3])))
        self.assertGreater(len(relative), 10)
        self.assertLess(max(relative), 0.031)
        self.assertLess(sum(relative) / len(relative), 0.0051)


if __name__ == "__main__":
    unittest.main()
