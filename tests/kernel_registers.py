#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the CUDA library by itself, with warnings as errors, and holds its kernels' registers, stack and spills against a
budget: kernel_registers.py NVCC KERNELS_FOLDER INCLUDE_FOLDER..."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What of a demangled name decides, and the registers a thread may have. Nothing may spill, but for the count of work,
# which reports and is in no time loop.
BUDGET = [
    (r"run_blocks<.*(SearchSlots|QueueRows|SearchRows)<.*PlainGrid", 40),  # 12 blocks of 128 threads on a multiprocessor
    (r"run_blocks<.*(SearchSlots|QueueRows)<", 64),       # images, groups, both orders of keys, both tables
    (r"run_blocks<.*SearchRows<", 72),                    # and the clip to a sphere in an image's frame
    (r"run_blocks<.*SortLongRows", 40),
    (r"fold<.*(CountWork|WorkCount)", None),
    (r"fold<", 96),                                       # one pass over the input, bound by memory
    (r"run_each<.*InRegion", 116),                        # few regions, each a search of its own
    (r"run_each<", 40),
]


def kernels(text):
    entry = r"Compiling entry function '(\S+)' for '(\S+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, " \
            r"(\d+) bytes spill loads.*?Used (\d+) registers"
    for found in re.finditer(entry, text, re.S):
        name = subprocess.run(["c++filt", found[1]], capture_output=True, text=True, check=True).stdout.strip()
        yield name, found[2], int(found[3]), int(found[4]) + int(found[5]), int(found[6])


def compiled(command, source):
    """What the compiler says."""
    with tempfile.NamedTemporaryFile(suffix=".o") as out:
        done = subprocess.run([*command, str(source), "-o", out.name], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return done.stdout + done.stderr


def main():
    nvcc, folder, includes = sys.argv[1], sys.argv[2], sys.argv[3:]
    command = [nvcc, "-std=c++20", "-O3", "--fmad=false", "-Xcompiler=-ffp-contract=off,-fopenmp,-Wall,-Wextra,-Werror",
               "-Werror=all-warnings", "-Xptxas=-v",
               "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90", "-c",
               *(f"-I{include}" for include in includes)]
    seen, breaches = {pattern: 0 for pattern, _ in BUDGET}, []
    sources = sorted(pathlib.Path(folder).glob("*.cu"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda source: compiled(command, source), sources))
    for source, text in zip(sources, said):
        for name, target, stack, spills, registers in kernels(text):
            if not source.name.startswith("instances_"):
                continue  # CUB's
            pattern, budget = next(entry for entry in BUDGET if re.search(entry[0], name))
            seen[pattern] += 1
            if budget is not None and (registers > budget or stack > 0 or spills > 0):
                breaches.append(f"{target} {name}: {registers} registers of {budget}, stack {stack}, spills {spills}")
    print("\n".join(f"{count:4} kernels  {pattern}" for pattern, count in seen.items()))
    if min(seen.values()) == 0:
        sys.exit("the budget names kernels that are not there")
    if breaches:
        sys.exit("\n".join(breaches))


main()
