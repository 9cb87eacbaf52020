#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The time that Python adds to a step, build and list of a million pairs, over C++: step.py LIBHGRID.A [THREADS]
It compiles step.cpp with that library, runs both by turns, and prints nanoseconds per particle, medians of all steps, and the bytes a
particle that the first step takes at most."""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import hgrid
import kept

N, TURNS = 1_000_000, 5


def main():
    library, threads = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else "1"
    rng = np.random.default_rng(1)
    x, r = rng.random((N, 3)), np.full(N, (0.62 / N * 3 / 4 / np.pi) ** (1 / 3))
    with tempfile.TemporaryDirectory() as folder:
        program, numbers = f"{folder}/step", f"{folder}/numbers"
        np.concatenate([x.ravel(), r]).tofile(numbers)
        kept.compile(pathlib.Path(__file__).with_suffix(".cpp"), library, program)
        before = kept.begin_peak()
        first = hgrid.Grid(threads=int(threads)).build(x, r).pairs()
        python_bytes = (kept.memory("VmHWM") - before) / N
        cpp, python = [], []
        for _ in range(TURNS):
            done = subprocess.run([program, numbers, str(N), threads], check=True, capture_output=True, text=True)
            cpp_bytes, *times = map(float, done.stdout.split())
            cpp += times
            grid = hgrid.Grid(threads=int(threads))
            pairs = None
            for step in range(15):
                start = time.perf_counter_ns()
                pairs = grid.build(x, r).pairs()
                if step >= 5:
                    python.append((time.perf_counter_ns() - start) / N)
        print(f"{pairs.size} pairs, {threads} threads: C++ {statistics.median(cpp):.1f} ns, Python {statistics.median(python):.1f} ns")
        print(f"C++ {cpp_bytes:.1f} bytes, Python {python_bytes:.1f} bytes, the result {first.ij.nbytes / N:.1f}, the input 32")


main()
