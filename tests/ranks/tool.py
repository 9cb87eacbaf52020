#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid contacts on several ranks writes the bytes of one, and fails as it does. HGRID_MPIRUN is the launcher, with its options."""
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import tool  # noqa: E402


class OnRanks(tool.ToolCase):
    ranks = 0

    def command(self, *arguments):
        launcher = [*os.environ["HGRID_MPIRUN"].split(), str(self.ranks)] if self.ranks else []
        return [*launcher, *super().command(*arguments)]

    def on(self, ranks, call):
        self.ranks = ranks
        try:
            return call()
        finally:
            self.ranks = 0

    def packing(self, dimension=3):
        coordinates = random.Random(7)
        if dimension == 2:
            rows = (f"{coordinates.uniform(0, 60)!r},{coordinates.uniform(0, 60)!r},{0.3 / coordinates.uniform(0.1, 1)!r}"
                    for _ in range(1500))
            self.write("p.csv", "# box 0 0 0 60 60 1\nx,y,r\n" + "\n".join(rows) + "\n")
        else:
            self.run_tool("generate", "--n", 3000, "--size-ratio", 20, "--exponent", -3, "--packing", 0.5, "--out", "p.csv",
                          "--overwrite")

    def bytes_of(self, ranks, outs, *options):
        files = [f"{ranks}{out}" for out in outs]
        names = dict(zip(("--out", "--particles-out", "--summary"), files))
        self.on(ranks, lambda: self.run_tool("contacts", "p.csv", *options, "--overwrite", *(a for pair in names.items() for a in pair)))
        return [self.read(file) for file in files]

    def test_bytes_are_those_of_one_rank(self):
        for dimension, options in ((3, ("--periodic", "xyz")), (3, ("--skin", "0.3", "--direction", "bottom-up")),
                                   (2, ("--periodic", "x", "--real", "float", "--threads", "2"))):
            self.packing(dimension)
            for form in (".csv", ".npy", ".vtp") if "xyz" in options else (".csv",):
                outs = (form, ".particles.csv")
                one = self.bytes_of(0, outs, *options)
                self.assertGreater(len(one[0]), 10000)
                ranks = 4 if form == ".csv" else 2
                self.assertEqual(self.bytes_of(ranks, outs, *options), one, f"{dimension}, {options}, {form}, {ranks}")

    def test_report_says_how_many_ranks(self):
        self.packing()
        one = self.report("p.csv", "--periodic", "xyz")
        several = self.on(3, lambda: self.report("p.csv", "--periodic", "xyz"))
        self.assertEqual((several["backend"], several["ranks"], several["order"]), ("mpi", 3, "sorted"))
        self.assertNotIn("ranks", one)
        for fact in ("pairs", "contacts", "coordination", "overlap_max"):
            self.assertEqual(several[fact], one[fact])
        self.assertEqual(self.on(3, lambda: self.report("p.csv", "--periodic", "xyz", "--count"))["pairs"], one["pairs"])
        self.assertIn("2 ranks of", self.on(2, lambda: self.run_tool("contacts", "p.csv").stdout))

    def test_frames(self):
        frame = "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\n" \
                "ITEM: ATOMS id x y z radius\n1 1 1 {} 1\n2 1 1 3 1\n3 1 9.5 1 1\n"
        self.write("p.csv", "".join(frame.format(k, 1 + 0.3 * k) for k in range(4)))
        options = ("--periodic", "xyz", "--frames", "all")
        outs = (".csv", ".particles.csv", ".summary.csv")
        self.assertEqual(self.bytes_of(2, outs, *options), self.bytes_of(0, outs, *options))

    def test_errors_are_those_of_one_rank(self):
        self.write("p.csv", "x,y,z,r\n" + "".join(f"{k},0,0,0.6\n" for k in range(50)))
        arguments = ("contacts", "p.csv", "--periodic", "x", "--box", "0,0,0,0.1,1,1")
        one = self.run_tool(*arguments, code=3).stderr
        self.assertEqual(self.on(2, lambda: self.run_tool(*arguments, code=3)).stderr.splitlines()[0], one.splitlines()[0])

    def test_what_ranks_cannot_do_is_refused(self):
        self.write("p.csv", "x,y,z,r\n" + "".join(f"{k},0,0,0.6\n" for k in range(50)))
        self.write("pairs.txt", "1 2\n")
        for options in (("--exclude", "pairs.txt"), ("--periodic", "xyz", "--box", "0,0,0,50,50,50", "--tilt", "1,0,0")):
            done = self.on(2, lambda: self.run_tool("contacts", "p.csv", *options, code=2))
            self.assertIn("unsupported", done.stderr)
        self.assertIn("mpirun", self.run_tool("contacts", "p.csv", "--backend", "mpi", code=5).stderr)

    def test_one_of_several_processes_may_work_alone(self):
        self.packing()
        one = self.run_tool("contacts", "p.csv", "--out", "-").stdout
        alone = self.run_tool("contacts", "p.csv", "--out", "-", "--backend", "openmp",
                              environment={"OMPI_COMM_WORLD_SIZE": "4", "PMI_SIZE": "4"}).stdout
        self.assertEqual(alone, one)


if __name__ == "__main__":
    unittest.main()
