#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time `hgrid.KDTree` beside scipy's `cKDTree` on points of ten densities: trees.py [POINTS...]

Prints the milliseconds of making the tree and asking it for the k nearest of all its points in one time, on one thread each, and how many times
as long scipy took. Both take turns; medians of repeated measurements. Throws if their distances differ."""
import os
import statistics
import sys
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np
import scipy.spatial

import hgrid

NEIGHBORS = (1, 8, 64)


def directions(rng, n):
    v = rng.normal(size=(n, 3))
    return v / np.linalg.norm(v, axis=1)[:, None]


def systems(n, seed=1):
    """(name, points) of each density."""
    rng = np.random.default_rng(seed)
    blobs = rng.random((10, 3))[rng.integers(0, 10, n)] + 1e-3 * rng.normal(size=(n, 3)) * (np.arange(n) % 10 > 0)[:, None]
    line, plane = rng.random((n, 3)), rng.random((n, 3))
    line[:, 1:] = rng.integers(0, 4, (n, 2)) / 4 + 1e-6 * rng.random((n, 2))
    plane[:, 2] = rng.integers(0, 3, n)
    strays = rng.random((n, 3))
    strays[::50] *= 1e6
    same = rng.random((n, 3))
    same[::2] = same[0]
    yield "uniform", rng.random((n, 3))
    yield "density r^-3", directions(rng, n) * 10.0 ** rng.uniform(-6, 0, n)[:, None]
    yield "blobs", blobs
    yield "lines", line
    yield "planes", plane
    yield "shells", directions(rng, n) * (1 + rng.integers(0, 2, n))[:, None]
    yield "strays", strays
    yield "quantised", rng.integers(0, 32, (n, 3)) / 32
    yield "half at one place", same
    yield "log-normal", np.exp(2 * rng.normal(size=(n, 3)))


def measured(x, points, k):
    """Medians of (ours, scipy's) in seconds."""
    def ours():
        return hgrid.KDTree(x, threads="serial").query(points, k)[0]

    def theirs():
        return scipy.spatial.cKDTree(x).query(points, k)[0]

    times = ([], [])
    least = min(0.5, 2e-6 * len(x) * k)  # seconds of each
    while len(times[0]) < 3 or (sum(times[1]) < least and len(times[0]) < 200):
        found = []
        for ask, all_of in zip((ours, theirs), times):
            begin = time.thread_time()
            found.append(ask())
            all_of.append(time.thread_time() - begin)
        if not np.allclose(*found, rtol=1e-12, atol=0):
            raise RuntimeError("the distances differ")
    return [statistics.median(t) for t in times]


def main():
    ratios = []
    print("| points | density | " + " | ".join(f"k = {k}, ms | scipy / hgrid" for k in NEIGHBORS) + " |")
    print("|-|-|" + "-|-|" * len(NEIGHBORS))
    for n in [int(text) for text in sys.argv[1:]] or [1_000, 3_000, 10_000, 100_000]:
        for name, x in systems(n):
            points, row = x[np.random.default_rng(2).permutation(n)], []
            for k in NEIGHBORS:
                a, b = measured(x, points, k)
                ratios.append((b / a, n, name, k))
                row += [f"{1e3 * a:.2f}", f"{b / a:.2f}"]
            print(f"| {n:,} | {name} | " + " | ".join(row) + " |", flush=True)
    print(f"median {statistics.median(r[0] for r in ratios):.2f}; least {min(ratios)}")


if __name__ == "__main__":
    main()
