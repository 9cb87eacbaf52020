# SPDX-License-Identifier: BSD-3-Clause
"""Systems that several tests use."""
import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(20260601)


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
