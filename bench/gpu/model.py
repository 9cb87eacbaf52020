#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts what the warps of one step do, without a device, and reckons from it how long an H100 and an H200 should take:
model.py STEP [--n N] [--ratios R,R | --files FILE ...] [--periodic] [--buckets] [--in-order] [--brief], STEP being gpu_step_emulated
of a build, and a file holding particles as bench/gpu/particles.hpp says; with --buckets they are sorted into buckets, with --in-order
they come in the order of their slots, with --packing random ones have that packing fraction.
With gpu_lists_emulated it counts the sort of lists of --n particles, --ratios being their mean lengths, for each entry.

Instructions are those of the machine code for sm_90: warps are counted in each basic block of the PTX, and ptxas says how many
instructions a block becomes (machine_blocks.py). Without ptxas or readelf they are the PTX's, scaled by the kernel's machine code.

All times are predictions. The constants below are a cycle-level simulator's, corrected by measurements on an H100 (docs/notes.md has predicted and
measured times). They are left alone while kernels are tuned by them."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parents[2] / "tests"))
from machine_blocks import machine_blocks  # noqa: E402
from machine_code import kernels, machine_codes  # noqa: E402

CYCLES = 132 * 4 * 1.98e9       # of all schedulers in a second: multiprocessors, schedulers, clock
ISSUE = {"InPlace<": 0.56, "": 0.5}  # share of cycles with an instruction; of those in place that of the search for pairs
MEMORY = {"H100": 3.0e12, "H200": 4.3e12}  # bytes a second, of what is touched for the first time
CACHE = 5.5e12                  # bytes a second from and to the second-level cache
CACHE_BYTES = 40e6              # of it: a step that touches less finds everything there
SCATTERED = "GatherSlot", "SearchStrips"  # kernels that read sectors at random: beyond the cache, all of them come from memory
RANDOM = {"H100": 1.8e12, "H200": 2.6e12}  # bytes a second of theirs; that of the H200 in proportion, and not measured
NODE = 0.65e-6                  # s between two nodes of a graph
LEAST = {"FillDenseRows": 16e-6, "Onesweep": 7e-6, "": 2.2e-6}  # s that a kernel takes at least: some have a long chain in one thread
LEAST_OTHER = 1.3e-6            # the same of a memset or copy
SIZES = 1e6, 1e7, 1e8
ARCHITECTURE = 90


def count(step, *system):
    """What the program printed, and a row for each node of the step."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "counts.jsonl")
        done = subprocess.run([step, *system], env=os.environ | {"EMU_COUNTS": path}, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        with open(path, encoding="utf-8") as lines:
            return json.loads(done.stdout), [json.loads(line) for line in lines]


def machine_instructions(step):
    """{linked name: instructions of the machine code}"""
    found = {}
    for here, elf in machine_codes(pathlib.Path(step).read_bytes()):
        if here == ARCHITECTURE:
            found |= {name: facts["instructions"] for name, facts in kernels(elf).items()}
    return found


def short(label):
    label = re.sub(r"hgrid::v\d+_\d+::|detail::|cub::CUB_\w+::(radix_sort::|scan::)?", "", label)
    return re.sub(r"^void (?:run_each|run_blocks|fold<[^,]*>+, )?<?|^void ", "", label).split("(")[0][:44]


def issued(row, blocks, machine):
    """Instructions that warps issue in a kernel."""
    if row["name"] in blocks:
        return sum(entered * n for entered, n in zip(row["entered"], blocks[row["name"]]))
    return row["issued"] * (machine[row["name"]] / row["instructions"] if row["name"] in machine else 1)


def of_kernel(table, row):
    return next(value for name, value in table.items() if name in row["kernel"])


def seconds(row, size, card, touches_memory):
    first, moved = row["first_read"] + row["first_written"], row["read"] + row["written"]
    is_scattered = any(name in row["kernel"] for name in SCATTERED)
    from_memory = moved / RANDOM[card] if is_scattered else first / MEMORY[card]
    work = size * max(row["issued"] / (CYCLES * of_kernel(ISSUE, row)), from_memory if touches_memory else 0, max(moved, first) / CACHE)
    least = of_kernel(LEAST, row) if "name" in row else LEAST_OTHER
    return NODE + max(work, least)


def reckon(rows, counted, blocks, machine):
    """Rows with the figures a particle, and microseconds on each card at each size."""
    for row in rows:
        row["issued"] = issued(row, blocks, machine) / counted if "name" in row else 0
        for field in ("read", "written", "first_read", "first_written"):
            row[field] = row.get(field, 0) / counted
    touched = sum(row["first_read"] + row["first_written"] for row in rows)
    for row in rows:
        row["us"] = [1e6 * seconds(row, size, card, touched * size >= CACHE_BYTES) for size in SIZES for card in MEMORY]
    return rows


def table(facts, rows, brief):
    n = facts["n"]
    if "lists" in facts:
        print(f"{n} entries of {facts['lists']} lists; predicted, not measured")
    else:
        print(f"{n} particles, system {facts['system']}, {facts['levels']} level(s), {facts['cells'] / n:.2f} cells and "
              f"{facts['pairs'] / n:.2f} pairs a particle; predicted, not measured")
    print(f"{'node':44} {'instr./32':>9} {'lanes':>5} {'from L2':>8} {'to L2':>7} {'new':>7} "
          + " ".join(f"{f'{card} {size:.0e}':>10}" for size in SIZES for card in MEMORY) + "  us")
    for row in [] if brief else rows:
        print(f"{short(row['kernel']):44} {32 * row['issued']:9.1f} {row.get('lanes', 0):5.1f} {row['read']:8.1f} "
              f"{row['written']:7.1f} {row['first_read'] + row['first_written']:7.1f} "
              + " ".join(f"{time:10.1f}" for time in row["us"]))
    total = lambda field: sum(row[field] for row in rows)
    print(f"{f'{len(rows)} nodes':44} {32 * total('issued'):9.1f} {'':5} {total('read'):8.1f} {total('written'):7.1f} "
          f"{total('first_read') + total('first_written'):7.1f} "
          + " ".join(f"{sum(row['us'][k] for row in rows):10.1f}" for k in range(len(SIZES) * len(MEMORY))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step")
    parser.add_argument("--n", type=int, default=20000)
    parser.add_argument("--ratios", default="1,100")
    parser.add_argument("--files", nargs="+")
    parser.add_argument("--periodic", action="store_true")
    parser.add_argument("--buckets", action="store_true")
    parser.add_argument("--in-order", action="store_true")
    parser.add_argument("--packing")
    for name in ("standing", "building", "list", "full"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--brief", action="store_true")
    options = parser.parse_args()
    machine, blocks = machine_instructions(options.step), {}
    systems = [[file] for file in options.files] if options.files else [[str(options.n), ratio] for ratio in options.ratios.split(",")]
    chosen = [f"--{name}" for name in ("periodic", "buckets", "in-order") if getattr(options, name.replace("-", "_"))]
    chosen += ["--packing", options.packing] if options.packing else []
    chosen += [f"--{name}" for name in ("standing", "building", "list", "full") if getattr(options, name)]
    for system in systems:
        facts, rows = count(os.path.abspath(options.step), *chosen, *system)
        names = {row["name"] for row in rows if "name" in row}
        blocks |= machine_blocks(options.step, names - blocks.keys(), ARCHITECTURE)
        table(facts, reckon(rows, facts["n"], blocks, machine), options.brief)


main()
