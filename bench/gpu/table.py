#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the results of bench/gpu.sh as tables: table.py FOLDER"""
import csv
import json
import os
import re
import sys


def rows(name):
    path = os.path.join(sys.argv[1], name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def times(name):
    for row in rows(name):
        if "median_ms" in row and "packing" in row:
            print(f"{row['n']:>11.0f} {row['packing']:>10} {row['ratio']:>5.0f} {row['what']:>26} {row['median_ms']:9.3f} "
                  f"[{row['min_ms']:.3f}, {row['max_ms']:.3f}] build {row['build_ms']:8.3f} list {row['list_ms']:8.3f} rows {row['rows_ms']:8.3f} "
                  f"levels {row['levels']:2.0f} pairs {row['pairs'] / row['n']:5.2f} bytes {row['bytes'] / row['n']:5.1f}")


def stages():
    for row in rows("stages.jsonl"):
        if "packing" in row:
            print(f"{row['n']:>11.0f} {row['packing']:>10} {row['ratio']:>5.0f} {row['what']}")
            for name, value in row.items():
                if name.startswith("hgrid::"):
                    print(f"{'':>29} {name:>32} {value:9.4f} ms")


def ceilings():
    for row in rows("ceilings.jsonl"):
        rate = f"{row['GB_per_s']:8.0f} GB/s" if "GB_per_s" in row else f"{row['n'] / row['median_ms'] * 1e-6:8.1f} G/s"
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
stages()
counters()
ceilings()
