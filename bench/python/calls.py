#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time a call for the neighbor list of one system over its number of atoms, and of a thousand small ones, for hgrid and other
codes of Python: calls.py RESULTS.json PICTURE.png [measure]
Full lists with images and distances (`ijSd`) on one thread, of random points in a periodic cube with 60 neighbors each; in batches
each system has a cell of its own. scipy and freud have no images. A code is left out once a call has taken over half a second.
calls.py least ATOMS...: the least time of a call of hgrid and of vesin, by turns, which other work on the machine disturbs less."""
import importlib.metadata
import os
import statistics
import sys
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import ase.neighborlist
import freud
import matplotlib
import numpy as np
import scipy.spatial
import vesin
from matscipy_neighbours import neighbour_list

import hgrid
import kept

matplotlib.use("Agg")
import matplotlib.pyplot as plt

freud.parallel.set_num_threads(1)
NEIGHBORS, MOST_SECONDS = 60, 0.5
ATOMS = (10, 30, 100, 300, 1_000, 10_000, 100_000, 1_000_000)
BATCHES = ((1000, 20), (200, 100))  # systems, atoms of each


def system(atoms, systems=1):
    """Positions, one system after the other, and the side of the cube; the cutoff is 1."""
    side = (atoms * 4 / 3 * np.pi / NEIGHBORS) ** (1 / 3)
    return np.random.default_rng(1).random((systems * atoms, 3)) * side, side


def by_vesin(quantities, x, side, periodic=True):
    return vesin.NeighborList(cutoff=1.0, full_list=True, n_threads=1).compute(x, np.eye(3) * side, periodic, quantities)[0]


def by_hgrid(quantities, x, side, periodic=True):
    cell = np.eye(3) * side if periodic else None
    return hgrid.neighbor_list(quantities, positions=x, cell=cell, pbc=periodic, cutoff=1.0, threads="serial")[0]


def by_freud(x, side):
    query = freud.locality.AABBQuery(freud.box.Box.cube(side), x - side / 2)
    return query.query(x - side / 2, {"r_max": 1.0, "exclude_ii": True}).toNeighborList().distances


def by_scipy(x, side):
    tree = scipy.spatial.cKDTree(x % side, boxsize=side)
    found = tree.sparse_distance_matrix(tree, 1.0, output_type="ndarray")
    return found["i"][found["i"] != found["j"]]


# Name: from how many atoms on a system is larger than twice the cutoff, as the code needs, and the entries of one.
CODES = {
    "hgrid": (0, lambda x, side: by_hgrid("ijSd", x, side)),
    "vesin": (0, lambda x, side: by_vesin("ijSd", x, side)),
    "matscipy-neighbours": (0, lambda x, side: neighbour_list("ijSd", positions=x, cell=np.eye(3) * side, pbc=True, cutoff=1.0)[0]),
    "ASE": (0, lambda x, side: ase.neighborlist.primitive_neighbor_list("ijSd", (True,) * 3, np.eye(3) * side, x, 1.0)[0]),
    "freud, no images": (300, by_freud),
    "scipy, no images": (300, by_scipy),
}


def sides(systems, side):
    return side * np.linspace(1, 1.001, systems)


def each(call, systems, atoms, x, side, periodic):
    return sum(len(call("ijSd", x[k * atoms:(k + 1) * atoms], own, periodic)) for k, own in enumerate(sides(systems, side)))


def at_once(systems, atoms, x, side, periodic):
    cells = np.eye(3) * sides(systems, side)[:, None, None] if periodic else None
    lists = hgrid.neighbor_lists("ijSd", positions=x, offsets=np.arange(systems + 1) * atoms, cell=cells, pbc=periodic, cutoff=1.0,
                                 threads="serial")
    return len(lists.arrays[0])


BATCHED = {
    "hgrid, neighbor_lists": at_once,
    "hgrid, a loop": lambda *batch: each(by_hgrid, *batch),
    "vesin, a loop": lambda *batch: each(by_vesin, *batch),
}


def timed(run):
    """The median time of a call in microseconds, after a first one, and what it gives."""
    found, times = run(), []
    begin = time.perf_counter()
    while not times or (len(times) < 1000 and time.perf_counter() - begin < 1):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return round(statistics.median(times) * 1e6, 1), found


def measure():
    rows, out = [], set()
    for atoms in ATOMS:
        x, side = system(atoms)
        entries = None
        for code, (least, run) in CODES.items():
            if code in out or atoms < least:
                continue
            us, found = timed(lambda: len(run(x, side)))
            entries = entries or found
            assert abs(found - entries) <= 1e-6 * entries, (code, atoms, found, entries)  # freud is of single precision
            rows.append({"code": code, "atoms": atoms, "entries": entries, "us": us})
            print(rows[-1], flush=True)
            if us > MOST_SECONDS * 1e6:
                out.add(code)
    for systems, atoms in BATCHES:
        x, side = system(atoms, systems)
        for periodic in (False, True):
            entries = None
            for code, run in BATCHED.items():
                us, found = timed(lambda: run(systems, atoms, x, side, periodic))
                entries = entries or found
                assert found == entries, (code, systems, periodic, found, entries)
                rows.append({"code": code, "systems": systems, "atoms": atoms, "periodic": periodic, "us_each": round(us / systems, 2)})
                print(rows[-1], flush=True)
    names = ("vesin", "matscipy-neighbours", "ase", "freud-analysis", "scipy", "numpy")
    return {"unit": "microseconds a call, medians", "neighbors": NEIGHBORS,
            "versions": {"hgrid": hgrid.__version__, **{name: importlib.metadata.version(name) for name in names}}, "rows": rows}


def draw(results, path):
    figure, panel = plt.subplots(figsize=(8.5, 4))
    for code in CODES:
        points = [(row["atoms"], row["us"] / row["atoms"]) for row in results["rows"] if row["code"] == code]
        panel.plot(*zip(*points), marker="o", linewidth=2.5 if code == "hgrid" else 1.2, label=code)
    panel.set(xscale="log", yscale="log", xlabel="atoms", ylabel="µs an atom", title="A neighbor list of 60 neighbors each, one call")
    panel.grid(alpha=0.25)
    panel.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    figure.tight_layout()
    figure.savefig(path, dpi=90)


def least(atoms):
    x, side = system(atoms)
    times, begin = {"hgrid": [], "vesin": []}, time.perf_counter()
    while len(times["vesin"]) < 20 or time.perf_counter() - begin < 5:
        for code, found in times.items():
            start = time.perf_counter()
            CODES[code][1](x, side)
            found.append(time.perf_counter() - start)
    us = {code: round(min(found) * 1e6, 1) for code, found in times.items()}
    print({"atoms": atoms, **us, "ratio": round(us["hgrid"] / us["vesin"], 2)}, flush=True)


if sys.argv[1:2] == ["least"]:
    for number in map(int, sys.argv[2:]):
        least(number)
else:
    kept.main(measure, draw)
