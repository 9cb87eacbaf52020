#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid contacts on several ranks writes the bytes of one, and fails as it does. HGRID_MPIRUN is the launcher, with its options."""
import os
import pathlib
import random
import sys
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import tool  # noqa: E402


def own_line(errors):
    """Returns the tool's first line. MPI may write others before it."""
    return next(line for line in errors.splitlines() if line.startswith("hgrid"))


class RanksCase(tool.ToolCase):
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


class OnRanks(RanksCase):
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

    def files_of_parts(self):
        """Tables whose lines are cut anywhere, and other files that may be read in parts."""
        row = random.Random(11)
        rows = [[f"{row.uniform(0, 30)!r}"[:row.randint(3, 18)] for _ in range(3)] + ["1.3"] for _ in range(400)]
        yield "# box 0 0 0 30 30 30\nx,y,z,r\n" + "\n".join(map(",".join, rows)), ("--periodic", "xyz")
        yield "# x y z r\r\n" + "".join(" ".join(r) + "\r\n" + "\r\n# words\r\n" * (k % 9 == 0) for k, r in enumerate(rows)), ()
        yield "\n".join(";".join([c[0], c[1]]) for c in rows), ("--radius", "0.4", "--periodic", "y", "--box", "0,0,30,30")
        bad = [r if k % 50 else ["word", *r[1:]] for k, r in enumerate(rows)]
        yield "x,y,z,diameter\n" + "\n".join(map(",".join, bad)), ("--bad-rows", "skip", "--skin", "0.2", "--real", "float")
        yield "x,y,z,r\n1,1,1,1\n2,1,1,1", ()

    def test_files_are_read_in_parts(self):
        for content, options in self.files_of_parts():
            self.write("p.csv", content)
            outs = (".csv", ".summary.csv")
            facts = ("particles", "skipped_rows", "pairs", "contacts", "coordination", "rattlers", "coordination_without_rattlers",
                     "overlap_mean", "overlap_max", "packing_fraction", "radius_min", "radius_max", "notes", "columns")

            def run(ranks):
                names = dict(zip(("--out", "--summary"), (f"{ranks}{out}" for out in outs)))
                report = self.on(ranks, lambda: self.report("p.csv", *options, "--overwrite", *(a for pair in names.items() for a in pair)))
                return [self.read(name) for name in names.values()], {name: report.get(name) for name in facts}, report
            one, several = run(0), run(3)
            self.assertEqual(several[:2], one[:2], content[:100])
            self.assertEqual(several[2].get("parts"), 3, content[:100])
            counted = self.on(2, lambda: self.report("p.csv", *options, "--count"))
            self.assertEqual((counted["pairs"], counted["parts"]), (one[2]["pairs"], 2))

    def test_other_files_are_read_as_a_whole(self):
        rows = "".join(f"{40 - k},{k},0,0,0.6\n" for k in range(40))
        for content in ("id,x,y,z,r\n" + rows, "x,y,z,r\n0,0,0,1\n# box 0 0 0 9 9 9\n1,0,0,1\n"):
            self.write("p.csv", content)
            outs = (".csv", ".summary.csv")
            self.assertEqual(self.bytes_of(2, outs), self.bytes_of(0, outs))
            self.assertNotIn("parts", self.on(2, lambda: self.report("p.csv")))

    def test_a_pipe_is_read_once(self):
        self.packing()
        one = self.run_tool("contacts", "p.csv", "--out", "-").stdout
        os.mkfifo(self.path("pipe.csv"))
        content = pathlib.Path(self.path("p.csv")).read_bytes()
        writer = threading.Thread(target=lambda: pathlib.Path(self.path("pipe.csv")).write_bytes(content))
        writer.start()
        self.assertEqual(self.on(2, lambda: self.run_tool("contacts", "pipe.csv", "--out", "-").stdout), one)
        writer.join()

    def test_errors_name_the_line_of_the_file(self):
        rows = [f"{k},0,0,0.6\n" for k in range(300)]
        for at, bad, code in ((170, "1,2\n", 3), (299, "1,0,0,nan\n", 3), (3, "a,0,0,1\n", 3), (200, "1,0,0,-1\n", 3), (250, "1,\0,2,3\n", 3)):
            self.write("p.csv", "# words\nx,y,z,r\n" + "".join(rows[:at]) + bad + "".join(rows[at + 1:]))
            one = self.run_tool("contacts", "p.csv", "--out", "c.csv", code=code).stderr
            several = self.on(4, lambda: self.run_tool("contacts", "p.csv", "--out", "c.csv", code=code)).stderr
            self.assertEqual(own_line(several), own_line(one))
        self.write("p.csv", "x,y,z,r\n")
        one = self.run_tool("contacts", "p.csv", code=3).stderr
        self.assertEqual(own_line(self.on(2, lambda: self.run_tool("contacts", "p.csv", code=3)).stderr), own_line(one))

    def test_an_output_that_cannot_be_written_ends_all_ranks(self):
        self.packing()
        done = self.on(2, lambda: self.run_tool("contacts", "p.csv", "--out", "/dev/full", code=4))
        self.assertIn("No space", done.stderr)

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
        self.assertEqual(own_line(self.on(2, lambda: self.run_tool(*arguments, code=3)).stderr), own_line(one))

    def test_what_ranks_cannot_do_is_refused(self):
        self.write("p.csv", "x,y,z,r\n" + "".join(f"{k},0,0,0.6\n" for k in range(50)))
        self.write("pairs.txt", "1 2\n")
        done = self.on(2, lambda: self.run_tool("contacts", "p.csv", "--exclude", "pairs.txt", code=2))
        self.assertIn("unsupported", done.stderr)
        self.assertIn("mpirun", self.run_tool("contacts", "p.csv", "--backend", "mpi", code=5).stderr)

    def test_one_of_several_processes_may_work_alone(self):
        self.packing()
        one = self.run_tool("contacts", "p.csv", "--out", "-").stdout
        alone = self.run_tool("contacts", "p.csv", "--out", "-", "--backend", "openmp",
                              environment={"OMPI_COMM_WORLD_SIZE": "4", "PMI_SIZE": "4"}).stdout
        self.assertEqual(alone, one)


class RandomFiles(RanksCase):
    """HGRID_FILES random files: output has the bytes of a plain run on any ranks, threads, keys and directions, with any
    other output."""

    def draw(self, draw):
        dimension, particles = draw.choice((2, 3)), draw.randint(2, 600)
        size, ratio = draw.choice((1, 1e-3, 30)), draw.choice((1, 3, 30))
        diameter = size * draw.uniform(0.5, 1.5) / particles ** (1 / dimension)
        rows = [[*(draw.uniform(0, size) for _ in range(dimension)), diameter / draw.uniform(1, ratio) * draw.uniform(0.5, 1)]
                for _ in range(particles)]
        rows += [row for row in rows if draw.random() < 0.02]  # coincident
        self.write("p.csv", ",".join("xyz"[:dimension]) + ",r\n" + "".join(",".join(map(repr, row)) + "\n" for row in rows))
        options = ["--dim", dimension]
        if axes := draw.choice(("", "x", "y", "xy", "xyz"[:dimension])):
            length = draw.choice((1, 10)) * size
            options += ["--periodic", axes, "--box", ",".join(map(str, [0] * dimension + [length] * dimension))]
            if draw.random() < 0.5:
                tilts = (draw.uniform(-1.5, 1.5) * length if axis in axes else 0 for axis in "yzz"[:2 * dimension - 3])
                options += ["--tilt=" + ",".join(map(str, tilts))]
        if draw.random() < 0.3:
            options += ["--skin", diameter * draw.uniform(0, 0.5)]
        return options + ["--real", draw.choice(("double", "float"))]

    def written(self, ranks, kinds, *options):
        outs = {"--out": "out.csv", "--particles-out": "particles.csv", "--summary": "summary.csv"}
        names = [f for kind in kinds for f in (kind, outs[kind])]
        self.on(ranks, lambda: self.run_tool("contacts", "p.csv", *options, *names, "--overwrite"))
        return {kind: self.read(outs[kind]) for kind in kinds}

    def test_bytes_are_those_of_a_plain_run(self):
        seed, contacts = int(os.environ.get("HGRID_SEED", "1")), 0
        for number in range(seed, seed + int(os.environ.get("HGRID_FILES", "6"))):
            draw = random.Random(number)
            options = self.draw(draw)
            expected = self.written(0, ("--out", "--particles-out", "--summary"), *options, "--threads", 1)
            contacts += expected["--out"].count(b"\n") - 1
            for _ in range(4):
                kinds = draw.choice((("--summary",), ("--summary", "--out"), ("--summary", "--particles-out"), tuple(expected)))
                how = ("--keys", draw.choice(("row", "morton")), "--direction", draw.choice(("top-down", "bottom-up")),
                       "--threads", draw.choice((1, 2, 3)))
                ranks = draw.choice((0, 0, 1, 2, 3, 4, 5))
                got = self.written(ranks, kinds, *options, *how)
                for kind in kinds:
                    self.assertEqual(got[kind], expected[kind], f"HGRID_SEED={number}, {kinds} on {ranks} ranks: {options} {how}")
        self.assertGreater(contacts, 0)


if __name__ == "__main__":
    unittest.main()
