#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Failures of the tool: exit codes, messages, and no output file."""
import os
import resource
import struct
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase  # noqa: E402

USAGE, DATA, IO, RESOURCE = 2, 3, 4, 5
PACKING = ["--n", 10, "--mono", "--packing", 0.5]


class Failures(ToolCase):
    def setUp(self):
        super().setUp()
        self.write("p.csv", "x,y,z,r\n0,0,0,1\n1,0,0,1\n")

    def test_usage_of_contacts(self):
        self.fails(USAGE, "a FILE or --demo is needed", "contacts")
        self.fails(USAGE, "a FILE or --demo is needed", "contacts", "p.csv", "--demo")
        self.fails(USAGE, "--frobnicate", "contacts", "p.csv", "--frobnicate")
        for arguments in (["--skin", -1], ["--skin", "nan"], ["--skin", "1e999"], ["--skin", "x"], ["--skin", "1,2"],
                          ["--radius", -1], ["--threads", 0], ["--threads", -3], ["--threads", "many"], ["--dim", 4],
                          ["--direction", "up"], ["--keys", "hilbert"], ["--order", "random"], ["--backend", "gpu"],
                          ["--real", "half"], ["--bad-rows", "keep"], ["--periodic", "w"], ["--periodic", "xx"],
                          ["--periodic", ""], ["--box", "0,0,0,1,1,inf"], ["--cells", "1,,2"], ["--cells", "-1"],
                          ["--cells", "1", "--plan", "p.json"], ["--frames", "last"], ["--frames", "2:1"], ["--frames", "-2"],
                          ["--frames", "1:2:0"], ["--frames", ""], ["--radius-scale", -1], ["--skin"]):
            self.fails(USAGE, arguments[0], "contacts", "p.csv", "--out", "c.csv", *arguments)

    def test_options_that_do_not_fit(self):
        for message, arguments in (("the file states none", ["--periodic", "xyz"]),
                                   ("5 numbers", ["--periodic", "x", "--box", "0,0,0,1,1"]),
                                   ("4 numbers", ["--periodic", "x", "--box", "0,0,1,1"]),
                                   ("no period", ["--periodic", "x", "--box", "1,0,0,1,1,1"]),
                                   ("no z axis", ["--dim", 2, "--periodic", "z", "--box", "0,0,0,1,1,1"]),
                                   ("invalid_levels", ["--cells", "2,1"]), ("invalid_levels", ["--cells", "0"]),
                                   ("radii of its own", ["--radius", 1]), ("no frame 1; the file has 1", ["--frames", 1]),
                                   ("--count keeps no pairs", ["--count"])):
            self.fails(USAGE, message, "contacts", "p.csv", "--out", "c.csv", *arguments)

    def test_bad_exclusions(self):
        for message, text in (("line 2: column 2: '2' is the id of no particle; there are 2", "0,1\n1,2\n"),
                              ("line 1: column 1: '-1' is no id", "-1,0\n"), ("line 3: column 2: '1.0' is no id", "i,j\n0,1\n0,1.0\n"),
                              ("line 1: 3 columns where a pair has 2", "0,1,2\n"), ("line 2: 1 column where", "i;j\n0\n"),
                              ("line 1: no column i; the columns found are", "a,b\n0,1\n"),
                              ("line 1: column 1: '99999999999999999999' is no id", "99999999999999999999 1\n"),
                              ("line 2: column 1: 'nan' is no id", "0 1\nnan 1\n")):
            self.write("e.csv", text)
            self.assertIn("e.csv", self.fails(DATA, message, "contacts", "p.csv", "--out", "c.csv", "--exclude", "e.csv"))
        self.fails(IO, "e2.csv", "contacts", "p.csv", "--out", "c.csv", "--exclude", "e2.csv")
        self.write("e.csv", "0,1\n")
        self.fails(USAGE, "--rule belongs to the grid", "contacts", "p.csv", "--rule", "max", "--algorithm", "all-pairs")
        self.fails(USAGE, "--exclude belongs to the grid", "contacts", "p.csv", "--exclude", "e.csv", "--algorithm", "all-pairs")
        self.fails(USAGE, "e.csv", "contacts", "p.csv", "--exclude", "e.csv", "--out", "e.csv", "--overwrite")

    def test_bad_worlds(self):
        self.write("w.csv", "x,y,z,r,cell\n0,0,0,1,4\n0,0,1,1,4.5\n")
        self.fails(USAGE, "no column 'mol' of worlds; the columns found are: x, y, z, r, cell", "contacts", "w.csv", "--world", "mol")
        self.fails(DATA, "line 3: column 5 (world): '4.5' is not an integer", "contacts", "w.csv", "--world", "cell")
        self.write("w.csv", "0 0 0 1\n")
        self.fails(USAGE, "no header", "contacts", "w.csv", "--world", "x")
        self.fails(USAGE, "--world names a column of a file", "contacts", "--demo", "--world", "x")
        self.write("w.csv", "x,y,z,r,cell\n0,0,0,1,4\n")
        self.fails(USAGE, "--world belongs to the grid", "contacts", "w.csv", "--world", "cell", "--algorithm", "all-pairs")

    def test_usage_of_generate(self):
        self.fails(USAGE, "--n", "generate", "--mono", "--packing", 0.5, "--out", "g.csv")
        self.fails(USAGE, "--out", "generate", *PACKING)
        self.fails(USAGE, "--mono", "generate", "--n", 10, "--packing", 0.5, "--out", "g.csv")
        for arguments in (["--bidisperse", 2], ["--exponent", 1], ["--seed", -1], ["--dim", 1], ["--periodic", "x"]):
            self.fails(USAGE, arguments[0], "generate", *PACKING, "--out", "g.csv", *arguments)
        for n in (0, -1, 1.5, "many"):
            self.fails(USAGE, "--n", "generate", "--n", n, "--mono", "--packing", 0.5, "--out", "g.csv")
        for fraction in (-1, "nan", 0, 1000):
            self.fails(USAGE, "packing", "generate", "--n", 10, "--mono", "--packing", fraction, "--out", "g.csv")
        size = ["generate", "--n", 10, "--packing", 0.5, "--out", "g.csv"]
        self.fails(USAGE, "--exponent", *size, "--size-ratio", 3)
        self.fails(USAGE, "below 1", *size, "--size-ratio", 0.5, "--exponent", 1)
        self.fails(USAGE, "more particles", *size, "--bidisperse", 100)
        self.fails(USAGE, "does not fit", "generate", "--n", 1, "--mono", "--packing", 0.9, "--relaxed", "--out", "g.csv")
        self.fails(RESOURCE, "too_many_particles", "generate", "--n", 10**12, "--mono", "--packing", 0.5, "--out", "g.csv")

    def test_other_usage(self):
        self.fails(USAGE, "nonsense", "nonsense")
        done = self.run_tool("contacts", "p.csv", "--\x1b[31mred", code=USAGE)
        self.assertNotIn("\x1b", done.stderr)

    def test_empty_arguments(self):
        for arguments in (["contacts", ""], ["generate", "", "--dim", 3], ["plan", "p.csv", "", "--dim", 3], ["plan", "--json", ""],
                          ["generate", "--seed", "--seed", "", "-o"]):  # the second is the value of the first
            self.fails(IO, "the file name is empty", *arguments)  # with an argument after them, they once never ended
        for arguments in (["contacts", "p.csv", "--out"], ["contacts", "p.csv", "--plan"], ["contacts", "p.csv", "--walls"],
                          ["contacts", "p.csv", "--walls", "p.csv", "--walls-out"], ["generate", *PACKING, "--out"],
                          ["plan", "--psd"], ["calibrate", "--n", 1000, "--out"]):
            self.fails(IO, f"{arguments[-1]}: the file name is empty", *arguments, "")
            self.fails(IO, f"{arguments[-1]}: the file name is empty", *arguments[:-1], arguments[-1] + "=")

    def test_radii_missing(self):
        self.write("xyz.csv", "x,y,z,mass\n0,0,0,1\n")
        self.fails(USAGE, "x, y, z, mass", "contacts", "xyz.csv", "--out", "c.csv")

    def test_small_stacks(self):
        """Runs with the stack that docs/reliability.md calls enough, for the main thread and OpenMP's."""
        def small():
            resource.setrlimit(resource.RLIMIT_STACK, (256 << 10, 256 << 10))
        self.run_tool("generate", "--n", 1000, "--size-ratio", 10, "--exponent", -3, "--packing", 0.5, "--relaxed", "--out", "g.csv",
                      preexec_fn=small)
        self.write("w.csv", "-9,-9,0,9,-9,0,0,9,0\n")
        self.write("plan.json", self.run_tool("plan", "g.csv", "--json", preexec_fn=small).stdout)
        for end in ("csv", "npy", "vtp"):
            self.run_tool("contacts", "g.csv", "--periodic", "xyz", "--out", "c." + end, preexec_fn=small)
        for arguments in (["contacts", "--help"], ["info"], ["plan", "g.csv", "--measure"], ["contacts", "g.csv", "--plan", "plan.json"],
                          ["plan", "g.csv", "--method", "calibrated", "--measure"], ["contacts", "g.csv", "--dim", 2, "--json"],
                          ["contacts", "g.csv", "--walls", "w.csv", "--walls-out", "walls.csv"],
                          ["contacts", "g.csv", "--cells", ",".join(map(str, range(1, 65)))],
                          ["contacts", "g.csv", "--order", "fixed", "--real", "float"],
                          ["contacts", "g.csv", "--keys", "morton", "--direction", "bottom-up"],
                          *(["contacts", "p.csv", "--algorithm", name] for name in ("all-pairs", "linked-cell", "nbs", "distance-sort",
                                                                                    "cell-space", "hgrid-2012"))):
            self.run_tool(*arguments, preexec_fn=small)

    def test_data(self):
        for message, content in (("no particles", ""), ("no particles", "x,y,z,r\n"), ("line 2", "x,y,z,r\n1,2,3\n"),
                                 ("line 3", "x,y,z,r\n0,0,0,1\n0,0,nan,1\n"), ("negative_radius", "x,y,z,r\n0,0,0,-1\n"),
                                 ("range_error", "x,y,z,r\n1e16,0,0,1\n"), ("no column for x", "a,b,c\n1,2,3\n"),
                                 ("ELF", b"\x7fELF\0\0\0\0"), ("bad", os.urandom(500))):
            self.write("bad", content)
            self.fails(DATA, message, "contacts", "bad", "--out", "c.csv")
        self.fails(DATA, "box_too_small", "contacts", "p.csv", "--periodic", "x", "--box", "0,0,0,0.1,1,1")

    def test_plans(self):
        self.fails(IO, "none.json", "contacts", "p.csv", "--plan", "none.json")
        self.fails(IO, "directory", "contacts", "p.csv", "--plan", ".")
        level = '{"radius_max": 1, "cell_size": %s}'
        for message, content in (
                ("line 1, column 1: ", ""), ("line 2, column 3: ", '{\n  x'), ("line 1, column 1: ", b"\0" * 100),
                ("more than 1 MiB", "x" * 2000000), ("line 1, column 1000001: ", "[" * 1000000),
                ("number overflow", '{"levels": 1e999}'),
                ("an object is expected, not an array", "[]"), ("an object is expected, not a number", "1"),
                ("levels: missing", "{}"), ("levels: an array is expected, not a number", '{"levels": 1}'),
                ("levels[0]: an object is expected, not \"fine\"", '{"levels": ["fine"]}'),
                ("levels[0].radius_max: missing", '{"levels": [{"cell_size": [1, 1, 1]}]}'),
                ("levels[1].radius_max: a number is expected, not null", '{"levels": [%s, {"radius_max": null}]}' % (level % "[1, 1, 1]")),
                ("levels[0].radius_bound: a number is expected, not \"1\"", '{"levels": [{"radius_bound": "1"}]}'),
                ("levels[0].cell_size: missing", '{"levels": [{"radius_max": 1}]}'),
                ("levels[0].cell_size: 3 numbers are expected, not a number", '{"levels": [%s]}' % (level % "1")),
                ("levels[0].cell_size: 3 numbers are expected, not 1", '{"levels": [%s]}' % (level % "[1]")),
                ("levels[0].cell_size: 3 numbers are expected, not 4", '{"levels": [%s]}' % (level % "[1, 1, 1, 1]")),
                ("levels[0].cell_size[1]: a number is expected, not a boolean", '{"levels": [%s]}' % (level % "[1, true, 1]")),
                ('direction: "top-down" or "bottom-up" is expected, not "up"', '{"levels": [%s], "direction": "up"}' % (level % "[1, 1, 1]")),
                ('direction: "top-down" or "bottom-up" is expected, not null', '{"levels": [%s], "direction": null}' % (level % "[1, 1, 1]")),
                ('keys: "row" or "morton" is expected, not a number', '{"levels": [%s], "keys": 7}' % (level % "[1, 1, 1]"))):
            self.write("plan.json", content)
            said = self.fails(DATA, message, "contacts", "p.csv", "--plan", "plan.json", "--out", "c.csv")
            self.assertTrue(said.startswith("hgrid: format: plan.json: "), said)
            self.assertNotIn("exception", said)
        self.write("plan.json", '{"levels": [%s]}' % (level % "[0, 1, 1]"))
        self.fails(USAGE, "invalid_levels: plan.json: level 0", "contacts", "p.csv", "--plan", "plan.json")

    def test_calibrations(self):
        for message, content in ((", line 2: 'x' is no cost", "# costs\nserial 1 2 3 x\n"), (", line 1: six costs", "serial 1\n"),
                                 (": too long", "#" * 100000)):
            self.write("costs", content)
            for arguments in (["contacts", "p.csv", "--out", "c.csv"], ["plan", "--mono", "--method", "calibrated"]):
                said = self.fails(DATA, message, *arguments, environment={"HGRID_CALIBRATION": "costs"})
                self.assertTrue(said.startswith("hgrid: format: HGRID_CALIBRATION=costs" + message), said)
        for missing in ("none", "."):
            self.fails(IO, f"HGRID_CALIBRATION={missing}: cannot", "contacts", "p.csv", environment={"HGRID_CALIBRATION": missing})

    def test_files(self):
        self.fails(IO, "missing.csv", "contacts", "missing.csv", "--out", "c.csv")
        self.fails(IO, "directory", "contacts", ".")
        self.fails(IO, "no/c.csv", "contacts", "p.csv", "--out", "no/c.csv")
        self.fails(IO, "no/g.csv", "generate", *PACKING, "--out", "no/g.csv")
        self.fails(USAGE, "cannot tell the format", "contacts", "p.csv", "--out", "c.txt")
        self.fails(USAGE, "cannot tell the format", "generate", *PACKING, "--out", "g.pvd")

    def test_cuda(self):
        if "device " in self.run_tool("info").stdout:
            self.skipTest("there is a CUDA device")
        self.fails(RESOURCE, "no CUDA device", "contacts", "p.csv", "--backend", "cuda", "--out", "c.csv")


class Remedies(ToolCase):
    """Each remedy that a message names is followed, and taken; tests of files and units are in tool_report.py."""

    def test_each(self):
        self.write("p.csv", "x,y,z,r\n0,0,0,1\n1,0,0,1\n")
        self.write("five.txt", "0 0 0 0 1\n1 1 0 0 1\n")
        self.write("comma.csv", "x;y;z;r\n0;0;0;0,5\n"), self.write("point.csv", "x;y;z;r\n0;0;0;0.5\n")
        self.write("named.xyz", "1\nProperties=pos:R:3:radius:R:1\n0 0 0 1\n")
        self.write("two.xyz", "1\nProperties=pos:R:3:radius:R:1\n0 0 0 1\n" * 2)
        self.write("a.restart", "restart_version 2\nParticles 1\n0 0 0 0 0 0 1\n")
        self.write("old.csv", ""), self.write("box.csv", "# box 0 0 0 9 9 9\nx,y,z,r\n0,0,0,1\n1,0,0,1\n")
        for kind, name in ((">f8", "big.npy"), ("<f8", "little.npy")):
            head = b"{'descr': '%s', 'fortran_order': False, 'shape': (1, 4), }\n" % kind.encode()
            self.write(name, b"\x93NUMPY\1\0" + bytes([len(head), 0]) + head + struct.pack(kind[0] + "4d", 0, 0, 0, 1))
        plan = ["plan", "--size-ratio", 10, "--exponent", -3]
        contacts = ["contacts", "p.csv"]
        for code, said, arguments, remedies in (
                (USAGE, "give --box x0,y0,z0,x1,y1,z1 or --cell", [*contacts, "--periodic", "x"],
                 [[*contacts, "--periodic", "x", "--box", "0,0,0,9,9,9"], [*contacts, "--periodic", "x", "--cell", "9,0,0,0,9,0,0,0,9"]]),
                (USAGE, "give no --box and --tilt beside it", [*contacts, "--periodic", "x", "--box", "0,0,0,9,9,9", "--cell", "9,0,0,0,9,0,0,0,9"],
                 [[*contacts, "--periodic", "x", "--cell", "9,0,0,0,9,0,0,0,9"]]),
                (USAGE, "it takes ax,ay,az,bx,by,bz,cx,cy,cz or ax,ay,bx,by", [*contacts, "--dim", 2, "--periodic", "xy", "--cell", "9,0,0"],
                 [[*contacts, "--dim", 2, "--periodic", "xy", "--cell", "9,0,0,9"],
                  [*contacts, "--dim", 2, "--periodic", "xy", "--cell", "9,0,0,0,9,0,0,0,9"]]),
                (USAGE, "leave out --count or the outputs", [*contacts, "--count", "--out", "c.csv"], [[*contacts, "--count"], [*contacts, "--out", "c.csv"]]),
                (USAGE, "ends in .csv, or a series for ParaView, which ends in .pvd; --frames K", ["contacts", "two.xyz", "--frames", "all", "--out", "f.npy"],
                 [["contacts", "two.xyz", "--frames", "all", "--out", "f.csv"], ["contacts", "two.xyz", "--frames", "all", "--out", "f.pvd"],
                  ["contacts", "two.xyz", "--frames", 1, "--out", "f.npy"]]),
                (USAGE, "--overwrite replaces it", [*contacts, "--out", "old.csv"], [[*contacts, "--out", "old.csv", "--overwrite"]]),
                (USAGE, "leave out the radius given", [*contacts, "--radius", 1], [contacts]),
                (USAGE, "leave out --columns", ["contacts", "a.restart", "--columns", "x,y,z,r"], [["contacts", "a.restart"]]),
                (DATA, "leave out --columns", ["contacts", "named.xyz", "--columns", "x,y,z,r"], [["contacts", "named.xyz"]]),
                (DATA, "--columns names other columns", ["contacts", "five.txt"], [["contacts", "five.txt", "--columns", "id,x,y,z,r"]]),
                (DATA, "Numbers have a point", ["contacts", "comma.csv"], [["contacts", "point.csv"]]),
                (DATA, "save it as '<f8'", ["contacts", "big.npy"], [["contacts", "little.npy"]]),
                (USAGE, "--q is for --method constant", [*plan, "--q", 2], [[*plan, "--q", 2, "--method", "constant"]]),
                (USAGE, "--periodic is for --measure", ["plan", "box.csv", "--periodic", "x"],
                 [["plan", "box.csv"], ["plan", "box.csv", "--periodic", "x", "--measure"]]),
                (USAGE, "--measure runs the plan on particles; it needs a FILE", [*plan, "--measure"], [["plan", "p.csv", "--measure"]]),
                (USAGE, "--rule is for --method calibrated", [*plan, "--rule", "max"], [[*plan, "--rule", "max", "--method", "calibrated"]]),
                (USAGE, "did you mean hgrid contacts?", ["contact", "p.csv"], [contacts])):
            self.fails(code, said, *arguments)
            for remedy in remedies:
                self.run_tool(*remedy)

    def test_notes_and_next_steps(self):
        self.write("p.csv", "x,y,z,r\n0,0,0,1\n3,0,0,1\n")
        self.assertIn("--box has no effect without --periodic", self.run_tool("contacts", "p.csv", "--box", "0,0,0,9,9,9").stderr)
        self.assertEqual(self.run_tool("contacts", "p.csv", "--periodic", "x", "--box", "0,0,0,9,9,9").stderr, "")
        self.assertIn("--skin LENGTH also takes pairs with a gap", str(self.report("p.csv")["notes"]))
        self.assertEqual(self.report("p.csv", "--skin", 1)["pairs"], 1)
        told = self.run_tool("contacts", "p.csv").stdout
        self.assertIn("--out pairs.vtp writes", told)
        self.run_tool("contacts", "p.csv", "--out", "pairs.vtp"), self.run_tool("contacts", "p.csv", "--out", "pairs.csv")
        self.assertIn("hgrid plan ... --json > plan.json; hgrid contacts p.csv --plan plan.json", self.run_tool("plan", "p.csv").stdout)
        self.write("plan.json", self.run_tool("plan", "p.csv", "--json").stdout)
        self.run_tool("contacts", "p.csv", "--plan", "plan.json")
        if "device " not in self.run_tool("info").stdout:
            self.fails(RESOURCE, "--backend openmp works here", "contacts", "p.csv", "--backend", "cuda")
            self.run_tool("contacts", "p.csv", "--backend", "openmp")


class Greetings(ToolCase):
    def test_bare(self):
        text = self.run_tool().stdout
        self.assertEqual(sum(line.startswith("  hgrid ") for line in text.splitlines()), 3)

    def test_help(self):
        for arguments in (["--help"], ["contacts", "-h"], ["generate", "--help"], ["info", "-h"]):
            self.assertIn("[OPTIONS]", self.run_tool(*arguments).stdout)
        self.assertRegex(self.run_tool("--version").stdout, r"^hgrid \d+\.\d+\.\d+\n$")

    def test_info(self):
        text = self.run_tool("info").stdout
        for word in ("hgrid ", "compiler ", "openmp ", "kokkos ", "backends ", "cuda "):
            self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
