#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The figures of Krijgsman, Ogarko and Luding (2014) and of Ogarko and Luding (2012), drawn again by the tool.
planning.py HGRID FOLDER [rules|levels|counted|measured|scan ...]     (HGRID: the tool; needs python3-matplotlib)
The part scan draws results of bench/planning.cpp, from bench/results/."""
import functools
import json
import os
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")
RULES = ("linear", "exponential", "constant", "optimal")
RATIOS = (1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
EXPONENTS = (0, -1, -2, -3)


@functools.lru_cache(maxsize=None)
def run(*arguments):
    done = subprocess.run([TOOL, *map(str, arguments)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout) if "--json" in arguments else done.stdout


def plan(ratio, exponent, *arguments, packing=0.7):
    return run("plan", "--size-ratio", ratio, "--exponent", exponent, "--packing", packing, "--json", *arguments)


def save(figure, name):
    figure.tight_layout()
    figure.savefig(os.path.join(FOLDER, name + ".png"), dpi=90)
    print(name + ".png", flush=True)


def rules():
    """2014, Figs. 3 to 5, 7 and 8: the least work and the best number of levels over the size ratio."""
    figure, axes = plt.subplots(2, 5, figsize=(13.5, 5.6), sharex=True, sharey="row")
    for column, method in enumerate(("single", *RULES)):
        for exponent, colour in zip(EXPONENTS, COLOURS):
            if method != "single" and exponent in (-1, -2):
                continue
            for direction, line in (("top-down", "-"), ("bottom-up", "--")):
                if method == "single" and line == "--":
                    continue
                plans = [plan(w, exponent, "--method", method, "--direction", direction) for w in RATIOS]
                label = f"α = {exponent}" if line == "-" else None
                axes[0][column].plot(RATIOS, [p["work"] for p in plans], line, color=colour, label=label)
                axes[1][column].plot(RATIOS, [p["level_count"] for p in plans], line, color=colour, drawstyle="steps-mid")
        name = {"single": "one level (Fig. 3)", "linear": "linear (Fig. 4)", "exponential": "exponential (Fig. 5)",
                "constant": "constant m (Fig. 7)", "optimal": "optimal (Fig. 8)"}[method]
        axes[0][column].set(title=name, yscale="log", xscale="log", ylim=(8, 1e3))
        axes[1][column].set(xlabel="size ratio ω", yscale="log", ylim=(0.8, 80))
        for axis in axes[:, column]:
            axis.grid(alpha=0.25)
    axes[0][0].legend(fontsize=8)
    axes[0][1].plot([], [], "k-", label="Top-Down")
    axes[0][1].plot([], [], "k--", label="Bottom-Up")
    axes[0][1].legend(fontsize=8)
    axes[0][0].set(ylabel="work T per particle (pair tests)")
    axes[1][0].set(ylabel="best number of levels L*")
    save(figure, "krijgsman2014-rules")


def levels():
    """2014, Figs. 2, 6, 9 and 10: size ratio 100, α = -3, packing fraction 0.7, K = 0.2, Top-Down."""
    figure, axes = plt.subplots(2, 2, figsize=(11, 7.6))
    radii = [10 ** (k / 50) for k in range(101)]
    for exponent, colour in zip((0, -1, -2, -3, -4), COLOURS):
        weight = [r ** (exponent + 4) for r in radii]  # samples of d(volume) / d(ln r)
        total = sum(weight) / 50 * 2.302585
        axes[0][0].plot(radii, [w / total for w in weight], color=colour, label=f"α = {exponent}")
    axes[0][0].set(title="volume of the particles, f ~ r^α (as Fig. 2)", xlabel="radius / r_min",
                   ylabel="share per unit of ln r", xscale="log", yscale="log", ylim=(1e-4, 10))
    counts = range(1, 26)
    work = {}
    for q, colour in zip((1, 2, 5), COLOURS):
        work[q] = [plan(100, -3, "--method", "constant", "--q", q, "--levels", n, "--direction", "top-down")["work"] for n in counts]
        axes[0][1].plot(counts, work[q], "o-", ms=3, color=colour, label=f"q = {q}: least {min(work[q]):.2f}")
    axes[0][1].set(title="constant ratio q of particles per cell (Fig. 6)", xlabel="levels L", ylabel="T (pair tests)", ylim=(10, 40))
    for method, colour in zip(RULES, COLOURS):
        t = [plan(100, -3, "--method", method, "--levels", n, "--direction", "top-down")["work"] for n in counts]
        least = plan(100, -3, "--method", method, "--direction", "top-down")
        label = f"{method}: {least['work']:.2f} at L = {least['level_count']}"
        axes[1][0].plot(counts, t, "o-", ms=3, color=colour, label=label)
        sizes = [level["cell_size"][0] for level in least["levels"]]
        axes[1][1].plot(sizes, least["occupancy"], "o-", ms=3, color=colour, label=method)
    axes[1][0].set(title="the four rules (Fig. 9)", xlabel="levels L", ylabel="T (pair tests)", ylim=(10, 40))
    axes[1][1].set(title="cells of the best plans (Fig. 10)", xlabel="cell size s / r_min", ylabel="particles per cell m",
                   xscale="log", yscale="log")
    for axis in axes.flat:
        axis.grid(alpha=0.25)
        axis.legend(fontsize=8)
    axes[1][0].set(ylim=(10, 65))  # room for the legend
    save(figure, "krijgsman2014-levels")


def measured(folder, n, ratio, exponent, packing, *arguments, relaxed=False):
    path = os.path.join(folder, f"{n}-{ratio}-{exponent}-{packing}-{relaxed}.csv")
    if not os.path.exists(path):
        run("generate", "--n", n, "--size-ratio", ratio, "--exponent", exponent, "--packing", packing, "--out", path,
            *(["--relaxed", "--periodic", "xyz"] if relaxed else []))
    return run("plan", path, "--measure", "--json", *arguments)["measured"]


def counted():
    """2014, Figs. 11 and 12: counted work beside the model, Top-Down, optimal sizes."""
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.4))
    usual = ("--short", "--direction", "top-down")
    with tempfile.TemporaryDirectory() as folder:
        for ratio, colour in zip((5, 20), COLOURS):
            packings = (0.1, 0.25, 0.4, 0.5, 0.62)
            random = [measured(folder, 100000, ratio, -3, nu, *usual, "--periodic", "xyz") for nu in packings]
            pushed = [measured(folder, 100000, ratio, -3, nu, *usual, "--periodic", "xyz", relaxed=True) for nu in packings]
            axes[0].plot(packings, [m["work"]["predicted"] for m in random], "-", color=colour, label=f"model, ω = {ratio}")
            axes[0].plot(packings, [m["work"]["counted"] for m in random], "o", color=colour, mfc="none", label="random centres")
            axes[0].plot(packings, [m["work"]["counted"] for m in pushed], "x", color=colour, label="overlaps pushed apart")
        for exponent, colour in zip((0, -3), COLOURS):
            sizes = (10000, 100000, 1000000)
            for style, arguments, name in (("o-", (), "open box"), ("s--", ("--periodic", "xyz"), "periodic")):
                runs = [measured(folder, n, 10, exponent, 0.62, *usual, *arguments) for n in sizes]
                axes[1].plot(sizes, [100 * (m["work"]["counted"] / m["work"]["predicted"] - 1) for m in runs], style,
                             color=colour, mfc="none", label=f"α = {exponent}, {name}")
    axes[0].set(title="work over packing fraction, N = 100,000, periodic (as Fig. 11)", xlabel="packing fraction ν",
                ylabel="T per particle (pair tests)", ylim=(0, None))
    axes[1].set(title="counted against model, ω = 10, ν = 0.62 (as Fig. 12)", xlabel="particles N",
                ylabel="deviation of T (%)", xscale="log")
    for axis in axes:
        axis.title.set_fontsize(10)
        axis.grid(alpha=0.25)
        axis.legend(fontsize=8)
    save(figure, "krijgsman2014-counted")


def timed():
    """2012, Figs. 4 and 5: measured time of the papers' algorithm and of the library with equal levels."""
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.6))
    rule = ("--method", "constant", "--direction", "top-down")
    with tempfile.TemporaryDirectory() as folder:
        for exponent, word, colour, counts in ((-3, "uniform volume", COLOURS[0], (2, 3, 4, 5, 6, 7, 8, 10, 13, 17, 25)),
                                               (0, "uniform size", COLOURS[1], (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 25))):
            runs = [measured(folder, 125001, 50, exponent, 0.62, *rule, "--levels", n) for n in counts]
            plans = [plan(50, exponent, *rule, "--levels", n, packing=0.62) for n in counts]
            theory = [n * (p["occupancy"][0] + 0.3) for n, p in zip(counts, plans)]
            for values, style, name in ((theory, "-", "L (m + 0.3)"), ([m["papers_ns"] for m in runs], "o", "papers' algorithm"),
                                        ([m["library_ns"] for m in runs], "x", "this library")):
                axes[0].plot(counts, [v / min(values) for v in values], style, color=colour, mfc="none", label=f"{word}: {name}")
        sizes = (10000, 30000, 100000, 300000, 1000000)
        mono = {}
        for n in sizes:
            path = os.path.join(folder, f"mono-{n}.csv")
            run("generate", "--n", n, "--mono", "--packing", 0.62, "--out", path)
            mono[n] = run("plan", path, "--method", "single", "--measure", "--json")["measured"]["papers_ns"]
        for ratio, colour in zip((5, 10, 20, 50), COLOURS):
            times = [measured(folder, n, ratio, -3, 0.62, *rule)["papers_ns"] / mono[n] for n in sizes]
            axes[1].plot(sizes, times, "o-", ms=4, color=colour, label=f"uniform volume, ω = {ratio}")
    axes[0].set(title="slowdown over the number of levels, N = 125,001, ω = 50 (as Fig. 4)", xlabel="levels L",
                ylabel="time / least time", yscale="log", ylim=(0.9, 40))
    axes[1].set(title="time by that of one size, papers' algorithm (as Fig. 5)", xlabel="particles N",
                ylabel="T_rel", xscale="log", ylim=(0, None))
    for axis in axes:
        axis.title.set_fontsize(10)
        axis.grid(alpha=0.25)
        axis.legend(fontsize=8)
    save(figure, "ogarko2012-time")


def scan():
    """The planner's choice in the scan of measured time, one panel a workload."""
    with open(os.path.join(os.path.dirname(__file__), "..", "results", "planning-2026-11-21.json"), encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    figure, axes = plt.subplots(2, 4, figsize=(13, 5.8), sharey=True)
    for axis, end in zip(axes.flat, (row for row in rows if "planner" in row)):
        scans = [row for row in rows if "scan" in row and row["workload"] == end["workload"] and row["scan"]]
        for direction, colour, style in (("top-down", COLOURS[0], "o"), ("bottom-up", COLOURS[1], "x")):
            points = [(row["levels"], entry[4]) for row in scans for entry in row["scan"] if entry[3] == direction]
            axis.plot(*zip(*points), style, ms=3.5, mfc="none", color=colour, label=f"scan, {direction}")
        for rule, style in zip(RULES, ("--", "-.", ":", "-")):
            axis.axhline(end[rule], ls=style, lw=0.9, color="0.5", label=f"papers' rule, {rule}")
        axis.plot(end["levels"], end["planner"], "*", ms=13, color=COLOURS[2], label="planner")
        axis.set(title=end["workload"], yscale="log", ylim=(55, 700), xlim=(0.5, 7.5))
        axis.set_yticks([60, 100, 200, 400], ["60", "100", "200", "400"])
        axis.minorticks_off()
        axis.grid(alpha=0.25)
    for axis in axes[1]:
        axis.set(xlabel="levels L")
    for axis in axes[:, 0]:
        axis.set(ylabel="time per particle (ns)")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="lower center", ncol=7, fontsize=8)
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    figure.savefig(os.path.join(FOLDER, "planning-scan.png"), dpi=90)
    print("planning-scan.png", flush=True)


FIGURES = {"rules": rules, "levels": levels, "counted": counted, "measured": timed, "scan": scan}

TOOL, FOLDER = sys.argv[1:3]
for which in sys.argv[3:] or FIGURES:
    FIGURES[which]()
