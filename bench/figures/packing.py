#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of the README: a 2-D packing, its contacts, and the cells of its levels.
packing.py HGRID OUT.png     (HGRID: the tool; needs python3-matplotlib)"""
import csv
import json
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.collections import EllipseCollection, LineCollection

CELLS = (2.5, 6, 14, 40)  # square cells that a reader can see; the library would choose fewer, flat ones
COLOURS = ("#4477aa", "#66ccee", "#ccbb44", "#ee6677")


def main(tool, out):
    with tempfile.TemporaryDirectory() as folder:
        packing, contacts = folder + "/packing.csv", folder + "/contacts.csv"
        subprocess.run([tool, "generate", "--n", "700", "--size-ratio", "20", "--exponent", "-2.2", "--packing", "0.72",
                        "--dim", "2", "--seed", "5", "--relaxed", "--out", packing], check=True, stdout=subprocess.DEVNULL)
        report = json.loads(subprocess.run(
            [tool, "contacts", packing, "--dim", "2", "--cells", ",".join(map(str, CELLS)), "--out", contacts, "--json"],
            check=True, capture_output=True, text=True).stdout)
        with open(packing, encoding="utf-8") as file:
            box = [float(word) for word in file.readline().split()[2:]]
            rows = [tuple(map(float, row)) for row in list(csv.reader(file))[1:]]
        with open(contacts, encoding="utf-8") as file:
            pairs = [(int(row[0]), int(row[1])) for row in list(csv.reader(file))[1:]]

    figure, axes = plt.subplots(1, 2, figsize=(11, 5.6), sharex=True, sharey=True)
    side = box[2]
    colours = [COLOURS[next(h for h, s in enumerate(CELLS) if 2 * r <= s)] for _, _, r in rows]
    for number, axis in enumerate(axes):
        axis.add_collection(EllipseCollection([2 * r for *_, r in rows], [2 * r for *_, r in rows], [0] * len(rows),
                                              units="xy", offsets=[row[:2] for row in rows], transOffset=axis.transData,
                                              facecolors=colours, edgecolors="white", linewidths=0.4,
                                              alpha=1 if number == 0 else 0.45))
        axis.set(xlim=(0, side), ylim=(0, side), aspect="equal", xlabel="x / r_min")
    for size, colour in list(zip(CELLS, COLOURS))[1:]:  # the finest lattice would hide the picture
        for k in range(int(side / size) + 1):
            for line in (axes[0].axvline, axes[0].axhline):
                line(k * size, color=colour, linewidth=0.25 + size / 40, alpha=0.5, zorder=3)
    for level, size, colour in zip(report["levels"], CELLS, COLOURS):
        axes[0].plot([], [], "s", color=colour, label=f"cells of {size:g}: {level['particles']} particles")
    axes[0].legend(loc="upper center", bbox_to_anchor=(0.5, -0.11), ncol=2, fontsize=8, frameon=False)
    axes[1].add_collection(LineCollection([[rows[i][:2], rows[j][:2]] for i, j in pairs], colors="black", linewidths=1.1))
    axes[0].set(ylabel="y / r_min", title=f"{len(rows)} particles on {report['level_count']} levels")
    axes[1].set(title=f"their {len(pairs)} contacts")
    figure.tight_layout()
    figure.savefig(out, dpi=110, bbox_inches="tight")


main(*sys.argv[1:])
