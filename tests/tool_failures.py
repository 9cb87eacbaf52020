#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the tool does when it cannot do what was asked: exit codes, messages, and no output file."""
import os
import signal
import subprocess
import sys
import time
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
        self.fails(USAGE, "contacts needs a FILE or --demo", "contacts")
        self.fails(USAGE, "contacts needs a FILE or --demo", "contacts", "p.csv", "--demo")
        self.fails(USAGE, "--frobnicate", "contacts", "p.csv", "--frobnicate")
        for arguments in (["--skin", -1], ["--skin", "nan"], ["--skin", "1e999"], ["--skin", "x"], ["--skin", "1,2"],
                          ["--radius", -1], ["--threads", 0], ["--threads", -3], ["--threads", "many"], ["--dim", 4],
                          ["--direction", "up"], ["--keys", "hilbert"], ["--order", "random"], ["--backend", "gpu"],
                          ["--real", "half"], ["--bad-rows", "keep"], ["--periodic", "w"], ["--periodic", "xx"],
                          ["--periodic", ""], ["--box", "0,0,0,1,1,inf"], ["--cells", "1,,2"], ["--cells", "-1"],
                          ["--cells", "1", "--plan", "p.json"], ["--frame", "last"], ["--skin"]):
            self.fails(USAGE, arguments[0], "contacts", "p.csv", "--out", "c.csv", *arguments)

    def test_options_that_do_not_fit(self):
        for message, arguments in (("the file states none", ["--periodic", "xyz"]),
                                   ("5 numbers", ["--periodic", "x", "--box", "0,0,0,1,1"]),
                                   ("4 numbers", ["--periodic", "x", "--box", "0,0,1,1"]),
                                   ("no period", ["--periodic", "x", "--box", "1,0,0,1,1,1"]),
                                   ("no z axis", ["--dim", 2, "--periodic", "z", "--box", "0,0,0,1,1,1"]),
                                   ("invalid_levels", ["--cells", "2,1"]), ("invalid_levels", ["--cells", "0"]),
                                   ("radii of its own", ["--radius", 1]), ("no frames", ["--frame", 1])):
            self.fails(USAGE, message, "contacts", "p.csv", "--out", "c.csv", *arguments)

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

    def test_radii_missing(self):
        self.write("xyz.csv", "x,y,z,mass\n0,0,0,1\n")
        self.fails(USAGE, "x, y, z, mass", "contacts", "xyz.csv", "--out", "c.csv")

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
        for content in ("", "{", "[]", '{"levels": 1}', '{"levels": [{"radius_max": 1}]}', b"\0" * 100, "x" * 2000000,
                        '{"levels": [{"radius_max": 1, "cell_size": [1]}]}',
                        '{"levels": [{"radius_max": 1, "cell_size": [1, 1, 1]}], "direction": "up"}'):
            self.write("plan.json", content)
            self.fails(DATA, "plan.json", "contacts", "p.csv", "--plan", "plan.json", "--out", "c.csv")
        self.write("plan.json", '{"levels": [{"radius_max": 1, "cell_size": [0, 1, 1]}]}')
        self.fails(USAGE, "invalid_levels", "contacts", "p.csv", "--plan", "plan.json")

    def test_files(self):
        self.fails(IO, "missing.csv", "contacts", "missing.csv", "--out", "c.csv")
        self.fails(IO, "directory", "contacts", ".")
        self.fails(IO, "no/c.csv", "contacts", "p.csv", "--out", "no/c.csv")
        self.fails(IO, "no/g.csv", "generate", *PACKING, "--out", "no/g.csv")
        self.fails(USAGE, "cannot tell the format", "contacts", "p.csv", "--out", "c.txt")
        self.fails(USAGE, "cannot tell the format", "generate", *PACKING, "--out", "g.vtp")

    def test_existing_outputs(self):
        self.write("c.csv", "precious")
        self.fails(USAGE, "exists", "contacts", "p.csv", "--out", "c.csv")
        self.fails(USAGE, "exists", "generate", *PACKING, "--out", "c.csv")
        self.fails(USAGE, "is the input", "contacts", "p.csv", "--out", "./p.csv", "--overwrite")
        self.assertEqual(self.read("c.csv"), b"precious")
        self.run_tool("contacts", "p.csv", "--out", "c.csv", "--overwrite")
        self.assertTrue(self.read("c.csv").startswith(b"i,j,"))

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_full_disk(self):
        self.fails(IO, "/dev/full", "contacts", "p.csv", "--out", "/dev/full")
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run(self.command("contacts", "p.csv", "--out", "c.csv"), cwd=self.folder, stdout=full,
                                  stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, IO)
        self.assertFalse(os.path.exists(self.path("c.csv")))

    def test_closed_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(self.command("generate", *PACKING, "--out", "-"), stdout=writer, stderr=subprocess.PIPE,
                              check=False)
        os.close(writer)
        self.assertEqual(done.returncode, IO)

    def test_cuda(self):
        if "device " in self.run_tool("info").stdout:
            self.skipTest("there is a CUDA device")
        self.fails(RESOURCE, "no CUDA device", "contacts", "p.csv", "--backend", "cuda", "--out", "c.csv")

    def test_signals(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            before = sorted(os.listdir(self.folder))
            job = subprocess.Popen(self.command("generate", "--n", 300000, "--mono", "--packing", 0.63, "--relaxed", "--out",
                                                "g.csv"), cwd=self.folder, stdout=subprocess.DEVNULL)
            while sorted(os.listdir(self.folder)) == before and job.poll() is None:
                time.sleep(0.01)  # until the temporary is there
            time.sleep(0.3)
            job.send_signal(number)
            self.assertEqual(job.wait(), code)
            self.assertEqual(sorted(os.listdir(self.folder)), before)


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
