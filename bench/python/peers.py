#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time per particle over the size ratio, for hgrid and other neighbor lists of Python: peers.py RESULTS.json PICTURE.png [measure]
Full lists of all that touch, on one thread: 20,000 spheres, number of radii as r^-3 from 1 to the ratio, placed at random in an open
box with packing fraction 0.62. Codes that have one cutoff only take the sum of the largest two radii, and the pairs that touch are
picked from it. A code is left out from the ratio on where one list takes over ten seconds, or has over fifty million pairs."""
import importlib.metadata
import os
import statistics
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import ase.neighborlist
import matplotlib
import numpy as np
import scipy.spatial
import vesin
from matscipy_neighbours import neighbour_list

import hgrid
import kept

matplotlib.use("Agg")
import matplotlib.pyplot as plt

N, RATIOS, MOST_SECONDS, MOST_PAIRS = 20_000, (1, 2, 3, 5, 10, 20, 30, 50, 70, 100), 10, 50_000_000


def system(ratio):
    rng = np.random.default_rng(ratio)
    r = (1 - rng.random(N) * (1 - ratio**-2.0)) ** -0.5
    side = ((4 / 3 * np.pi * r**3).sum() / 0.62) ** (1 / 3)
    return rng.random((N, 3)) * side, r, side


def pick(x, r, pairs):
    """Returns the touching pairs among pairs within the largest cutoff."""
    i, j = pairs
    return i[np.sqrt(((x[i] - x[j]) ** 2).sum(axis=1)) < r[i] + r[j]]


def by_scipy(x, r, side):
    pairs = scipy.spatial.cKDTree(x).query_pairs(2 * r.max(), output_type="ndarray")
    once = pick(x, r, (pairs[:, 0], pairs[:, 1]))
    return np.concatenate([once, once])


# Name: whether it looks at all pairs within the largest cutoff, and the first particle of each entry.
CODES = {
    "hgrid": (False, lambda x, r, side: hgrid.neighbor_list("ij", positions=x, cutoff=r, threads="serial")[0]),
    "matscipy-neighbours": (False, lambda x, r, side: neighbour_list("ij", positions=x, cell=np.eye(3) * side, pbc=False, cutoff=r)[0]),
    "ASE": (True, lambda x, r, side: ase.neighborlist.primitive_neighbor_list("ij", (False,) * 3, np.eye(3) * side, x, r)[0]),
    "vesin": (True, lambda x, r, side: pick(x, r, vesin.NeighborList(cutoff=2 * r.max(), full_list=True, n_threads=1).compute(
        x, np.eye(3) * side, False, "ij"))),
    "scipy": (True, by_scipy),
}


def measure():
    rows, out = [], set()
    for ratio in RATIOS:
        x, r, side = system(ratio)
        within = N * N * min(1.0, 4 / 3 * np.pi * (2 * r.max() / side) ** 3)
        entries = len(CODES["hgrid"][1](x, r, side))
        for code, (looks_at_all, run) in CODES.items():
            if code in out or looks_at_all and within > MOST_PAIRS:
                out.add(code)
                continue
            times = []
            for _ in range(7):
                start = time.perf_counter()
                found = len(run(x, r, side))
                times.append(time.perf_counter() - start)
                if sum(times) > MOST_SECONDS:
                    break
            assert found == entries, (code, ratio, found, entries)
            rows.append({"code": code, "ratio": ratio, "ns": round(statistics.median(times) / N * 1e9, 1), "runs": len(times),
                         "entries": round(entries / N, 2)})
            print(rows[-1], flush=True)
            if statistics.median(times) > MOST_SECONDS:
                out.add(code)
    versions = {name: importlib.metadata.version(name) for name in ("hgrid", "ase", "matscipy-neighbours", "vesin", "scipy", "numpy")}
    return {"unit": "nanoseconds a particle, medians", "particles": N, "versions": versions, "rows": rows}


def draw(results, path):
    figure, axis = plt.subplots(figsize=(8.5, 4))
    for code in CODES:
        points = [(row["ratio"], row["ns"]) for row in results["rows"] if row["code"] == code]
        axis.plot(*zip(*points), marker="o", linewidth=2.5 if code == "hgrid" else 1.2, label=code)
    axis.set(xscale="log", yscale="log", xlabel="largest radius over smallest", ylabel="ns a particle",
             title="All neighbors of 20,000 spheres, one thread")
    axis.grid(alpha=0.25)
    axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    figure.tight_layout()
    figure.savefig(path, dpi=90)


kept.main(measure, draw)
