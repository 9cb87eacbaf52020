#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tables and plots of docs/performance.md: measures, keeps one row a line, draws, prints the tables.
performance.py BUILD_FOLDER RESULTS.json FIGURES_FOLDER [grid|cases|peers ...]     (none: only draw the kept results)"""
import datetime
import json
import os
import statistics
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

WORKLOADS = ("mono", "pl10", "pl50", "pl100", "pl1000", "bi10", "us50", "ln100")
COLOURS = {"build": "#4477aa", "list": "#ee6677"}
REPEAT = ("--benchmark_repetitions=5", "--benchmark_min_time=0.15", "--benchmark_format=json")


def run(*command, **variables):
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **variables})
    return json.loads(done.stdout)


def machine():
    return run(f"{BUILD}/bin/hgrid", "bench", "--workloads", "mono", "--n", "1000", "--repeat", "1", "--json")["machine"]


def spread(values):
    return {"ns": round(statistics.median(values), 2), "min": round(min(values), 2), "max": round(max(values), 2)}


def repeated(benchmarks, value):
    """(parts of the name, spread of the value, runs) of each benchmark."""
    runs = {}
    for b in benchmarks:
        if b["run_type"] == "iteration":
            runs.setdefault(b["run_name"].removesuffix("/real_time"), []).append(b)
    return [(name.split("/"), spread([value(b) for b in group]), group) for name, group in runs.items()]


def grid():
    for (workload, kind, *_), ns, group in repeated(run(f"{BUILD}/bench/grid", *REPEAT)["benchmarks"],
                                                   lambda b: b["total_ns"]):
        counters = ("build_ns", "list_ns", "pairs", "candidates", "rows", "levels", "bytes")
        yield {"case": "step", "workload": workload, "run": kind.removeprefix("threads:"), **ns,
               **{c: round(statistics.median(b[c] for b in group), 2) for c in counters}}


def cases():
    for part in ("mono/threads:1", "mono/threads:2", "pl10/threads:1", "pl10/threads:2"):
        done = run(f"{BUILD}/bench/cases", f"--benchmark_filter={part}", *REPEAT)
        for (case, workload, threads, *_), ns, group in repeated(done["benchmarks"], lambda b: b["ns_per_particle"]):
            yield {"case": case, "workload": workload, "run": threads.removeprefix("threads:"), **ns,
                   "pairs": round(group[-1]["pairs"], 2)}


def peers():
    for packing in ("random", "relaxed"):
        for workload in WORKLOADS if packing == "random" else ("mono", "pl10"):
            more = ("--relaxed", "--n", "300000") if packing == "relaxed" else ()  # a million take minutes to relax
            done = run(f"{BUILD}/bin/hgrid", "bench", "--workloads", workload, "--peers", "--json", "--repeat", "3", *more,
                       OMP_PROC_BIND="spread", OMP_PLACES="threads")  # Kokkos's own settings
            for row in done["rows"]:
                ns = {to: round(row["ns_per_particle"][of], 2) for to, of in
                      (("ns", "median"), ("min", "min"), ("max", "max"))}
                yield {"case": packing, "workload": workload, "code": row["code"], "run": str(row["threads"]), **ns,
                       "ratio": round(row["ratio"], 2)}


def find(part, **wanted):
    return [r for r in KEPT["rows"] if r["part"] == part and all(r.get(k) == v for k, v in wanted.items())]


def table(*rows):
    print()
    for i, row in enumerate(rows):
        print("| " + " | ".join(str(cell) for cell in row) + " |")
        if i == 0:
            print("|" + "---|" * len(row))


def save(figure, name):
    figure.tight_layout()
    figure.savefig(os.path.join(FIGURES, name + ".png"), dpi=90)
    plt.close(figure)


def show_grid():
    rows = [("Sizes", "levels", "contacts", "candidates", "rows", "bytes", "1 thread (build + list)", "2 threads",
             "2 over 1", "plain loop")]
    figure, axis = plt.subplots(figsize=(9, 3.6))
    for place, workload in enumerate(WORKLOADS):
        one, two, plain = (find("grid", workload=workload, run=run)[0] for run in ("1", "2", "plain"))
        rows.append((workload, f"{one['levels']:.0f}", f"{one['pairs']:.2f}", f"{one['candidates']:.1f}",
                     f"{one['rows']:.1f}", f"{one['bytes']:.0f}",
                     f"**{one['ns']:.0f}** ({one['build_ns']:.0f} + {one['list_ns']:.0f})", f"**{two['ns']:.0f}**",
                     f"{one['ns'] / two['ns']:.2f}×", f"{plain['ns']:.0f}"))
        for shift, r in ((-0.2, one), (0.2, two)):
            share = r["ns"] / (r["build_ns"] + r["list_ns"])
            build, listing = share * r["build_ns"], share * r["list_ns"]
            axis.bar(place + shift, build, 0.36, color=COLOURS["build"], label="build" if place == 0 and shift < 0 else None)
            axis.bar(place + shift, listing, 0.36, bottom=build, color=COLOURS["list"],
                     label="list" if place == 0 and shift < 0 else None)
    axis.set(ylabel="ns per particle", title="A million particles; left bars one thread, right bars two")
    axis.set_xticks(range(len(WORKLOADS)), WORKLOADS)
    axis.grid(axis="y", alpha=0.25)
    axis.legend()
    save(figure, "performance-step")
    table(*rows)


def show_cases():
    rows = [("Case", "mono, 1 thread", "over default", "mono, 2", "pl10, 1 thread", "over default", "pl10, 2")]
    base = {w: find("cases", case="order:fixed", workload=w, run="1")[0]["ns"] for w in ("mono", "pl10")}
    for case in dict.fromkeys(r["case"] for r in find("cases")):
        cells = [case]
        for workload in ("mono", "pl10"):
            one, two = (find("cases", case=case, workload=workload, run=run)[0]["ns"] for run in ("1", "2"))
            cells += [f"{one:.0f}", f"{one / base[workload]:.2f}", f"{two:.0f}"]
        rows.append(cells)
    table(*rows)


def show_peers():
    others = [r for r in find("peers") if r["code"] != "hgrid"]
    codes = dict.fromkeys((r["code"], r["run"]) for r in others)
    rows = [("Packing", "hgrid, 1 thread", "2 threads",
             *(code if run == "1" else f"{code}, {run} threads" for code, run in codes))]
    figure, axis = plt.subplots(figsize=(10, 3.8))
    names = list(dict.fromkeys((r["case"], r["workload"]) for r in others))
    width = 0.84 / len(codes)
    for place, (packing, workload) in enumerate(names):
        def of(code, run):
            return (find("peers", case=packing, workload=workload, code=code, run=run) or [None])[0]
        cells = [f"{workload}, {packing}", *(f"{of('hgrid', run)['ns']:.0f}" for run in ("1", "2"))]
        for k, (code, run) in enumerate(codes):
            row = of(code, run)
            cells.append(f"{row['ratio']:.1f}×" if row else "")
            if row:
                label = f"{code}, {run} thread{'s' if run != '1' else ''}" if place == 0 else None
                axis.bar(place + width * (k - (len(codes) - 1) / 2), row["ratio"], 0.9 * width, color=f"C{k}", label=label)
        rows.append(cells)
    axis.set(ylabel="time over hgrid's on as many threads", yscale="log", title="Other codes: same pairs, same process")
    axis.set_xticks(range(len(names)), [f"{w}\n{p}" for p, w in names], fontsize=8)
    ticks = (1, 2, 5, 10, 20, 50)
    axis.set_ylim(1, 300)
    axis.set_yticks(ticks, [f"{t}×" for t in ticks])
    axis.minorticks_off()
    axis.grid(axis="y", alpha=0.25)
    axis.legend(ncol=3, fontsize=8)
    save(figure, "performance-peers")
    table(*rows)


def keep():
    head = json.dumps({k: v for k, v in KEPT.items() if k != "rows"}, indent=1)[:-2]
    with open(RESULTS, "w", encoding="utf-8") as file:
        file.write(head + ',\n "rows": [\n  ' + ",\n  ".join(json.dumps(r) for r in KEPT["rows"]) + "\n ]\n}\n")


BUILD, RESULTS, FIGURES = sys.argv[1:4]
if "HGRID_DRAFT:BOOL=ON" in open(f"{BUILD}/CMakeCache.txt", encoding="utf-8").read():
    sys.exit("the benchmarks are not optimised; remedy: cmake --preset release && cmake --build --preset release")
KEPT = json.load(open(RESULTS, encoding="utf-8")) if os.path.exists(RESULTS) else {"rows": []}
for part in sys.argv[4:]:
    measured = [{"part": part, **row} for row in {"grid": grid, "cases": cases, "peers": peers}[part]()]
    KEPT["rows"] = [r for r in KEPT["rows"] if r["part"] != part] + measured
    KEPT["commit"] = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    KEPT["where"] = machine() + datetime.date.today().strftime(", %d %B %Y; 1,000,000 particles, relaxed 300,000")
    KEPT.setdefault("unit", "nanoseconds per particle, medians of the runs, least and most")
    keep()
for part, show in {"grid": show_grid, "cases": show_cases, "peers": show_peers}.items():
    if find(part):
        show()
