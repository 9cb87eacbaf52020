#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the registers and stack of the library's kernels against a budget: kernel_registers.py LIBRARY
ARCHITECTURES, for which it was built, as CMake names them. They are read from the machine code in the library, which was not compressed;
a kernel without a stack has no spills."""
import pathlib
import re
import sys

from machine_code import demangled, kernels, machine_codes

# The part of a demangled name that decides, and the registers a thread may have; a second number is for sm_90. From sm_100 on the
# compiler takes more, and launch bounds hold the searches. Nothing may spill on any, but for the count of work, which reports and
# is in no time loop.
BUDGET = [
    (r"run_blocks<.*SearchStrips<.*OpenGrid", 40),         # 12 blocks of 128 threads on a multiprocessor
    (r"run_blocks<.*SearchInPlace<", 64),                  # 8 blocks of 128 threads
    (r"run_blocks<.*(Count|Fill)InPlace<", 64),            # the same
    (r"run_blocks<.*QueueStrips<.*OpenGrid", 56),          # several slots a thread
    (r"run_blocks<.*QueueStrips<.*(PeriodicGrid|ManyWorlds)", 96),
    (r"run_blocks<.*QueueStrips<", 96),
    (r"run_blocks<.*SearchStrips<.*PeriodicGrid", 80),
    (r"run_blocks<.*SearchSlots<.*(ManyWorlds|ExtendedWorlds)", 72),
    (r"run_blocks<.*SearchSlots<", 64),                     # images, groups, both orders of keys, both tables
    (r"run_blocks<.*SearchStrips<", 72),                    # and the clip to a sphere in an image's frame
    (r"run_blocks<.*Sort(Short|Long)Lists", 40),
    (r"fold<.*(CountWork|WorkCount)", None),
    (r"fold<.*InspectExtents", 96, 104),                  # one pass over the input, bound by memory
    (r"fold<.*OpenBox", 96),                              # the same
    (r"fold<.*Inspect(Particle|Exclusions|Cutoffs)<", 128),  # also 4 blocks of 128 threads
    (r"fold<", 96),
    (r"run_each<.*Asking.*TouchesMesh", 192),             # a search, and the distances of triangles around
    (r"run_each<.*BoxTriangle", 72),                      # a triangle a thread, once a list
    (r"run_each<.*SeekAround", 128),                      # the same, and the planes of triangles around
    (r"run_each<.*Asking.*IfAnswered", 176),              # kernels of ranks, which also find the owner of a point
    (r"run_each<.*AskingSlots", 136),                     # views of two grids, once a list; on sm_80 at most 123
    (r"run_each<.*Asking.*ManyWorlds", 128),              # few regions, each a search of its own
    (r"run_each<.*Asking", 116),
    (r"run_each<.*NearByCells<.*UprightWorld", 128),      # 2 blocks of 256 threads
    (r"run_each<.*NearByCells<", 168),                    # and the images of a tilted box
    (r"run_each<.*NearByBoxes<.*UprightWorld", 104),
    (r"run_each<.*NearByBoxes<", 136),
    (r"run_each<.*MeasureSpacing<", 56),                  # a thread a world
    (r"run_each<.*(ManyWorlds|BoxesOfWorlds|MeasureWorlds)", 50),
    (r"run_each<.*CountPeriods<", 56),                    # nearest vectors of tilted boxes, once a step with `wrapped`
    (r"run_each<.*CompareBoxes", 120),                    # a thread a world, once a step
    (r"run_blocks<.*SortBuckets<", 64),                   # 8 blocks of 128 threads, for which scratch has room
    (r"run_each<.*GatherSlot<", 48),                      # positions of tilted boxes; 10 blocks of 128 threads, by memory
    (r"run_each<.*MarkReported", 64),                     # the contact points of pairs, once a list
    (r"run_each<.*(Count|Take)Reported", 104, 136),       # the same of two sets, by list; on sm_80 at most 98
    (r"run_each<.*FinishNearest", 40, 48),                # once for each point
    (r"run_each<.*TakeBorder", 40, 48),                   # borders of ranks, once a step
    (r"run_each<.*PlaceWork", None),                      # the count of work again, when space is cut
    (r"run_each<", 40),
]


def main():
    built_for = {int(name) for name in re.findall(r"\d+", sys.argv[2])}
    seen, breaches, architectures = {pattern: 0 for pattern, *_ in BUDGET}, [], set()
    for architecture, elf in machine_codes(pathlib.Path(sys.argv[1]).read_bytes()):
        found = {name: facts for name, facts in kernels(elf).items() if "5hgrid" in name}
        architectures |= {architecture} if found else set()
        for name, facts in zip(demangled(found), found.values()):
            pattern, *budgets = next((entry for entry in BUDGET if re.search(entry[0], name)), (None,))
            if pattern is None:
                continue  # CUB's
            seen[pattern] += 1
            budget = budgets[-1 if architecture >= 90 else 0]
            if budget is not None and (facts["registers"] > budget and architecture < 100 or facts["stack"] > 0):
                breaches.append(f"sm_{architecture} {name}: {facts['registers']} registers of {budget}, stack {facts['stack']}")
    print("\n".join(f"{count:4} kernels  {pattern}" for pattern, count in seen.items()))
    if architectures != built_for:
        sys.exit(f"machine code for {sorted(architectures)}, not {sorted(built_for)}")
    if min(seen.values()) == 0:
        sys.exit("the budget names kernels that are not there")
    if breaches:
        sys.exit("\n".join(breaches))


main()
