#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the results of bench/gpu.sh as tables: table.py FOLDER"""
import csv
import json
import math
import os
import re
import sys

SEARCH = "search, all kernels"


def rows(name):
    path = os.path.join(sys.argv[1], name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def times(name):
    for row in rows(name):
        if "build_ms" in row:
            print(f"{row['n']:>11.0f} {row['packing']:>10} {row['ratio']:>5.0f} {row['what']:>26} {row['median_ms']:9.3f} "
                  f"[{row['min_ms']:.3f}, {row['max_ms']:.3f}] build {row['build_ms']:8.3f} list {row['list_ms']:8.3f} rows {row['rows_ms']:8.3f} "
                  f"levels {row['levels']:2.0f} pairs {row['pairs'] / row['n']:5.2f} bytes {row['bytes'] / row['n']:5.1f}")


def ceiling(what, n, field):
    """The figure of the ceiling that was measured with the number nearest to n, or None."""
    found = [row for row in rows("ceilings.jsonl") if row.get("what") == what and field in row]
    return min(found, key=lambda row: abs(math.log(row["n"] / n)))[field] if found else None


def bytes_of_stages(row):
    """Bytes of device memory per particle that each stage must read and write at least."""
    cells, pairs = 4 * row["cells"] / row["n"], 8 * row["pairs"] / row["n"]
    digits = math.ceil(math.log2(row["cells"] + 1) / 8)
    return {"inspect": 16, "make_keys": 24, "sort_keys": 4 + 16 * digits, "gather_slots": 16 + 4 + 52,
            "count_particles": 24 + 2 * cells, "scan_cells": 2 * cells, "place_ids": 12, "clear_cells": cells,
            "fill_dense_rows": 4 + cells, "clear_counts": cells, SEARCH: 16 + 4 + cells + pairs}


def stages():
    """Times, and what part of them the ceilings leave no way around: bytes by the rate of a copy; in the search, which
    is its three kernels together, the tests of the filter by their rate, where that takes longer."""
    for row in rows("stages.jsonl"):
        if "packing" not in row:
            continue
        print(f"{row['n']:>11.0f} {row['packing']:>10} {row['ratio']:>5.0f} {row['what']}")
        times = {name[7:]: value for name, value in row.items() if name.startswith("hgrid::")}
        times[SEARCH] = sum(times.get(name, 0) for name in ("search_slots", "queue_rows", "search_rows"))
        copy, tests = ceiling("copy_float4", row["n"], "GB_per_s"), ceiling("filter_tests", row["n"], "G_per_s")
        bytes_of = bytes_of_stages(row)
        for name, value in times.items():
            share = ""
            if name in bytes_of and copy and value > 0:
                least = bytes_of[name] * row["n"] / copy * 1e-6
                if name == SEARCH and tests:
                    least = max(least, row["candidates"] / tests * 1e-6)
                share = f"{100 * least / value:5.0f} % of the roofline"
            print(f"{'':>29} {name:>32} {value:9.4f} ms {share}")


def searches():
    for row in rows("variants.jsonl"):
        if row.get("what") == "search":
            print(f"{row['n']:>11.0f} {row['packing']:>10} {row['ratio']:>5.0f} {row['search']:>26} {row['median_ms']:9.3f} "
                  f"[{row['min_ms']:.3f}, {row['max_ms']:.3f}] own levels, counted only: {row['contacts'] / row['n']:5.2f}")


def ceilings():
    for row in rows("ceilings.jsonl"):
        rate = f"{row['GB_per_s']:8.0f} GB/s" if "GB_per_s" in row else f"{row['G_per_s']:8.1f} G/s" if "G_per_s" in row else f"{row['n'] / row['median_ms'] * 1e-6:8.1f} G/s"
        print(f"{row['n']:>11.0f} {row['what']:>20} {row.get('bits', 0):>3.0f} bits {row['median_ms']:9.4f} ms {rate}")


def counters():
    """Hardware counters of kernels, one line a launch; ncu writes a line a metric, after lines of its own."""
    path = os.path.join(sys.argv[1], "counters.csv")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line.startswith("==ERROR=="):
            print(line)
    begin = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    launches = {}
    for row in csv.DictReader(lines[begin:]):
        kernel = re.search(r"Search\w+|QueueRows|SortRows\w*", row["Kernel Name"])
        launch = launches.setdefault(row["ID"], [kernel.group() if kernel else row["Kernel Name"][:20]])
        launch.append(f"{row['Metric Name'].split('.')[0]} {row['Metric Value']} {row['Metric Unit']}")
    for number, launch in launches.items():
        print(f"{number:>4} " + "\n       ".join(launch))


for name in ("times.jsonl", "times-100m.jsonl", "variants.jsonl"):
    times(name)
searches()
stages()
counters()
ceilings()
