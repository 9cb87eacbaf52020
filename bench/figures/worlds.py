#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of docs/guide.md: three worlds that lie over each other, their contacts, and their cells.
worlds.py HGRID OUT.png     (HGRID: the tool; needs python3-matplotlib)"""
import csv
import json
import math
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.collections import EllipseCollection

COLOURS = ("#4477aa", "#ee6677", "#228833")


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def packings(tool, folder):
    """(x, y, r, world) of three packings, each where it lies by itself."""
    rows = []
    for world, (number, seed) in enumerate(((22, 3), (14, 8), (28, 5))):
        path = f"{folder}/{world}.csv"
        run(tool, "generate", "--n", str(number), "--size-ratio", "2", "--exponent", "-2", "--packing", "0.55", "--dim", "2",
            "--seed", str(seed), "--relaxed", "--out", path)
        with open(path, encoding="utf-8") as file:
            rows += [(*map(float, row), world) for row in csv.reader(line for line in file if line[0] not in "#x")]
    return rows


def draw(axis, rows, pairs, move):
    for world, colour in enumerate(COLOURS):
        of_world = [move(*row) for row in rows if row[3] == world]
        widths = [2 * r for *_, r in of_world]
        axis.add_collection(EllipseCollection(widths, widths, [0] * len(widths), units="xy", offsets=[p[:2] for p in of_world],
                                              transOffset=axis.transData, facecolors=colour + "28", edgecolors=colour,
                                              linewidths=0.9))
    for i, j in pairs:
        (x, y, _), (u, v, _) = move(*rows[i]), move(*rows[j])
        axis.plot((x, u), (y, v), color=COLOURS[rows[i][3]], linewidth=1.6)


def main(tool, out):
    with tempfile.TemporaryDirectory() as folder:
        rows = packings(tool, folder)
        worlds, found = folder + "/worlds.csv", folder + "/found.csv"
        with open(worlds, "w", encoding="utf-8") as file:
            file.write("x,y,r,world\n" + "".join("{},{},{},{}\n".format(*row) for row in rows))
        report = json.loads(run(tool, "contacts", worlds, "--dim", "2", "--world", "world", "--out", found, "--json"))
        with open(found, encoding="utf-8") as file:
            pairs = [tuple(map(int, row[:2])) for row in list(csv.reader(file))[1:]]
    assert report["worlds"] == 3 and all(rows[i][3] == rows[j][3] for i, j in pairs)
    cell = report["levels"][0]["cell_size"]
    low = [[min(row[k] for row in rows if row[3] == w) for k in (0, 1)] for w in range(3)]
    cells = [max(math.ceil((max(row[k] for row in rows if row[3] == w) - low[w][k]) / cell[k]) for w in range(3)) for k in (0, 1)]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 7.6), gridspec_kw={"width_ratios": (1.9, 1)})
    draw(left, rows, pairs, lambda x, y, r, w: (x, y, r))
    left.set(title=f"as you give them: {len(rows)} particles, {len(pairs)} pairs", xlabel="x / r_min", ylabel="y / r_min")
    height = cells[1] * cell[1]
    draw(right, rows, pairs, lambda x, y, r, w: (x - low[w][0], y - low[w][1] + w * height, r))
    for column in range(cells[0] + 1):
        right.plot([column * cell[0]] * 2, (0, 3 * height), color="#00000030", linewidth=0.7)
    for row in range(3 * cells[1] + 1):
        right.plot((0, cells[0] * cell[0]), [row * cell[1]] * 2, color="black" if row % cells[1] == 0 else "#00000030",
                   linewidth=1.4 if row % cells[1] == 0 else 0.7)
    for world in range(3):
        right.text(-1.2, (world + 0.5) * height, f"world {world}", rotation=90, ha="right", va="center", color=COLOURS[world])
    right.set(title="in the grid: the cells of a world\nbehind those of another")
    right.axis("off")
    for axis in (left, right):
        axis.set_aspect("equal")
        axis.autoscale_view()
    right.margins(x=0.12)
    figure.tight_layout()
    figure.savefig(out, dpi=100, bbox_inches="tight")


main(*sys.argv[1:])
