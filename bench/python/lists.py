#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time per entry of neighbor lists over the number of neighbors and over the size ratio, for hgrid and other codes of Python:
lists.py RESULTS.json PICTURE.png [measure]
Full lists with images (`ijS`) on one thread, of 20,000 random points in a periodic cube, whose radii are so large that particles
have so many neighbors on the average. hgrid twice: a new list each time, as the others, and a grid that is kept. Codes that have
one cutoff only take the sum of the largest two radii, and the pairs that touch are picked from it; scipy has no images. A code is left out
where one list takes over ten seconds, or has over fifty million pairs."""
import importlib.metadata
import os
import statistics
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import matplotlib
import numpy as np
import scipy.spatial
import vesin
from matscipy_neighbours import neighbour_list

import hgrid
import kept

matplotlib.use("Agg")
import matplotlib.pyplot as plt

N, MOST_SECONDS, MOST_PAIRS = 20_000, 10, 50_000_000
CASES = [("neighbors", k, 1) for k in (2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)] + \
        [("ratio, 10 neighbors", 10, ratio) for ratio in (1, 3, 10, 30, 100)] + \
        [("ratio, 64 neighbors", 64, ratio) for ratio in (1, 3, 10, 30, 100)]


def system(neighbors, ratio):
    rng = np.random.default_rng(1)
    r = (1 - rng.random(N) * (1 - ratio**-2.0)) ** -0.5
    cubes = 2 * (r**3).mean() + 6 * (r**2).mean() * r.mean()
    r *= (neighbors / (N * 4 / 3 * np.pi * cubes)) ** (1 / 3)
    return rng.random((N, 3)), r


class Kept:
    """A grid that is built again for each list."""

    def __init__(self):
        self.grid = hgrid.Grid(hgrid.Box(((0, 0, 0), (1, 1, 1)), periodic=True), threads="serial")

    def __call__(self, x, r):
        self.grid.build(x, r)
        return len(self.grid.neighbors().indices)


def pick(x, r, i, j, shift):
    """How many of the pairs within the largest cutoff touch."""
    if r.min() == r.max():
        return len(i)
    return int((((x[i] - x[j] - shift) ** 2).sum(axis=1) < (r[i] + r[j]) ** 2).sum())


def by_vesin(x, r):
    i, j, shift = vesin.NeighborList(cutoff=2 * r.max(), full_list=True, n_threads=1).compute(x, np.eye(3), True, "ijS")
    return pick(x, r, i, j, shift)


def by_scipy(x, r):
    pairs = scipy.spatial.cKDTree(x, boxsize=1).query_pairs(2 * r.max(), output_type="ndarray")
    i, j = pairs[:, 0], pairs[:, 1]
    both = np.concatenate([i, j]), np.concatenate([j, i])
    d = x[both[0]] - x[both[1]]
    return pick(x, r, *both, np.round(d)) if r.min() < r.max() else len(both[0])


# Name: whether it looks at all pairs within the largest cutoff, and the number of entries.
CODES = {
    "hgrid, a grid kept": (False, None),
    "hgrid": (False, lambda x, r: len(hgrid.neighbor_list("ijS", positions=x, cell=np.eye(3), pbc=True, cutoff=r, threads="serial")[0])),
    "matscipy-neighbours": (False, lambda x, r: len(neighbour_list("ijS", positions=x, cell=np.eye(3), pbc=True, cutoff=r)[0])),
    "vesin": (True, by_vesin),
    "scipy, no images": (True, by_scipy),
}


def measure():
    rows = []
    for axis, neighbors, ratio in CASES:
        x, r = system(neighbors, ratio)
        within = N * N * min(1.0, 4 / 3 * np.pi * (2 * r.max()) ** 3)
        entries = None
        for code, (looks_at_all, run) in CODES.items():
            if looks_at_all and (within > MOST_PAIRS or 2 * r.max() > 0.5):
                continue
            run = run or Kept()
            times = []
            for _ in range(7):
                start = time.perf_counter()
                found = run(x, r)
                times.append(time.perf_counter() - start)
                if sum(times) > MOST_SECONDS:
                    break
            entries = entries or found
            assert abs(found - entries) <= 2, (code, axis, neighbors, ratio, found, entries)  # at the distance of touching
            rows.append({"axis": axis, "code": code, "neighbors": neighbors, "ratio": ratio, "runs": len(times), "entries": entries,
                         "ns": round(statistics.median(times[1:] or times) / entries * 1e9, 2)})
            print(rows[-1], flush=True)
    versions = {name: importlib.metadata.version(name) for name in ("matscipy-neighbours", "vesin", "scipy", "numpy")}
    return {"unit": "nanoseconds an entry, medians", "particles": N, "versions": {"hgrid": hgrid.__version__, **versions}, "rows": rows}


def draw(results, path):
    figure, panels = plt.subplots(1, 3, figsize=(12, 3.8), sharey=True)
    for panel, axis in zip(panels, dict.fromkeys(case[0] for case in CASES)):
        along = "ratio" if axis.startswith("ratio") else "neighbors"
        for code in CODES:
            points = [(row[along], row["ns"]) for row in results["rows"] if (row["code"], row["axis"]) == (code, axis)]
            style = {"linewidth": 2.5 if code.startswith("hgrid") else 1.2, "marker": "o", "label": code}
            panel.plot(*zip(*points), **style) if points else panel.plot([], [], **style)
        panel.set(xscale="log", yscale="log", title=axis,
                  xlabel="largest radius over smallest" if along == "ratio" else "neighbors of a particle")
        panel.grid(alpha=0.25)
    panels[0].set_ylabel("ns an entry")
    panels[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    figure.tight_layout()
    figure.savefig(path, dpi=90)


kept.main(measure, draw)
