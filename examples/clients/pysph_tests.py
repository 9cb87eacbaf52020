# SPDX-License-Identifier: BSD-3-Clause
"""PySPH with hgrid in the place of its linked list. Compiles pysph_nnps.pyx, half a minute; needs pysph, setuptools, pytest.
python3 pysph_tests.py                    PySPH's own tests of its linked list
python3 pysph_tests.py same EXAMPLE ...   100 steps of examples of PySPH with either: all properties have equal bits
python3 pysph_tests.py times              milliseconds to find all neighbors, over the ratio of smoothing lengths"""
import importlib
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
import pytest
from Cython.Build import cythonize
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

import pysph.base.nnps as nnps
import pysph.solver.application as application
from pysph.base.utils import get_particle_array
from pysph.solver.utils import load


def compiled(folder):
    shutil.copy(pathlib.Path(__file__).with_name("pysph_nnps.pyx"), folder)
    extension = Extension("pysph_nnps", [f"{folder}/pysph_nnps.pyx"], include_dirs=[np.get_include()],
                          define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")])
    command = build_ext(Distribution({"ext_modules": cythonize([extension], quiet=True)}))
    command.build_lib, command.build_temp = str(folder), str(folder)
    command.ensure_finalized()
    command.run()
    return loaded(folder)


def loaded(folder):
    spec = importlib.util.spec_from_file_location("pysph_nnps", next(pathlib.Path(folder).glob("pysph_nnps*.so")))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.HgridNNPS


def own_tests():
    files = (pathlib.Path(nnps.__file__).parent / f"tests/test_{name}.py"
             for name in ("nnps", "periodic_nnps", "domain_manager", "neighbor_cache"))
    chosen = "LinkedList or linked_list or llnps or neighbor_cache or NeighborCache or Hgrid"
    return pytest.main(["-q", "-p", "no:cacheprovider", "-k", chosen, *map(str, files)])


def simulate(example, output):
    """Neighbors in the order of their ids, so that sums have one order."""
    module = importlib.import_module(f"pysph.examples.{example}")
    kind = next(c for c in vars(module).values() if isinstance(c, type) and issubclass(c, application.Application)
                and c is not application.Application)
    kind().run(["--nnps", "ll", "--sort-gids", "--max-steps", "100", "--pfreq", "100", "-d", output])


def same(example, folder):
    for which in ("own", "hgrid"):
        subprocess.run([sys.executable, __file__, "simulate", which, example, folder], check=True, stdout=subprocess.DEVNULL)
    outputs = (next(pathlib.Path(folder, f"{example}_{which}").glob("*_00100.*")) for which in ("own", "hgrid"))
    own, ours = (load(str(output))["arrays"] for output in outputs)
    for name, array in own.items():
        for key in array.properties:
            assert np.array_equal(array.get(key), ours[name].get(key)), (name, key)
        print(f"{example}: {len(array.get('x'))} particles of {name}, {len(array.properties)} properties: the same bits")


def times(hgrid_nnps, n=50000, neighbors=40):
    """Times of one thread. Numbers of smoothing lengths fall as h to the -3."""
    rng = np.random.default_rng(1)
    for ratio in (1, 2, 4, 8):
        h = (1 - rng.random(n) * (1 - float(ratio) ** -2)) ** -0.5
        h *= (neighbors / (n * 4 / 3 * np.pi * np.mean((2 * h) ** 3))) ** (1 / 3)
        x, y, z = rng.random((3, n))
        searches = [kind(3, [get_particle_array(x=x, y=y, z=z, h=h)], 2.0, cache=True)
                    for kind in (nnps.LinkedListNNPS, hgrid_nnps)]
        taken = []
        for _ in range(7):
            for search in searches:
                began = time.perf_counter()
                search.update()
                search.set_context(0, 0)
                search.cache[0].find_all_neighbors()
                taken.append(time.perf_counter() - began)
        own, ours = (1000 * np.median(taken[k::2]) for k in (0, 1))
        print(f"ratio {ratio}: PySPH's linked list {own:.0f} ms, hgrid {ours:.0f} ms")


def main(command="tests", *rest):
    if command == "simulate":
        which, example, folder = rest
        application.LinkedListNNPS = loaded(folder) if which == "hgrid" else nnps.LinkedListNNPS
        return simulate(example, f"{folder}/{example}_{which}")
    with tempfile.TemporaryDirectory() as folder:
        hgrid_nnps = compiled(folder)
        if command == "times":
            return times(hgrid_nnps)
        for example in rest:
            same(example, folder)
        if command == "tests":
            nnps.LinkedListNNPS = hgrid_nnps
            return own_tests()
    return None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
