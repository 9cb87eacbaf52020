#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid-plot: what it refuses, and, where there is matplotlib, what it draws."""
import importlib.util
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase  # noqa: E402

PLOT = os.path.join(os.path.dirname(os.environ["HGRID_TOOL"]), "hgrid-plot")
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


class Plot(ToolCase):
    def setUp(self):
        super().setUp()
        frames = ""
        for frame in range(4):
            frames += f"ITEM: TIMESTEP\n{10 * frame}\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 9\n0 9\n0 9\n"
            frames += f"ITEM: ATOMS id x y z radius\n1 0 0 0 1\n2 {2.05 - 0.02 * frame} 0 0 1\n"
        self.write("run.dump", frames)
        self.run_tool("contacts", "run.dump", "--frames", "all", "--summary", "series.csv")

    def plot(self, *arguments):
        return subprocess.run([sys.executable, PLOT, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)

    def refuses(self, message, *arguments):
        done = self.plot(*arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(message, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertFalse(os.path.exists(self.path(arguments[1])))

    def test_what_is_no_series(self):
        self.write("empty.csv", "")
        self.write("other.csv", "a,b\n1,2\n")
        self.write("bytes.csv", b"\xff\xfe\x00")
        self.write("broken.csv", self.read("series.csv").decode().replace(",20,", ",twenty,"))
        for name in ("empty.csv", "other.csv"):
            self.refuses("is no summary with frames", name, "out.png")
        self.refuses("cannot be read", "none.csv", "out.png")
        self.refuses("cannot be read", "bytes.csv", "out.png")
        self.refuses("line 4: step is 'twenty'", "broken.csv", "out.png")

    @unittest.skipIf(HAS_MATPLOTLIB, "matplotlib is there")
    def test_without_matplotlib(self):
        self.refuses("pip install matplotlib", "series.csv", "out.png")

    def test_without_a_python_that_draws(self):
        """--plot says so before the work, and nothing is written."""
        environment = dict(os.environ, PATH=self.folder)  # without python3, or with the one below
        command = [os.environ["HGRID_TOOL"], "contacts", "run.dump", "--frames", "all", "--summary", "new.csv", "--plot", "new.png"]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--plot needs hgrid-plot", done.stderr)
        self.assertFalse(os.path.exists(self.path("new.csv")))

    def test_plot_options(self):
        run = ("contacts", "run.dump", "--frames", "all", "--plot", "series.png")
        self.fails(2, "--summary", *run)
        self.write("series.png", "mine")
        self.fails(2, "series.png: exists; --overwrite replaces it", *run, "--summary", "new.csv")
        self.assertEqual(self.read("series.png"), b"mine")

    @unittest.skipUnless(HAS_MATPLOTLIB, "no matplotlib")
    def test_plot_draws_the_summary(self):
        self.run_tool("contacts", "run.dump", "--frames", "all", "--summary", "new.csv", "--plot", "new.svg")
        self.assertIn("coordination number Z", self.read("new.svg").decode())
        self.assertEqual(self.read("new.csv"), self.read("series.csv"))
        done = self.run_tool("contacts", "run.dump", "--frames", "all", "--summary", "other.csv", "--plot", "a.none", code=4)
        self.assertIn("a.none: the picture cannot be drawn; all other outputs are there", done.stderr)
        self.assertTrue(os.path.exists(self.path("other.csv")))

    @unittest.skipUnless(HAS_MATPLOTLIB, "no matplotlib")
    def test_a_picture(self):
        done = self.plot("series.csv", "out.svg", "--time-unit", "ms")
        self.assertEqual(done.returncode, 0, done.stderr)
        svg = self.read("out.svg").decode()
        for label in ("coordination number Z", "step of the simulation", "(% of the smaller diameter)", "rattlers"):
            self.assertIn(label, svg)
        self.assertNotIn("contacts with walls", svg)
        self.refuses("cannot be written", "series.csv", "folder/out.png")
        self.refuses("cannot be written", "series.csv", "out.none")


if __name__ == "__main__":
    unittest.main()
