# SPDX-License-Identifier: BSD-3-Clause
"""Systems and devices that several tests use."""
import ctypes
import importlib
import json
import os
import time

import numpy as np
import pytest
from device_framework import Framework, installed


@pytest.fixture
def rng():
    return np.random.default_rng(20260601)


@pytest.fixture(scope="module")
def cuda():
    # With the symbols of the libraries that it needs. The emulator's kernels are libraries too, which look for some of them.
    return ctypes.CDLL(os.environ["HGRID_C_LIBRARY"], mode=ctypes.RTLD_GLOBAL)


@pytest.fixture()
def framework(request):
    name = os.environ.get("HGRID_FRAMEWORK")
    return installed(name) if name else Framework(request.getfixturevalue("cuda"))


@pytest.fixture
def numbered(rng):
    """Positions, radii and ids of 60 particles, in the order of their ids."""
    return rng.random((60, 3)) * 4 - 1, rng.random(60) * 0.4, np.sort(rng.choice(1000, 60, replace=False)).astype(np.int64)


def system(rng, n, dimension=3, ratio=8.0):
    """Positions in the unit box and radii of a power law, so that some contacts are there."""
    r = (1 - rng.random(n) * (1 - ratio**-2)) ** -0.5
    volume = (r**dimension).sum() * (4.19 if dimension == 3 else 3.15)
    return rng.random((n, dimension)), r * (0.6 / max(volume, 1e-9)) ** (1 / dimension)


def keys(*columns):
    """Entries as a sorted list, for lists that come in other orders."""
    return sorted(map(tuple, np.column_stack([np.asarray(c) for c in columns]).tolist()))


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: ASE marks some of its tests so")
    config.addinivalue_line("filterwarnings", "error:.*until hgrid:FutureWarning")  # warnings of hgrid itself


def pytest_sessionstart(session):
    session.config.began = time.monotonic()


def pytest_terminal_summary(terminalreporter, config):
    """A row for bench/gpu.sh."""
    name, path = os.environ.get("HGRID_FRAMEWORK"), os.environ.get("HGRID_RESULTS")
    if not name or not path:
        return
    found = {kind: terminalreporter.stats.get(kind, []) for kind in ("passed", "failed", "error", "skipped")}
    row = {"framework": name, "version": importlib.import_module(name).__version__, "passed": len(found["passed"]),
           "failed": len(found["failed"]) + len(found["error"]), "skipped": len(found["skipped"]),
           "seconds": time.monotonic() - config.began,
           "reasons": sorted({f"{report.nodeid.split('::')[-1]}: {report.longrepr[2]}" for report in found["skipped"]})}
    with open(path, "a", encoding="utf-8") as file:
        print(json.dumps(row), file=file)
