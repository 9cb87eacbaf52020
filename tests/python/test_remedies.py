# SPDX-License-Identifier: BSD-3-Clause
"""Each remedy that a message names is followed, and works."""
import re

import numpy as np
import pytest

import hgrid

X = np.array([[0, 0, 0], [np.nan, 0, 0], [0.5, 0, 0]])
MASKED = np.ma.array(np.zeros((3, 3)), mask=[[0] * 3, [0, 1, 0], [0] * 3])

# The argument, the call with it, and the place of the remedy: a whole argument of that name, or one more.
CALLS = {
    "build": (X, lambda x, **more: hgrid.Grid().build(x, 0.4, **more)),
    "update": (X, lambda x, **more: hgrid.VerletList(hgrid.Grid(), skin=0.1).update(x, 0.4, **more)),
    "neighbor_list": (X, lambda positions, **more: hgrid.neighbor_list("ij", positions=positions, cutoff=1.0, **more)),
    "primitive_neighbor_list": (X, lambda positions, **more: hgrid.primitive_neighbor_list("ij", None, None, positions, 1.0, **more)),
    "neighbor_lists": (X, lambda positions, **more: hgrid.neighbor_lists("ij", positions=positions, offsets=[0, len(positions)], cutoff=1.0, **more)),
    "radius_graph": (X, lambda x, **more: hgrid.radius_graph(x, 1.0, **more)),
    "NeighborList": (X, lambda points, **more: hgrid.NeighborList(cutoff=1.0, full_list=True).compute(points, np.eye(3), False, **more)),
    "NeighborList with a skin": (X, lambda points, **more: hgrid.NeighborList(cutoff=1.0, full_list=True, skin=0.1).compute(points, np.eye(3), False, **more)),
    "KDTree": (X, lambda data, **more: hgrid.KDTree(data, **more)),
    "self_capped_distance": (X, lambda reference, **more: hgrid.self_capped_distance(reference, 1.0, **more)),
    "capped_distance": (X, lambda reference, **more: hgrid.capped_distance(reference, np.zeros((2, 3)), 1.0, **more)),
    "its other set": (X, lambda configuration, **more: hgrid.capped_distance(np.zeros((2, 3)), configuration, 1.0, **more)),
    "small cells": (0.01 * X, lambda positions, **more: hgrid.neighbor_list("ij", positions=positions, cell=0.01 * np.eye(3), pbc=True, cutoff=0.09, **more)),
    "a mask": (MASKED, lambda x, **more: hgrid.Grid().build(x, 0.4, **more)),
}


@pytest.mark.parametrize("call", CALLS)
def test_of_particles(call):
    given, function = CALLS[call]
    with pytest.raises(hgrid.InputError) as error:
        function(given)
    text, argument = str(error.value), error.value.argument
    more = re.search(r"pass (\w+)=\"(\w+)\"", text)
    whole = re.search(rf"(?:take|by) ({argument}(?:\[np\.\S+\)\]|\.filled\(\.\.\.\)))", text)
    assert more or whole, text
    if more:
        function(given, **{more[1]: more[2]})
    else:
        function(eval(whole[1].replace("...", "0"), {"np": np, argument: given}))


def of_torch(name, *more):
    torch = pytest.importorskip("torch")
    x, radii = torch.zeros(3, 3, dtype=torch.float64), torch.ones(3, dtype=torch.float64)
    import hgrid.torch
    return getattr(hgrid.torch, name)(x, radii) if not more else hgrid.neighbor_list("ij", positions=x, cutoff=radii)


def sparse(take):
    return hgrid.Grid().build(take(pytest.importorskip("scipy.sparse").csr_array(np.eye(3))), 0.1)


CORNERS, POINTS = ((0, 0, 0), (1, 1, 1)), np.eye(3)
EACH = [  # the refused argument or the warning's, the message, and the remedies
    (lambda: sparse(lambda x: x), "pass x.toarray()", [lambda: sparse(lambda x: x.toarray())]),
    (lambda: of_torch("neighbor_list"), "hgrid.neighbor_list takes radii", [lambda: of_torch("", "numpy")]),
    (lambda: hgrid.Grid(CORNERS), "say periodic=True or periodic=False", [lambda: hgrid.Grid(CORNERS, periodic=True), lambda: hgrid.Grid(CORNERS, periodic=False)]),
    (lambda: hgrid.Grid().set_boxes([CORNERS]), "pass hgrid.Box((lo, hi), periodic=True) or periodic=False",
     [lambda: hgrid.Grid().set_boxes([hgrid.Box(CORNERS, periodic=True)]), lambda: hgrid.Grid().set_boxes([hgrid.Box(CORNERS, periodic=False)])]),
    (lambda: hgrid.check(POINTS, 0.1, CORNERS), "give hgrid.Box((lo, hi), periodic=...)", [lambda: hgrid.check(POINTS, 0.1, hgrid.Box(CORNERS, periodic=True))]),
    (lambda: len(hgrid.Grid().build(POINTS, 1).pairs()), "take pairs.size", [lambda: hgrid.Grid().build(POINTS, 1).pairs().size]),
    (lambda: hgrid.Grid().build(POINTS, 1).pairs("ijd")[0], "take pairs.take(k), or pairs.d",
     [lambda: hgrid.Grid().build(POINTS, 1).pairs("ijd").take(0), lambda: hgrid.Grid().build(POINTS, 1).pairs("ijd").d]),
    (lambda: hgrid.VerletList(hgrid.Grid(), skin=0.1).neighbors(), "call update", [lambda: hgrid.VerletList(hgrid.Grid(), skin=0.1).update(POINTS, 1.0)]),
    (lambda: hgrid.neighbor_list("i", positions=POINTS, cutoff=5e-324), "it must be 0, or from 2e-15 to 1e+15; rescale lengths",
     [lambda: hgrid.neighbor_list("i", positions=POINTS, cutoff=0), lambda: hgrid.neighbor_list("i", positions=POINTS, cutoff=2e-15)]),
    (lambda: hgrid.Grid(rule="gather").build(POINTS, 1).pairs(), "take full lists or partners", [lambda: hgrid.Grid(rule="gather").build(POINTS, 1).neighbors(full=True)]),
    (lambda: hgrid.Grid(CORNERS, periodic=True).build(1e20 * POINTS, 0.1), "rescale", [lambda: hgrid.Grid(CORNERS, periodic=True).build(POINTS, 0.1)]),
]


@pytest.mark.filterwarnings("error::FutureWarning")
@pytest.mark.parametrize("call, said, remedies", EACH, ids=lambda value: value if isinstance(value, str) else "")
def test_each(call, said, remedies):
    with pytest.raises((hgrid.Error, FutureWarning)) as error:
        call()
    assert said in str(error.value)
    for remedy in remedies:
        remedy()
