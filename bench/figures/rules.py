#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of docs/guide.md: the contacts of one set of particles under each rule.
rules.py HGRID OUT.png     (HGRID: the tool; needs python3-matplotlib)"""
import csv
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.collections import EllipseCollection

PANELS = (("sum", "sum: within r_i + r_j"), ("max", "max: within the larger radius"), ("gather", "gather: i has j within r_i"))


def main(tool, out):
    with tempfile.TemporaryDirectory() as folder:
        packing, supports = folder + "/packing.csv", folder + "/supports.csv"
        subprocess.run([tool, "generate", "--n", "14", "--size-ratio", "2", "--exponent", "-2", "--packing", "0.5", "--dim", "2",
                        "--seed", "5", "--relaxed", "--periodic", "xy", "--out", packing], check=True, stdout=subprocess.DEVNULL)
        with open(packing, encoding="utf-8") as file:
            rows = [tuple(map(float, row)) for row in csv.reader(line for line in file if line[0] not in "#x")]
        rows = [(x, y, 2.2 * r) for x, y, r in rows]  # supports overlap
        with open(supports, "w", encoding="utf-8") as file:
            file.write("x,y,r\n" + "".join(f"{x},{y},{r}\n" for x, y, r in rows))
        figure, axes = plt.subplots(1, len(PANELS), figsize=(12, 4.4), sharey=True)
        for axis, (rule, title) in zip(axes, PANELS):
            found = f"{folder}/{rule}.csv"
            subprocess.run([tool, "contacts", supports, "--dim", "2", "--rule", rule, "--out", found], check=True,
                           stdout=subprocess.DEVNULL)
            with open(found, encoding="utf-8") as file:
                pairs = [tuple(map(int, row[:2])) for row in list(csv.reader(file))[1:]]
            widths = [2 * r for *_, r in rows]
            axis.add_collection(EllipseCollection(widths, widths, [0] * len(rows), units="xy", offsets=[row[:2] for row in rows],
                                                  transOffset=axis.transData, facecolors="#4477aa18", edgecolors="#4477aa",
                                                  linewidths=0.8))
            axis.plot(*zip(*(row[:2] for row in rows)), "o", color="black", markersize=3)
            for i, j in pairs:
                (x, y, _), (u, v, _) = rows[i], rows[j]
                style = "-|>" if rule == "gather" else "-"
                axis.annotate("", (u, v), (x, y), arrowprops={"arrowstyle": style, "color": "#ee6677", "linewidth": 1.2,
                                                              "shrinkA": 1, "shrinkB": 2})
            axis.set(aspect="equal", xlabel="x / r_min", title=f"{title}\n{len(pairs)} {'entries' if rule == 'gather' else 'pairs'}")
            axis.autoscale_view()
        for axis in axes:
            axis.set(xlim=(-3, 15), ylim=(-3.5, 17))
        axes[0].set_ylabel("y / r_min")
        figure.tight_layout()
        figure.savefig(out, dpi=100, bbox_inches="tight")


main(*sys.argv[1:])
