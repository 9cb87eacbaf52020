#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The planner's regret on drawn systems, as bench/regret measured it: prints median, 95 %, worst, and draws the distribution.
regret.py PICTURE --machine TEXT RESULTS.jsonl [RESULTS.jsonl ...]     (lines of one number of particles are one curve)"""
import argparse
import json
from collections import defaultdict

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")


def read(paths):
    """The systems that have a regret, drawn and named ones apart, by number of particles; and how many have none."""
    drawn, named, without = defaultdict(list), defaultdict(list), []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in map(json.loads, file):
                if "run_of" in row:
                    continue
                if "regret" not in row:
                    without.append(row["system"])
                else:
                    (drawn if row["system"].isdigit() else named)[row["n"]].append(row)
    return drawn, named, without


def share_below(values, share):
    """The least of the values, ascending, that at least this share of them do not exceed."""
    return values[max(0, -int(-share * len(values) // 1) - 1)]


def describe(kind, n, rows):
    values = [row["regret"] for row in rows]
    print(f"{n:,} particles, {len(rows)} {kind} systems: median {share_below(values, 0.5):+.1%}, 95 % of them at most "
          f"{share_below(values, 0.95):+.1%}, worst {values[-1]:+.1%}; {sum(v <= 0.05 for v in values)} within 5 %")
    for row in rows[:-11:-1]:
        print(f"  {row['regret']:+8.1%}  {row['system']:>10}  {row['planner']['ns']:7.1f} : {row['winner']['ns']:.1f} ns  {row['text']}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("picture")
    arguments.add_argument("results", nargs="+")
    arguments.add_argument("--machine", required=True)
    given = arguments.parse_args()
    drawn, named, without = read(given.results)

    figure, axis = plt.subplots(figsize=(7.5, 4.6))
    for (n, rows), colour in zip(sorted(drawn.items()), COLOURS):
        rows.sort(key=lambda row: row["regret"])
        describe("drawn", n, rows)
        shares = [100 * (k + 1) / len(rows) for k in range(len(rows))]
        axis.plot(shares, [100 * row["regret"] for row in rows], "o-", ms=2.5, lw=1, color=colour,
                  label=f"{n:,} particles, {len(rows)} drawn systems")
    for n, rows in sorted(named.items()):
        rows.sort(key=lambda row: row["regret"])
        describe("named", n, rows)
    if without:
        print(f"not measured to the end: {', '.join(without)}")
    axis.axhline(0, color="0.5", lw=0.8)
    axis.set_yscale("symlog", linthresh=10, linscale=1.5)
    axis.set_yticks([-10, -5, 0, 5, 10, 20, 50, 100, 200, 500, 1000, 2000],
                    ["−10", "−5", "0", "5", "10", "20", "50", "100", "200", "500", "1,000", "2,000"])
    values = [100 * row["regret"] for rows in drawn.values() for row in rows]
    axis.set(xlim=(0, 100), ylim=(min([-6, *values]) - 1, 1.3 * max([10, *values])),
             xlabel="share of the systems with no more (%)", ylabel="regret: planner's time over the best found, less 1 (%)")
    axis.set_title(f"{given.machine}, one thread, build and list of pairs", fontsize=9)
    axis.minorticks_off()
    axis.grid(alpha=0.25)
    axis.legend(fontsize=8, loc="upper left")
    figure.tight_layout()
    figure.savefig(given.picture, dpi=90)


main()
