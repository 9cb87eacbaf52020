#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time a call for the neighbor list of one system over its number of atoms, and of batches of small ones, for hgrid and other
codes of Python: calls.py RESULTS.json PICTURE.png [measure]
Full lists with images and distances (`ijSd`) on one thread, of random points in a periodic cube with 60 neighbors each; in batches
each system has a cell of its own. Codes take turns, and the least time counts, which other work on the machine disturbs least.
scipy and freud have no images. A code but vesin is left out once a call has taken over half a second.
calls.py least QUANTITIES ATOMS...: hgrid and vesin alone, of any quantities, such as `ijSdD`.
calls.py dropins ATOMS...: the four functions that stand in for others, and vesin's."""
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
BATCHES = ((1, 20), (10, 20), (100, 20), (1000, 20), (200, 100))  # systems, atoms of each


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


def timed(runs, seconds=1.5):
    """The least and the median time of a call in microseconds of each code, after a first one, and its result."""
    found, times = {code: run() for code, run in runs.items()}, {code: [] for code in runs}
    begin = time.perf_counter()
    while min(map(len, times.values())) < 3 or time.perf_counter() - begin < seconds * len(runs):
        for code, run in runs.items():
            turn = time.perf_counter()
            while (start := time.perf_counter()) - turn < 0.3:  # so that caches have the code's own data
                run()
                times[code].append(time.perf_counter() - start)
    return {code: (round(min(t) * 1e6, 1), round(statistics.median(t) * 1e6, 1), found[code]) for code, t in times.items()}


def measure():
    rows, out = [], set()
    for atoms in ATOMS:
        x, side = system(atoms)
        times = timed({code: lambda run=run: len(run(x, side)) for code, (least, run) in CODES.items()
                       if code not in out and atoms >= least})
        entries = times["hgrid"][2]
        for code, (us, median, found) in times.items():
            assert abs(found - entries) <= 1e-6 * entries, (code, atoms, found, entries)  # freud is of single precision
            rows.append({"code": code, "atoms": atoms, "entries": entries, "us": us, "median": median})
            print(rows[-1], flush=True)
            if us > MOST_SECONDS * 1e6 and code not in ("hgrid", "vesin"):
                out.add(code)
    for systems, atoms in BATCHES:
        x, side = system(atoms, systems)
        for periodic in (False, True):
            times = timed({code: lambda run=run: run(systems, atoms, x, side, periodic) for code, run in BATCHED.items()})
            assert len({found for us, median, found in times.values()}) == 1, (systems, atoms, times)
            for code, (us, median, found) in times.items():
                rows.append({"code": code, "systems": systems, "atoms": atoms, "periodic": periodic,
                             "us_each": round(us / systems, 2), "median": round(median / systems, 2)})
                print(rows[-1], flush=True)
    names = ("vesin", "matscipy-neighbours", "ase", "freud-analysis", "scipy", "numpy")
    return {"unit": "microseconds a call, the least; in batches, of a system", "neighbors": NEIGHBORS,
            "versions": {"hgrid": hgrid.__version__, **{name: importlib.metadata.version(name) for name in names}}, "rows": rows}


def draw(results, path):
    figure, (single, batch) = plt.subplots(1, 2, figsize=(12, 4.4))
    for code in CODES:
        points = [(row["atoms"], row["us"] / row["atoms"]) for row in results["rows"] if row["code"] == code and "us" in row]
        single.plot(*zip(*points), marker="o", linewidth=2.5 if code == "hgrid" else 1.2, label=code)
    single.set(xlabel="atoms", ylabel="µs an atom", title="One call for a list of 60 neighbors each")
    for code in BATCHED:
        points = [(row["systems"], row["us_each"]) for row in results["rows"]
                  if row["code"] == code and row["atoms"] == BATCHES[0][1] and row.get("periodic")]
        batch.plot(*zip(*points), marker="o", linewidth=2.5 if code == "hgrid, neighbor_lists" else 1.2, label=code)
    batch.set(xlabel="systems of 20 atoms in a batch", ylabel="µs a system", title="Batches, periodic, a cell for each")
    for panel in (single, batch):
        panel.set(xscale="log", yscale="log")
        panel.grid(alpha=0.25)
        panel.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=90)


def least(quantities, atoms):
    x, side = system(atoms)
    runs = {"hgrid": lambda: by_hgrid(quantities, x, side), "vesin": lambda: by_vesin(quantities, x, side)}
    us = {code: time[0] for code, time in timed({code: lambda run=run: len(run()) for code, run in runs.items()}, 3).items()}
    print({"quantities": quantities, "atoms": atoms, **us, "ratio": round(us["hgrid"] / us["vesin"], 2)}, flush=True)


def dropins(atoms):
    x, side = system(atoms)
    cell, batch, periodic = np.eye(3) * side, np.zeros(atoms, np.int64), (True,) * 3
    own, peer = (code.NeighborList(cutoff=1.0, full_list=True, n_threads=1) for code in (hgrid, vesin))
    runs = {
        "neighbor_list": lambda: by_hgrid("ijSd", x, side),
        "primitive_neighbor_list": lambda: hgrid.primitive_neighbor_list("ijSd", periodic, cell, x, 1.0, threads="serial")[0],
        "NeighborList.compute": lambda: own.compute(x, cell, True, "ijSd")[0],
        "vesin.NeighborList.compute": lambda: peer.compute(x, cell, True, "ijSd")[0],
        "radius_graph": lambda: hgrid.radius_graph(x, 1.0, threads="serial")[0],
        "radius_graph with batch": lambda: hgrid.radius_graph(x, 1.0, batch, threads="serial")[0],
    }
    for call, (us, median, entries) in timed({call: lambda run=run: len(run()) for call, run in runs.items()}, 3).items():
        print({"call": call, "atoms": atoms, "entries": entries, "us": us, "median": median}, flush=True)


if sys.argv[1:2] == ["dropins"]:
    for number in map(int, sys.argv[2:]):
        dropins(number)
elif sys.argv[1:2] == ["least"]:
    for number in map(int, sys.argv[3:]):
        least(sys.argv[2], number)
else:
    kept.main(measure, draw)
