#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sums gcov's JSON files: coverage.py SOURCE FOLDER. A line or branch counts once, however many templates and
programs hold it; branches that only an exception takes do not count."""
import collections
import gzip
import json
import math
import pathlib
import sys

LIMITS = {"src/hgrid/core": (95, 90)}  # per cent of lines and branches


def read(folder, source):
    """{file: {line: count}} and {file: {(line, number): count}}."""
    lines, branches = collections.defaultdict(dict), collections.defaultdict(dict)
    listed = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in folder.glob("*.gcov.json.gz"):
        data = json.loads(gzip.open(path).read())
        for file in data["files"]:
            name = pathlib.Path(file["file"])
            name = str((pathlib.Path(data["current_working_directory"]) / name).resolve())
            name = name.removeprefix(str(source) + "/")
            for line in file["lines"]:
                number = line["line_number"]
                lines[name][number] = lines[name].get(number, 0) + line["count"]
                if counts := [branch["count"] for branch in line["branches"] if not branch["throw"]]:
                    listed[name][number].append(counts)
    for name, at in listed.items():
        for number, entries in at.items():
            # gcov lists the branches of several templates one after the other where it does not tell them apart, as many as it likes.
            width = math.gcd(*map(len, entries))
            for counts in entries:
                for k, count in enumerate(counts):
                    branches[name][number, k % width] = branches[name].get((number, k % width), 0) + count
    return lines, branches


def share(counts):
    taken = sum(count > 0 for count in counts)
    return taken, len(counts), 100 * taken / max(1, len(counts))


def main():
    source, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    lines, branches = read(folder, source)
    failed = False
    for room in (f"src/hgrid/{name}" for name in ("core", "inputs", "plan", "cells", "engine", "find")):
        files = sorted(name for name in lines if name.startswith(room))
        for name in files:
            missed = [number for number, count in sorted(lines[name].items()) if count == 0]
            if missed:
                print(f"  {name}: lines {missed}")
        line = share([count for name in files for count in lines[name].values()])
        branch = share([count for name in files for count in branches[name].values()])
        print(f"{room}: {line[0]} of {line[1]} lines ({line[2]:.1f} %), {branch[0]} of {branch[1]} branches ({branch[2]:.1f} %)")
        least = LIMITS.get(room, (0, 0))
        failed = failed or line[2] < least[0] or branch[2] < least[1]
    sys.exit(1 if failed else 0)


main()
