#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid plan: the papers' numbers, where sizes come from, and plans that hgrid contacts reads."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import ToolCase, needs_shared_data, shared_data  # noqa: E402

METHODS = ("optimal", "constant", "exponential", "linear", "single", "calibrated")
POWER = ("--size-ratio", 100, "--exponent", -3, "--packing", 0.7)


class Plan(ToolCase):
    def plan(self, *arguments, **options):
        return json.loads(self.run_tool("plan", *arguments, "--json", **options).stdout)

    def generate(self, *arguments):
        self.run_tool("generate", "--out", "p.csv", "--overwrite", *arguments)

    def assert_consistent(self, plan):
        radii = [level["radius_max"] for level in plan["levels"]]
        self.assertEqual(plan["level_count"], len(radii))
        self.assertEqual(len(plan["occupancy"]), len(radii))
        self.assertEqual(radii, sorted(set(radii)))
        self.assertAlmostEqual(sum(level["share"] for level in plan["levels"]), 1, delta=1e-6)
        self.assertAlmostEqual(plan["speedup"], plan["single_level_work"] / plan["work"], delta=1e-6 * plan["speedup"])
        if plan["work_tests"] is not None:
            self.assertAlmostEqual(plan["work"], plan["work_tests"] + 0.2 * plan["work_cells"], delta=1e-9 * plan["work"])

    def test_printed_numbers(self):
        expected = {"linear": (43, 12.40), "constant": (12, 11.60), "exponential": (4, 12.129)}
        for method, (levels, work) in expected.items():
            plan = self.plan(*POWER, "--method", method)
            self.assertEqual(plan["level_count"], levels, method)
            self.assertAlmostEqual(plan["work"], work, delta=0.005, msg=method)
            self.assertEqual(plan["direction"], "top-down")
            self.assert_consistent(plan)
        self.assertAlmostEqual(self.plan(*POWER)["work"], 11.58, delta=0.01)
        self.assertEqual(self.plan(*POWER, "--short")["level_count"], 6)
        self.assertAlmostEqual(self.plan(*POWER, "--direction", "bottom-up", "--levels", 9)["work"], 39.247, delta=1e-3)
        self.assertEqual(self.plan(*POWER, "--method", "constant", "--q", 2)["level_count"], 5)

    def test_two_dimensions(self):
        plan = self.plan("--size-ratio", 20, "--exponent", -3, "--packing", 0.4, "--dim", 2)
        for level, size in zip(plan["levels"], (4.0, 7.9, 15.1, 27.2, 40.0)):
            self.assertAlmostEqual(level["cell_size"][0], size, delta=0.05)
        self.assertEqual(plan["level_count"], 5)
        self.assertAlmostEqual(plan["work"], 4.4032, delta=5e-5)
        self.assertAlmostEqual(plan["speedup"], 34.9, delta=0.05)

    def test_every_distribution_and_method(self):
        self.write("psd.csv", "radius,cumulative_number_fraction\r\n1,0\r\n2,0.5\r\n\r\n# flat\r\n3,0.5\r\n7,1\r\n")
        self.write("diameters.txt", "diameter share\n2 0\n4 0.5\n6 0.5\n14 1\n")
        for dim in (2, 3):
            for sizes in (["--mono"], ["--bidisperse", 10], ["--lognormal", 20], ["--psd", "psd.csv"]):
                for method in METHODS:
                    plan = self.plan(*sizes, "--dim", dim, "--method", method)
                    self.assert_consistent(plan)
                    if method != "linear":  # which would have more levels than grids can
                        self.assertEqual(plan["warnings"], [], (sizes, method))
        self.assertEqual(self.plan("--psd", "psd.csv"), self.plan("--psd", "diameters.txt"))
        self.assertEqual(self.plan("--mono")["level_count"], 1)
        self.assertLess(self.plan("--size-ratio", 1e9, "--exponent", -3)["work"], 8)
        for method in METHODS:  # each within a second
            self.assert_consistent(self.plan("--size-ratio", 1e9, "--exponent", -3, "--method", method))

    def test_calibrated_levels_of_wide_distributions_are_for_those_who_come(self):
        for sizes in (("--size-ratio", 1e9, "--exponent", -3), ("--size-ratio", 1e4, "--exponent", -3), ("--bidisperse", 1e9)):
            plan = self.plan(*sizes, "--method", "calibrated")
            self.assertLess(plan["work"], 100)  # ns: not far from one size
            self.assertIn("largest", plan["warnings"][0])
        self.assertEqual(self.plan("--size-ratio", 100, "--exponent", -3, "--method", "calibrated")["warnings"], [])

    def test_costs_come_from_the_environment(self):
        arguments = ("plan", "--size-ratio", 100, "--exponent", -3, "--method", "calibrated", "--json")
        self.write("costs", "# a machine with dear levels\nserial 5000 6 0.5 1.5 60 100\n")
        few, usual, empty = (json.loads(self.run_tool(*arguments, environment={"HGRID_CALIBRATION": value}).stdout)
                             for value in ("costs", "/dev/null", ""))
        self.assertLess(few["level_count"], usual["level_count"])
        self.assertEqual(usual, empty)
        self.write("bad", "serial 1 2\n")
        for code, value in ((3, "bad"), (4, "nothing"), (4, "."), (3, "/dev/zero")):
            self.run_tool(*arguments, environment={"HGRID_CALIBRATION": value}, code=code)

    def test_costs_beyond_all_numbers_give_a_warning(self):
        self.write("usual", "serial 30 3 0.6 3 30 100\n")
        self.write("huge", "serial 1e308 1e308 1e308 1e308 1e308 1e308\n")
        self.generate("--n", 5000, "--size-ratio", 10, "--exponent", -3, "--packing", 0.5)
        for sizes in (("p.csv",), ("--size-ratio", 10, "--exponent", -3)):
            usual, huge = (json.loads(self.run_tool("plan", *sizes, "--method", "calibrated", "--json",
                                                    environment={"HGRID_CALIBRATION": costs}).stdout)
                           for costs in ("usual", "huge"))
            self.assertEqual(usual["warnings"], [])
            self.assertEqual(len(huge["warnings"]), 1)
            self.assertIn("not finite", huge["warnings"][0])
            self.assertEqual(huge["level_count"], 4)
            for level in huge["levels"]:
                self.assertAlmostEqual(level["share"], 0.25, delta=0.15)
        text = self.run_tool("plan", "p.csv", "--method", "calibrated", environment={"HGRID_CALIBRATION": "huge"}).stdout
        self.assertIn("warning    the costs are not finite", text)
        expected = self.run_tool("contacts", "p.csv", "--out", "-").stdout
        self.assertGreater(len(expected.splitlines()), 1000)
        found = self.run_tool("contacts", "p.csv", "--out", "-", environment={"HGRID_CALIBRATION": "huge"}).stdout
        self.assertEqual(found, expected)

    def test_calibrate(self):
        self.run_tool("calibrate", "--n", 2000, "--threads", 1, "--out", "costs")
        lines = [line for line in self.read("costs").decode().splitlines() if not line.startswith("#")]
        self.assertEqual([line.split()[0] for line in lines], ["serial", "openmp"])
        self.run_tool("plan", "--mono", "--method", "calibrated", environment={"HGRID_CALIBRATION": "costs"})
        self.fails(2, "exists", "calibrate", "--n", 2000, "--out", "costs")

    def test_plans_give_the_same_contacts(self):
        for dim in (2, 3):
            self.generate("--n", 4000, "--size-ratio", 10, "--exponent", -3, "--packing", 0.5, "--dim", dim)
            expected = self.run_tool("contacts", "p.csv", "--out", "-").stdout
            self.assertGreater(len(expected.splitlines()), 1000)
            for method in METHODS:
                plan = self.plan("p.csv", "--method", method)
                self.assertEqual(plan["dimension"], dim)
                self.assertAlmostEqual(plan["packing"], 0.5, delta=1e-9)  # from the file's box
                self.assert_consistent(plan)
                self.write("plan.json", json.dumps(plan))
                self.assertEqual(self.run_tool("contacts", "p.csv", "--plan", "plan.json", "--out", "-").stdout, expected)
                report = self.report("p.csv", "--plan", "plan.json")
                self.assertEqual((report["level_count"], report["direction"]), (plan["level_count"], plan["direction"]))

    def test_rules(self):
        self.generate("--n", 50000, "--size-ratio", 8, "--exponent", -3, "--packing", 0.5)
        usual = self.plan("p.csv", "--method", "calibrated", "--measure")
        self.assertEqual(usual["rule"], "sum")
        for rule in ("max", "gather"):  # their searches are half as wide for equal radii
            plan = self.plan("p.csv", "--method", "calibrated", "--rule", rule, "--measure")
            self.assert_consistent(plan)
            self.assertEqual(plan["rule"], rule)
            self.assertLess(plan["steps"]["candidates"], 0.7 * usual["steps"]["candidates"])
            for what in ("rows", "candidates"):
                measured = plan["measured"][what]
                self.assertAlmostEqual(measured["counted"] / measured["predicted"], 1, delta=0.15, msg=(rule, what))
            self.write("plan.json", json.dumps(plan))
            found, expected = (self.run_tool("contacts", "p.csv", "--rule", rule, *more, "--out", "-").stdout
                               for more in (("--plan", "plan.json"), ()))
            self.assertEqual(found, expected)
        self.assertIn("p.csv --plan plan.json --rule max",
                      self.run_tool("plan", "p.csv", "--method", "calibrated", "--rule", "max").stdout)

    def test_files_that_leave_something_open(self):
        self.write("open.csv", "x,y,z,r\n0,0,0,1\n3,4,5,2\n")
        self.assertIn("no box", " ".join(self.plan("open.csv")["warnings"]))
        self.assertEqual(self.plan("open.csv", "--packing", 0.3)["warnings"], [])
        self.write("points.csv", "x,y,z,r\n0,0,0,0\n3,4,5,0\n")
        self.write("one.csv", "x,y,z,r\n0,0,0,2\n")
        for method in METHODS:
            self.assertEqual(self.plan("points.csv", "--method", method)["level_count"], 1)
            self.assertEqual(self.plan("one.csv", "--method", method)["level_count"], 1)
        self.assertTrue(self.plan("points.csv")["warnings"])

    def test_predictions_are_put_to_the_test(self):
        for dim, packing in ((2, 0.4), (3, 0.6)):
            self.generate("--n", 50000, "--size-ratio", 8, "--exponent", -3, "--packing", packing, "--dim", dim)
            axes = "xyz"[:dim]
            pairs = self.report("p.csv", "--periodic", axes)["pairs"]
            for method in ("optimal", "exponential", "single"):
                for direction in ("top-down", "bottom-up"):
                    measured = self.plan("p.csv", "--method", method, "--direction", direction, "--periodic", axes,
                                         "--measure")["measured"]
                    for what in ("tests", "cells", "work"):
                        predicted, counted = (measured[what][word] for word in ("predicted", "counted"))
                        self.assertAlmostEqual(counted / predicted, 1, delta=0.02, msg=(what, method, direction))
                    self.assertAlmostEqual(measured["contacts"] * 50000, pairs, delta=1e-3)
            measured = self.plan("p.csv", "--method", "calibrated", "--periodic", axes, "--measure")["measured"]
            for what, within in (("rows", 0.15), ("candidates", 0.15)):
                self.assertAlmostEqual(measured[what]["counted"] / measured[what]["predicted"], 1, delta=within, msg=what)
        self.assertIn("counted", self.run_tool("plan", "p.csv", "--measure", "--short").stdout)

    @needs_shared_data
    def test_measured_powder(self):
        plan = self.plan("--psd", shared_data("powder-psd.csv"), "--packing", 0.55)
        self.assert_consistent(plan)
        self.assertAlmostEqual(plan["levels"][-1]["radius_max"], 0.00297201)
        self.assertGreater(plan["speedup"], 11)

    def test_text(self):
        text = self.run_tool("plan", *POWER).stdout
        for word in ("radii ", "levels     9, top-down", "work       11.5736 pair tests", "next "):
            self.assertIn(word, text)
        self.assertIn("ns per particle", self.run_tool("plan", "--mono", "--method", "calibrated").stdout)

    def test_refusals(self):
        self.write("bad.csv", "1,0\n2,0.5\n")
        self.write("falls.csv", "1,0\n2,0.5\n3,0.4\n4,1\n")
        self.write("words.csv", "radius,fraction\n1,0\n2,half\n")
        self.write("two.csv", "x,y,z,r\n0,0,0,1\n1,1,1,1\n")
        self.write("bare.csv", "x,y,z\n0,0,0\n")
        self.write("negative.csv", "x,y,z,r\n0,0,0,-1\n")
        for code, message, arguments in (
                (2, "required", ()), (2, "required", ("--mono", "--bidisperse", 2)), (2, "exponent", ("--size-ratio", 10)),
                (2, "packing", ("--mono", "--packing", 0)), (2, "--packing", ("--mono", "--packing", "nan")),
                (2, "1e15", ("--bidisperse", 1e16)), (2, "below 1", ("--lognormal", 0.5)),
                (2, "--method constant", ("--mono", "--q", 2)), (2, "q must", ("--mono", "--method", "constant", "--q", 0)),
                (2, "--levels", ("--mono", "--levels", 0)), (2, "one level", ("--mono", "--method", "single", "--levels", 3)),
                (2, "--rule is for", ("--mono", "--rule", "max")),
                (2, "FILE", ("--mono", "--measure")), (2, "--measure", ("negative.csv", "--periodic", "x")),
                (2, "no box", ("two.csv", "--measure", "--periodic", "x")),
                (2, "calibrated", ("--mono", "--method", "calibrated", "--k", 1)), (4, "nothing", ("nothing.csv",)),
                (3, "last fraction", ("--psd", "bad.csv")), (3, "point 2", ("--psd", "falls.csv")),
                (3, "line 3", ("--psd", "words.csv")), (3, "radii", ("bare.csv",)), (3, "negative", ("negative.csv",))):
            self.fails(code, message, "plan", *arguments)


if __name__ == "__main__":
    unittest.main()
