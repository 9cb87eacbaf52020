#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid-plot and hgrid plot: refusals, and, if there is matplotlib, drawings."""
import importlib.util
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase  # noqa: E402

PLOT = os.path.join(os.path.dirname(os.environ["HGRID_TOOL"]), "hgrid-plot")
os.environ["HGRID_PLOT_PYTHON"] = sys.executable  # one Python is asked here and runs the script there
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
        environment = dict(os.environ, HGRID_PLOT_PYTHON=self.path("no-python"))
        command = [os.environ["HGRID_TOOL"], "contacts", "run.dump", "--frames", "all", "--summary", "new.csv", "--plot", "new.png"]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--plot needs hgrid-plot", done.stderr)
        self.assertIn("no-python; HGRID_PLOT_PYTHON names another one", done.stderr)
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


class Packing(ToolCase):
    """Three balls in a row, each of which touches the next, and a small one far away."""

    def setUp(self):
        super().setUp()
        self.write("row.csv", "x,y,z,r\n0,0,0,1\n1.9,0,0.2,1\n3.8,0,0,1\n9,0,0,0.01\n")
        self.write("flat.csv", "x,y,r\n0,0,1\n1.9,0,1\n3.8,0,1\n")
        self.write("boxes.csv", "x,y,z,hx,hy,hz\n0,0,0,1,2,1\n1.9,0,0.2,1,1,1\n9,0,0,0,1,0.1\n")

    def picture(self, *arguments):
        self.run_tool("plot", *arguments, "--out", "out.svg", "--overwrite")
        svg = self.read("out.svg").decode()
        return [text for text in re.findall("<!-- (.*?) -->", svg) if "particles" in text or "contacts" in text or "radii" in text]

    def test_refusals(self):
        self.fails(2, "a FILE or --demo is needed", "plot", "--out", "a.png")
        self.fails(2, "--out is required", "plot", "row.csv")
        self.fails(2, "plot draws one frame", "plot", "row.csv", "--frames", "all", "--out", "a.png")

    def hgrid_plot(self, *arguments):
        done = subprocess.run([sys.executable, PLOT, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    @unittest.skipUnless(HAS_MATPLOTLIB, "no matplotlib")
    def test_what_is_no_packing(self):
        self.run_tool("contacts", "row.csv", "--out", "row.vtp")
        for name, content in (("empty.vtp", b""), ("cut.vtp", self.read("row.vtp")[:-300]), ("other.vtp", b"<VTKFile/>")):
            self.write(name, content)
            self.assertIn("is no whole .vtp", self.hgrid_plot(name, "a.png"))
        self.assertIn("cannot be read", self.hgrid_plot("none.vtp", "a.png"))
        self.assertIn("takes x, y or z", self.hgrid_plot("row.vtp", "a.png", "--slice", "w"))
        self.assertIn("'far' is no number", self.hgrid_plot("row.vtp", "a.png", "--slice", "z=far"))

    @unittest.skipUnless(HAS_MATPLOTLIB, "no matplotlib")
    def test_a_name_that_begins_with_a_dash(self):
        self.run_tool("plot", "row.csv", "--slice", "z", "--out=-row.svg")
        self.assertIn(b"<svg", self.read("-row.svg"))

    @unittest.skipUnless(HAS_MATPLOTLIB, "no matplotlib")
    def test_pictures(self):
        seen = self.picture("row.csv")
        self.assertEqual(seen[:2], ["4 particles", "2 contacts, as thick as they overlap"])
        self.assertEqual(sum(int(text.rsplit(" ", 1)[1]) for text in seen[2:]), 4)  # over the levels
        self.assertEqual(self.picture("row.csv", "--slice", "x=50")[:2], ["0 particles where x = 50", "0 contacts, as thick as they overlap"])
        self.assertEqual(self.picture("row.csv", "--slice", "z=0.5")[:2], ["3 particles where z = 0.5", "2 contacts, as thick as they overlap"])
        self.assertEqual(self.picture("flat.csv")[:2], ["3 particles", "2 contacts, as thick as they overlap"])
        self.assertEqual(self.picture("boxes.csv"), ["3 particles", "1 contacts, as thick as they overlap"])
        self.assertEqual(self.picture("boxes.csv", "--slice", "z=0.5"), ["2 particles where z = 0.5", "1 contacts, as thick as they overlap"])
        self.run_tool("contacts", "boxes.csv", "--out", "boxes.vtp")
        self.assertIn("--levels are of radii", self.hgrid_plot("boxes.vtp", "b.png", "--levels", "1"))
        self.fails(2, "out.svg: exists", "plot", "row.csv", "--out", "out.svg")
        self.fails(4, "a.none: the picture cannot be drawn", "plot", "row.csv", "--out", "a.none")


if __name__ == "__main__":
    unittest.main()
