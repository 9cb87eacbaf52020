#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the papers' experiments: papers.py nbs|distance-sort|cell-space|jet TABLE.csv OUT.png
The table is the output of `papers NAME` (build/release/bin/papers). Needs python3-matplotlib."""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def series(rows, x, y, **same):
    chosen = sorted((row for row in rows if all(row[k] == v for k, v in same.items())), key=lambda row: row[x])
    return [row[x] for row in chosen], [row[y] for row in chosen]


def nbs(rows):
    figure, axes = plt.subplots(2, 2, figsize=(10, 7))
    for axis, number_of_figure in zip(axes.flat, (14, 16, 18, 20)):
        key = "N" if number_of_figure == 14 else "spacing"
        for shuffled, style in ((0, "o-"), (1, "s--")):
            chosen = [row for row in rows if row["figure"] == number_of_figure and row["shuffled"] == shuffled]
            label = "in random order" if shuffled else "in the order of the lattice"
            axis.plot([row[key] for row in chosen], [1e8 * row["seconds_of_ten"] / row["N"] for row in chosen], style,
                      label=label, markersize=4)
        axis.set(title=f"Fig. {number_of_figure}", ylabel="ns per disc and detection", ylim=(0, None), xscale="log",
                 xlabel="discs" if key == "N" else "spacing S / D, 10,000 discs")
    axes[0, 0].legend()
    return figure


def distance_sort(rows):
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.5), sharey=True)
    for axis, d in zip(axes, (2, 3)):
        for packing, marker in zip("ABC", "osv"):
            axis.loglog(*series(rows, "np", "seconds", experiment="Fig. 2 " + packing, method="novel", d=d), marker + "-",
                        color="black", markerfacecolor="white", label="sort by distance, " + packing)
        for p, colour in ((1, "#4477aa"), (5, "#228833"), (10, "#ee6677")):
            axis.loglog(*series(rows, "np", "seconds", experiment="Fig. 2 A", method=f"LCM{p}", d=d), ".--", color=colour,
                        label=f"LCM{p}, A")
        axis.set(title=f"{d}-D", xlabel="particles")
    axes[0].set(ylabel="seconds")
    axes[0].legend(fontsize=8)
    return figure


def cell_space(rows):
    figure, axis = plt.subplots(figsize=(6, 4.5))
    least = min(row["seconds"] for row in rows)
    axis.axvspan(5, 20, color="#dddddd", label="optimal in 004")
    axis.semilogx([row["extents_per_cell"] for row in rows], [row["seconds"] / least for row in rows], "o-", label="hgrid")
    axis.set(xlabel="extents that fit into a cell", ylabel="relative slowdown", ylim=(0, None))
    axis.legend()
    return figure


def jet(rows):
    steps = sorted({row["step"] for row in rows})
    figure, axes = plt.subplots(1, len(steps), figsize=(12, 2.4), sharey=True)
    for axis, step in zip(axes, steps):
        chosen = [row for row in rows if row["step"] == step]
        dots = axis.scatter([row["x"] for row in chosen], [row["y"] for row in chosen], s=0.15,
                            c=[row["speed"] for row in chosen], cmap="viridis", vmin=0, vmax=1, linewidths=0)
        axis.set(xlim=(-600, 600), ylim=(0, 700), aspect="equal", title=f"step {step:.0f}", xlabel="x / D")
    axes[0].set(ylabel="y / D")
    figure.colorbar(dots, ax=axes, label="speed / speed of the jet")
    return figure


def main(name, table, out):
    with open(table, encoding="utf-8") as file:
        rows = [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]
    figure = {"nbs": nbs, "distance-sort": distance_sort, "cell-space": cell_space, "jet": jet}[name](rows)
    figure.set_layout_engine("constrained")
    figure.savefig(out, dpi=100)


main(*sys.argv[1:])
