# SPDX-License-Identifier: BSD-3-Clause
"""Who owns what: results outlive their grid and the next call, inputs are held no longer than needed, memory is used again."""
import gc
import shutil
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from conftest import system

import hgrid


def test_results_outlive_grid_and_next_call(rng):
    x, r = system(rng, 3000)
    box = (np.zeros(3), np.ones(3))
    g = hgrid.Grid(box, periodic=True).build(x, r)
    pairs, lists, regions = g.pairs("ijSdD"), g.neighbors(), g.query(x[:50], radius=0.1)
    results = [*pairs, lists.offsets, lists.indices, lists.shifts, regions.offsets, regions.indices]
    copies = [a.copy() for a in results]
    for _ in range(4):
        g.build(rng.random((4000, 3)), 0.03)
        g.pairs("ijSdD"), g.neighbors(), g.query(x[:80], radius=0.2)
    assert all(np.array_equal(a, b) for a, b in zip(results, copies))
    del g, pairs, lists, regions
    gc.collect()
    others = [np.full(200_000, 7) for _ in range(20)]
    assert all(np.array_equal(a, b) for a, b in zip(results, copies)) and len(others) == 20
    results[0][...] = 0  # they are Python's to write to


def test_lists_are_filled_again_when_nobody_holds_them(rng):
    g = hgrid.Grid().build(*system(rng, 5000))
    places = set()
    result = None
    for _ in range(12):
        result = g.pairs()  # the last one lives until this one is there
        places.add(result.ij.ctypes.data)
    assert len(places) <= 2 and result is not None


def test_arrays_of_a_build_are_held_until_the_next(rng):
    x, r = system(rng, 100)
    before = sys.getrefcount(x)
    g = hgrid.Grid().build(x, r)
    assert sys.getrefcount(x) > before
    distances = g.pairs("d").d.copy()
    x *= 2
    assert np.array_equal(g.pairs("d").d, 2 * distances)  # lists of x as it is now
    g.build(*system(rng, 100))
    assert sys.getrefcount(x) == before


def test_inputs_are_read_where_they_lie(rng):
    """numpy tells of the memory that it takes; a copy of an input would be most of it."""
    n = 200_000
    x, r = rng.random((n, 3)), np.full(n, 0.002)
    wide = np.zeros((2 * n, 4), np.float32)[::-2]
    g = hgrid.Grid().build(x, r)

    def taken(positions, radii, call=lambda g: g):
        tracemalloc.start()
        try:
            kept = call(g.build(positions, radii))
            return tracemalloc.get_traced_memory()[1], kept
        finally:
            tracemalloc.stop()

    for positions, radii in ((x, r), (np.asfortranarray(x), r), (x[::-1], r[::-1]), (wide[:, :3], wide[:, 3])):
        assert taken(positions, radii)[0] < n
    assert taken(x, r, lambda g: (g.pairs("ijSdD"), g.neighbors()))[0] < n  # results are memory of the module's own
    assert taken(x.astype(np.int64), r)[0] > 24 * n


def test_no_memory_is_lost(rng):
    import resource

    x, r = system(rng, 10_000)

    def run(times):
        for _ in range(times):
            g = hgrid.Grid().build(x, r)
            g.pairs("ijd"), g.neighbors(), g.matrix()
            hgrid.neighbor_list("ijSdD", positions=x, cutoff=r)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    enough = run(15)
    assert run(45) - enough < 6_000  # kB; the smallest result, if lost in each turn, would be 8,700


def test_nothing_but_the_module_is_exported():
    if shutil.which("nm") is None:
        pytest.skip("there is no nm")
    from hgrid import _core

    lines = subprocess.run(["nm", "-DC", "--defined-only", _core.__file__], check=True, capture_output=True, text=True).stdout
    assert not [line for line in lines.splitlines() if "hgrid::" in line]


PEAK = """
import resource
import numpy as np
import hgrid
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
x = np.random.default_rng(1).random((20_000, 3)) * 11.18
call = lambda x: hgrid.neighbor_list("ijSd", positions=x, cell=np.eye(3) * 11.18, pbc=True, cutoff=1.0, threads="serial")
call(x[:100])
before = peak()
lists = call(x)
print(len(lists[0]), peak() - before - sum(array.nbytes for array in lists))
"""


def test_entries_take_little_memory_beyond_their_arrays():
    """The rows that the search finds, 6 bytes an entry in a periodic box, and some room; no list of neighbors, which is 16."""
    found = subprocess.run([sys.executable, "-c", PEAK], check=True, capture_output=True, text=True).stdout
    entries, beyond = map(int, found.split())
    assert entries > 1_000_000 and beyond < 14 * entries, found


LOOP = """
import re
import resource
import numpy as np
import hgrid

def memory(name):
    with open("/proc/self/smaps_rollup") as rollup:
        return int(re.search(rf"{name}: *([0-9]+)", rollup.read()).group(1)) * 1024

peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
x = np.random.default_rng(1).random((20_000, 3)) * 11.18
call = lambda x: hgrid.neighbor_list("ijSd", positions=x, cell=np.eye(3) * 11.18, pbc=True, cutoff=1.0, threads="serial")
call(x[:100])
begin = memory("Rss")
lists = call(x)
size = sum(array.nbytes for array in lists)
lists = call(x)
two = peak()
for _ in range(6):
    lists = call(x)
print(size, peak() - two, end=" ")
del lists
print(memory("Rss") - begin, memory("LazyFree"), end=" ")
few = call(x[:100])  # which must not hold the memory of many
hgrid.release()
print(memory("Rss") - begin)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux for its memory")
def test_the_memory_of_the_next_call_is_offered_to_the_system():
    """A loop takes no more than its first two calls; without results one of them stays, which the system may take, until release."""
    found = subprocess.run([sys.executable, "-c", LOOP], check=True, capture_output=True, text=True).stdout
    size, more, stays, offered, released = map(int, found.split())
    assert size > 50_000_000 and more < size / 20, found
    assert stays < (48 + 28) / 48 * size + 160 * 20_000 and offered > 0.9 * size and released < size / 10, found
