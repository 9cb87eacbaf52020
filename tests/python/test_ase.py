# SPDX-License-Identifier: BSD-3-Clause
"""ASE's own tests of its neighbor lists, with hgrid's search below them."""
import functools

import pytest

import hgrid

neighborlist = pytest.importorskip("ase.neighborlist")
kernel = pytest.importorskip("ase.test.neighbor.test_neighbor_kernel", reason="this ASE keeps its tests elsewhere")
import hgrid.ase  # noqa: E402
from ase.test.neighbor.test_neighbor import *  # noqa: E402, F403
from ase.test.neighbor.test_neighbor_initialization import test_neighborlist_initialization  # noqa: E402, F401


@pytest.fixture(autouse=True)
def searches(monkeypatch):
    """hgrid's in the place of ASE's; how often it was called."""
    calls = []

    @functools.wraps(hgrid.primitive_neighbor_list)
    def search(*given, **named):
        calls.append(given)
        return hgrid.primitive_neighbor_list(*given, **named)

    monkeypatch.setattr(hgrid.ase, "primitive_neighbor_list", search)
    monkeypatch.setattr(kernel, "primitive_neighbor_list", search)
    with hgrid.ase.install():
        yield calls


def test_neighbor_kernel(searches):
    kernel.test_neighbor_kernel()
    assert len(searches) > 30


def test_lists_for_which_no_kind_is_named(searches):
    test_H2_shape_and_type()  # noqa: F405, one of ASE's
    assert len(searches) == 1
