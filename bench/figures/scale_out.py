#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of docs/scale-out.md: the rule of ranks, and ghosts counted beside the law that reckons them.
scale_out.py COUNTS.jsonl RULE.png GHOSTS.png     (counts: lines of bench/mpi_ghosts; needs python3-matplotlib)"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

BLUE, RED, GREY = "#4477aa", "#ee6677", "#888888"


def draw_rule(out):
    figure, axis = plt.subplots(figsize=(7, 3.6))
    axis.axvline(0, color="black", linewidth=1.2)
    axis.plot([0, 4], [0.2, 0.2], color="black", linewidth=1.2)
    for text, place in (("rank 0", (-3.9, 2.15)), ("rank 1", (3.2, 2.2)), ("rank 2", (3.2, -1.6))):
        axis.text(*place, text, color="black")
    # A large particle of rank 0, which rank 1 knows; one of rank 2, which both know; small ones that stay.
    large, small = ((-1.0, 1.0), 1.3), ((0.62, 0.05), 0.65)
    for (x, y), r, colour in ((*large, BLUE), (*small, RED)):
        axis.add_patch(plt.Circle((x, y), r, facecolor=colour + "22", edgecolor=colour, linewidth=1.4))
        axis.plot(x, y, ".", color=colour)
    for x, y, r in ((-3.3, 0.3, 0.25), (-2.9, -1.0, 0.35), (-0.6, -1.2, 0.3), (3.4, 1.5, 0.25), (2.2, 0.7, 0.22), (3.4, -0.7, 0.35)):
        axis.add_patch(plt.Circle((x, y), r, facecolor="none", edgecolor=GREY, linewidth=1))
    (x, y), r = large
    (u, v), s = small
    share = r / (r + s)
    point = (x + (u - x) * share, y + (v - y) * share)
    axis.plot([x, u], [y, v], color="black", linewidth=0.8)
    axis.plot(*point, "o", color="black", markersize=5)
    axis.annotate("the contact point is rank 1's,\nwhich reports the pair:\nboth are its ghosts", point, (0.75, 1.6), fontsize=9,
                  arrowprops={"arrowstyle": "-|>", "linewidth": 0.8})
    axis.text(-3.9, 1.3, "owned by rank 0,\nknown on 1 and 2", color=BLUE, fontsize=9)
    axis.text(1.45, -0.75, "owned by rank 2,\nknown on 0 and 1", color=RED, fontsize=9)
    axis.set(xlim=(-4, 4), ylim=(-1.8, 2.6), aspect="equal", xticks=[], yticks=[])
    figure.tight_layout()
    figure.savefig(out, dpi=100, bbox_inches="tight")


def draw_ghosts(counts, out):
    figure, axis = plt.subplots(figsize=(7, 4.2))
    for ratio, colour in ((1, "#ccbb44"), (10, RED), (100, BLUE)):
        rows = sorted((row["particles"] / row["ranks"], row) for row in counts if row["ratio"] == ratio and row["ranks"] == 8)
        own = [n for n, _ in rows]
        axis.plot(own, [row["law_per_particle"] for _, row in rows], "-", color=colour, label=f"size ratio {ratio}: law")
        axis.plot(own, [row["ghosts_per_particle"] for _, row in rows], "o", color=colour, label="counted")
        edges = [row["edge"] for _, row in rows]
        axis.plot(own, [min(7, (1 + 4 * ratio / b) ** 3 - 1) for b in edges], ":", color=colour, label="within 2 largest radii, reckoned")
    axis.set(xscale="log", yscale="log", xlabel="own particles of a rank", ylabel="ghosts for each own particle")
    axis.grid(alpha=0.3)
    axis.legend(fontsize=7, ncol=3, loc="upper center", bbox_to_anchor=(0.5, 1.22))
    figure.savefig(out, dpi=100, bbox_inches="tight")


def main(counts, rule, ghosts):
    draw_rule(rule)
    with open(counts, encoding="utf-8") as file:
        draw_ghosts([json.loads(line) for line in file], ghosts)


main(*sys.argv[1:])
