#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the results of bench/gpu.sh as tables, from the rows that exist: table.py FOLDER"""
import csv
import json
import math
import os
import re
import sys

SEARCH = "search, all kernels"
CASE = ("n", "packing", "ratio", "what")
TIMES = ("min_ms", "median_ms", "max_ms")
PARTS = ("device", "python", "host", "details")


def lines_of(name):
    path = os.path.join(sys.argv[1], name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def rows(name, *fields):
    """The rows that have all these fields; a line that was cut has none."""
    for line in lines_of(name):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and all(field in row for field in fields):
            yield row


def case(row, what):
    return f"{row['n']:>11.0f} {row.get('packing', ''):>10} {row.get('ratio', 0):>5.0f} {what:>26}"


def spread(row):
    return f"{row['median_ms']:9.3f} [{row['min_ms']:.3f}, {row['max_ms']:.3f}]"


def faults(name):
    """Cases that threw, and lines that cannot be read."""
    for row in rows(name, "error", "n", "what"):
        print(f"{case(row, row['what'])} ERROR {row['error']}")
    cut = len(lines_of(name)) - sum(1 for _ in rows(name))
    if cut:
        print(f"{cut} line(s) of {name} cannot be read")


def times(name):
    for row in rows(name, *CASE, *TIMES, "build_ms", "list_ms", "ns_per_entry", "levels", "pairs", "bytes"):
        in_rows = f" rows {row['rows_ms']:8.3f}" if "rows_ms" in row else ""
        print(f"{case(row, row['what'])} {spread(row)} build {row['build_ms']:8.3f} list {row['list_ms']:8.3f}{in_rows} "
              f"ns/entry {row['ns_per_entry']:6.3f} levels {row['levels']:2.0f} pairs {row['pairs'] / row['n']:5.2f} "
              f"bytes {row['bytes'] / row['n']:5.1f}")


def loops(name):
    """Steps of a time loop whose list holds or is built again, and lists by their number of neighbors."""
    for row in rows(name, *CASE, *TIMES, "entries"):
        listed = f" list {row['list_ms']:8.3f}" if "list_ms" in row else f" builds {row.get('builds', 0):.0f} of {row.get('steps', 0):.0f}"
        print(f"{case(row, row['what'])} {spread(row)}{listed} ns/entry {row['median_ms'] * 1e6 / max(1, row['entries']):6.3f} "
              f"entries {row['entries'] / row['n']:6.2f}")


def peers():
    """Time and pairs beside hgrid's with equal particles, of an equal call if there is one."""
    own = {(row["n"], row["ratio"]): row for name in ("device.jsonl", "details.jsonl")
           for row in rows(name, *CASE, "median_ms", "pairs", "bytes") if (row["packing"], row["what"]) == ("random", "step")}
    for row in rows("details.jsonl", "peer", "n", "ratio", "result"):
        result = row["result"]
        if not all(field in result for field in ("median_ms", "pairs")):
            print(f"{case(row, row['peer'])} {json.dumps(result)}")
            continue
        line = f"{case(row, row['peer'])} {result['median_ms']:9.3f} ns/entry {result['median_ms'] * 1e6 / max(1, result['pairs']):6.3f}"
        if (row["n"], row["ratio"]) in own:
            here = own[row["n"], row["ratio"]]
            line += f" {result['median_ms'] / here['median_ms']:6.2f} x hgrid, {result['pairs'] - here['pairs']:+.0f} of {here['pairs']:.0f} pairs"
        print(line)


def ceiling(what, n, field):
    """The figure of the ceiling that was measured with the number nearest to n, or None."""
    found = [row for row in rows("details.jsonl", "what", "n", field) if row["what"] == what]
    return min(found, key=lambda row: abs(math.log(row["n"] / n)))[field] if found else None


def bytes_of_stages(row):
    """Bytes of device memory per particle that each stage must read and write at least."""
    cells, pairs = 4 * row["cells"] / row["n"], 8 * row["pairs"] / row["n"]
    digits = math.ceil(math.log2(row["cells"] + 1) / 8)
    return {"inspect": 16, "make_keys": 24, "sort_keys": 4 + 16 * digits, "gather_slots": 16 + 4 + 52,
            "draw_numbers": 24, "move_to_buckets": 24 + 24, "sort_buckets": 24 + 52 + cells,
            "fill_dense_rows": 4 + cells, "clear_counts": cells, SEARCH: 16 + 4 + cells + pairs}


def stages():
    """Times, and the part of them that the ceilings make unavoidable: bytes by the rate of a copy; in the search, which
    is its three kernels together, the tests of the filter by their rate, where that takes longer."""
    for row in rows("details.jsonl", *CASE, "cells", "pairs", "candidates"):
        print(case(row, row["what"]))
        parts = {name[7:]: value for name, value in row.items() if name.startswith("hgrid::")}
        parts[SEARCH] = sum(parts.get(name, 0) for name in ("search_slots", "queue_strips", "search_strips"))
        copy, tests = ceiling("copy_float4", row["n"], "GB_per_s"), ceiling("filter_tests", row["n"], "G_per_s")
        bytes_of = bytes_of_stages(row)
        for name, value in parts.items():
            share = ""
            if name in bytes_of and copy and value > 0:
                least = bytes_of[name] * row["n"] / copy * 1e-6
                if name == SEARCH and tests:
                    least = max(least, row["candidates"] / tests * 1e-6)
                share = f"{100 * least / value:5.0f} % of the roofline"
            print(f"{'':>29} {name:>32} {value:9.4f} ms {share}")


def searches():
    for row in rows("details.jsonl", *CASE, *TIMES, "search", "contacts"):
        print(f"{case(row, row['search'])} {spread(row)} own levels, counted only: {row['contacts'] / row['n']:5.2f}")


def ceilings():
    for row in rows("details.jsonl", "n", "what", "median_ms"):
        if "packing" in row:
            continue
        rate = (f"{row['GB_per_s']:8.0f} GB/s" if "GB_per_s" in row else
                f"{row.get('G_per_s', row['n'] / row['median_ms'] * 1e-6):8.1f} G/s")
        print(f"{row['n']:>11.0f} {row['what']:>20} {row.get('bits', 0):>3.0f} bits {row['median_ms']:9.4f} ms {rate}")


def host():
    """Times by threads, and by ranks of one thread, beside one thread or rank."""
    found = list(rows("host.jsonl", "what", "workers", "ratio", "n", *TIMES, "build_ms", "list_ms", "pairs"))
    alone = {(row["what"], row["ratio"], row["n"]): row["median_ms"] for row in found if row["workers"] == 1}
    for row in found:
        line = (f"{case(row, 'host, ' + row['what'])} {row['workers']:3.0f} {spread(row)} build {row['build_ms']:9.3f} list {row['list_ms']:9.3f} "
                f"ns/entry {row['median_ms'] * 1e6 / max(1, row['pairs']):7.3f}")
        one = alone.get((row["what"], row["ratio"], row["n"]))
        if one:
            line += f" {one / row['median_ms']:6.2f} x one, {100 * one / row['median_ms'] / row['workers']:4.0f} % of ideal"
        print(line)


def frameworks():
    for row in rows("python.jsonl", "framework", "version", "passed", "failed", "skipped", "seconds"):
        print(f"python: {row['framework']} {row['version']}: {row['passed']} passed, {row['failed']} failed, {row['skipped']} skipped, "
              f"{row['seconds']:.1f} s")
        for reason in row.get("reasons", []):
            print(f"    skipped: {reason}")


def counters():
    """Hardware counters of kernels, one line a launch; ncu writes a line a metric, after lines of its own."""
    lines, launches = lines_of("counters.csv"), {}
    for call, begin in enumerate(k for k, line in enumerate(lines) if line.startswith('"ID"')):
        end = next((k for k in range(begin + 1, len(lines)) if not lines[k].startswith('"') or lines[k].startswith('"ID"')), len(lines))
        for row in csv.DictReader(lines[begin:end]):
            name, metric = row.get("Kernel Name") or "", row.get("Metric Name")
            if metric is None or row.get("Metric Value") is None:
                continue
            kernel = re.search(r"Search\w+|QueueStrips|Sort\w*Lists?", name)
            launch = launches.setdefault((row["ID"], call), [kernel.group() if kernel else name[:20]])
            launch.append(f"{metric.split('.')[0]} {row['Metric Value']} {row.get('Metric Unit') or ''}")
    for line in lines:
        if line.startswith("==ERROR=="):
            print(line)
    for (number, _), launch in launches.items():
        print(f"{number:>4} " + "\n       ".join(launch))


def tables():
    yield from (lambda name=name: times(name) for name in ("device.jsonl", "details.jsonl"))
    yield lambda: loops("device.jsonl")
    yield from (frameworks, host, peers, searches, stages, counters, ceilings)
    yield from (lambda name=name: faults(name + ".jsonl") for name in PARTS)


def main():
    for table in tables():
        try:
            table()
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:  # a field that is no number
            print(f"a table ends here: {error!r}")


main()
