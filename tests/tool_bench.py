#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hgrid bench: the contents of its rows, and that every code finds equal pairs."""
import json
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from tool import SOURCE, ToolCase  # noqa: E402


class Bench(ToolCase):
    def bench(self, *arguments):
        return json.loads(self.run_tool("bench", *arguments, "--json").stdout)

    def test_rows(self):
        report = self.bench("--workloads", "mono,ln100", "--n", 2000, "--repeat", 3, "--threads", 2)
        self.assertEqual([(row["workload"], row["code"]) for row in report["rows"]], [("mono", "hgrid"), ("ln100", "hgrid")])
        for row in report["rows"]:
            times = row["ns_per_particle"]
            self.assertTrue(0 < times["min"] <= times["median"] <= times["max"])
            self.assertEqual(set(row["stages"]), {"build", "list"})
            self.assertEqual((row["n"], row["threads"], row["ratio"]), (2000, 2, 1))
            self.assertGreater(row["bytes"], 0)
        self.assertIn("cores", report["machine"])

    def test_peers_find_the_same_pairs(self):
        for options in (["--n", 3000], ["--n", 1000, "--relaxed", "--workloads", "mono,pl10"]):
            report = self.bench("--repeat", 1, "--peers", *options)
            self.assertEqual(report["differ"], [])
            for name in {row["workload"] for row in report["rows"]}:
                rows = [row for row in report["rows"] if row["workload"] == name]
                self.assertEqual(rows[0]["code"], "hgrid")
                self.assertEqual(len({row["pairs"] for row in rows}), 1)
            self.assertIn("linked-cell", [row["code"] for row in report["rows"]])

    def test_orders_and_text(self):
        pairs = {order: self.bench("--workloads", "pl10", "--n", 1000, "--repeat", 1, "--order", order)["rows"][0]["pairs"]
                 for order in ("fixed", "sorted")}
        self.assertEqual(len(set(pairs.values())), 1)
        self.assertIn("ns per particle", self.run_tool("bench", "--workloads", "mono", "--n", 1000).stdout)

    def test_page(self):
        report = self.bench("--workloads", "mono,two-sizes", "--n", 2000, "--repeat", 1, "--threads", 2, "--peers", "--report", "page.html")
        page = self.read("page.html").decode()
        rows = [re.sub("<.*?>", "", row.replace("</td>", "|")).split("|") for row in re.findall("<tr>(<td>.*?)</tr>", page)]
        self.assertEqual([row[:3] for row in rows], [[row["workload"], row["code"], str(row["threads"])] for row in report["rows"]])
        with open(os.path.join(SOURCE, "bench/results/performance-2026-11-28.json"), encoding="utf-8") as file:
            kept = {(row["workload"], row["code"], row["run"]): f"{row['ns']:.1f}"
                    for row in json.load(file)["rows"] if (row["part"], row["case"]) == ("peers", "random")}
        self.assertEqual([row[6] for row in rows], [kept.get(tuple(row[:3]), "") for row in rows])
        self.assertGreater(len({row[6] for row in rows}), 2)
        self.assertIn(report["machine"], page)
        self.assertNotRegex(page, "(src|href)=")  # nothing lies beside it
        self.fails(2, "page.html: exists", "bench", "--workloads", "mono", "--report", "page.html")
        self.fails(4, "none/page.html", "bench", "--workloads", "mono", "--report", "none/page.html")

    def test_usage(self):
        self.fails(2, "no workload pl11", "bench", "--workloads", "mono,pl11")
        self.fails(2, "--repeat", "bench", "--repeat", 0)


if __name__ == "__main__":
    unittest.main()
