#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts what the warps of one step do, without a device, and reckons from it how long an H200 should take:
model.py STEP [--n N] [--ratios R,R | --files FILE ...] [--periodic] [--counting] [--brief], STEP being gpu_step_emulated of a
build, and a file holding particles as bench/gpu/particles.hpp says; with --counting they come in the order of their slots.
With gpu_lists_emulated it counts the sort of lists of --n particles, --ratios being their mean lengths, for each entry.

All times are predictions. The constants below were committed before the kernels were changed for speed, and stay as they are
until a device has confirmed or refuted them: then the differences are written to docs/notes/gpu.md, line by line."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parents[2] / "tests"))
from machine_code import kernels, machine_codes  # noqa: E402

ISSUE = 132 * 4 * 1.98e9 * 0.6  # instructions of warps a second: multiprocessors, schedulers, clock, share of cycles with one
MEMORY = 4.3e12                 # bytes a second, of what is touched for the first time
CACHE = 5.5e12                  # bytes a second from and to the second-level cache
CACHE_BYTES = 40e6              # of it: a step that touches less finds everything there
NODE = 0.65e-6                  # s between two nodes of a graph
LEAST = 2.2e-6                  # s that a kernel takes at least
LEAST_OTHER = 1.3e-6            # the same of a memset or copy
SIZES = 1e6, 1e7, 1e8


def count(step, *system):
    """What the program printed, and a row for each node of the step."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "counts.jsonl")
        done = subprocess.run([step, *system], env=os.environ | {"EMU_COUNTS": path}, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        with open(path, encoding="utf-8") as lines:
            return json.loads(done.stdout), [json.loads(line) for line in lines]


def machine_instructions(step, architecture=90):
    """{linked name: instructions of the machine code}"""
    found = {}
    for here, elf in machine_codes(pathlib.Path(step).read_bytes()):
        if here == architecture:
            found |= {name: facts["instructions"] for name, facts in kernels(elf).items()}
    return found


def short(label):
    label = re.sub(r"hgrid::v\d+_\d+::|detail::|cub::CUB_\w+::(radix_sort::|scan::)?", "", label)
    return re.sub(r"^void (?:run_each|run_blocks|fold<[^,]*>+, )?<?|^void ", "", label).split("(")[0][:44]


def reckon(rows, counted, machine, n):
    """Rows with the figures a particle, and microseconds at each size."""
    touched = sum(row.get("first_read", 0) + row["first_written"] for row in rows) / counted
    for row in rows:
        scale = machine[row["name"]] / row["instructions"] if row.get("name") in machine and row["instructions"] else 1
        row["issued"] = row.get("issued", 0) * scale / counted
        for field in ("read", "written", "first_read", "first_written"):
            row[field] = row.get(field, 0) / counted
        row["us"] = []
        for size in n:
            first = row["first_read"] + row["first_written"]
            memory = 0 if touched * size < CACHE_BYTES else first / MEMORY
            work = size * max(row["issued"] / ISSUE, memory, max(row["read"] + row["written"], first) / CACHE)
            row["us"].append(1e6 * (NODE + max(work, LEAST if "name" in row else LEAST_OTHER)))
    return rows


def table(facts, rows, brief):
    n = facts["n"]
    if "lists" in facts:
        print(f"{n} entries of {facts['lists']} lists; predicted, not measured")
    else:
        print(f"{n} particles, system {facts['system']}, {facts['levels']} level(s), {facts['cells'] / n:.2f} cells and "
              f"{facts['pairs'] / n:.2f} pairs a particle; predicted, not measured")
    print(f"{'node':44} {'instr./32':>9} {'lanes':>5} {'from L2':>8} {'to L2':>7} {'new':>7} "
          + " ".join(f"{f'us, {size:.0e}':>10}" for size in SIZES))
    for row in [] if brief else rows:
        print(f"{short(row['kernel']):44} {32 * row['issued']:9.1f} {row.get('lanes', 0):5.1f} {row['read']:8.1f} "
              f"{row['written']:7.1f} {row['first_read'] + row['first_written']:7.1f} "
              + " ".join(f"{time:10.1f}" for time in row["us"]))
    total = lambda field: sum(row[field] for row in rows)
    print(f"{f'{len(rows)} nodes':44} {32 * total('issued'):9.1f} {'':5} {total('read'):8.1f} {total('written'):7.1f} "
          f"{total('first_read') + total('first_written'):7.1f} "
          + " ".join(f"{sum(row['us'][k] for row in rows):10.1f}" for k in range(len(SIZES))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step")
    parser.add_argument("--n", type=int, default=20000)
    parser.add_argument("--ratios", default="1,100")
    parser.add_argument("--files", nargs="+")
    parser.add_argument("--periodic", action="store_true")
    parser.add_argument("--counting", action="store_true")
    parser.add_argument("--brief", action="store_true")
    options = parser.parse_args()
    machine = machine_instructions(options.step)
    systems = [[file] for file in options.files] if options.files else [[str(options.n), ratio] for ratio in options.ratios.split(",")]
    chosen = [f"--{name}" for name in ("periodic", "counting") if getattr(options, name)]
    for system in systems:
        facts, rows = count(os.path.abspath(options.step), *chosen, *system)
        table(facts, reckon(rows, facts["n"], machine, SIZES), options.brief)


main()
