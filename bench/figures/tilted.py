#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of docs/guide.md: a tilted box in 2-D, its brick and its images.
tilted.py HGRID OUT.png     (HGRID: the tool; needs python3-matplotlib)"""
import csv
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.collections import EllipseCollection

TILT = 0.35  # in periods


def main(tool, out):
    with tempfile.TemporaryDirectory() as folder:
        packing, contacts = folder + "/packing.csv", folder + "/contacts.csv"
        subprocess.run([tool, "generate", "--n", "60", "--size-ratio", "4", "--exponent", "-2", "--packing", "0.55", "--dim", "2",
                        "--seed", "3", "--relaxed", "--periodic", "xy", "--out", packing], check=True, stdout=subprocess.DEVNULL)
        with open(packing, encoding="utf-8") as file:
            side = float(file.readline().split()[-1])
            rows = [tuple(map(float, row)) for row in list(csv.reader(file))[1:]]
        subprocess.run([tool, "contacts", packing, "--dim", "2", "--periodic", "xy", "--tilt", str(TILT * side), "--out", contacts],
                       check=True, stdout=subprocess.DEVNULL)
        with open(contacts, encoding="utf-8") as file:
            pairs = [tuple(map(int, row[:4])) for row in list(csv.reader(file))[1:]]

    figure, axis = plt.subplots(figsize=(9, 6.2))
    for my in (-1, 0, 1):
        for mx in (-1, 0, 1):
            by = (mx * side + my * TILT * side, my * side)
            home = mx == my == 0
            axis.add_collection(EllipseCollection([2 * r for *_, r in rows], [2 * r for *_, r in rows], [0] * len(rows), units="xy",
                                                  offsets=[(x + by[0], y + by[1]) for x, y, _ in rows],
                                                  transOffset=axis.transData, facecolors="#4477aa" if home else "#bbccdd",
                                                  edgecolors="white", linewidths=0.4))
            axis.add_patch(plt.Rectangle(by, side, side, fill=False, edgecolor="black", linewidth=2 if home else 0.6,
                                         zorder=3 if home else 2))
    for number, (i, j, mx, my) in enumerate(pair for pair in pairs if pair[2:] != (0, 0)):
        (x, y, _), (u, v, _) = rows[i], rows[j]
        end = (u + mx * side + my * TILT * side, v + my * side)
        axis.plot((x, end[0]), (y, end[1]), color="#ee6677", linewidth=1.6, label=None if number else "contacts with an image")
    a, b = (side, 0), (TILT * side, side)
    axis.plot((0, a[0], a[0] + b[0], b[0], 0), (0, 0, b[1], b[1], 0), "--", color="#228833", label="the cell of a and b")
    axis.plot([], [], color="black", linewidth=2, label="the brick that is searched")
    axis.set(xlim=(-0.75 * side, 1.75 * side), ylim=(-0.5 * side, 1.5 * side), aspect="equal", xlabel="x / r_min", ylabel="y / r_min",
             title=f"{len(rows)} discs in a box with tilt xy = {TILT} L_x")
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncol=3, frameon=False)
    figure.tight_layout()
    figure.savefig(out, dpi=110, bbox_inches="tight")


main(*sys.argv[1:])
