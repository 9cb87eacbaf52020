# SPDX-License-Identifier: BSD-3-Clause
"""Notes on units and diameters, which come where the tool's come."""
import numpy as np
import pytest

import hgrid

N = 400


def packing(rng, dimension=3):
    """Spheres on a lattice that nearly touch, moved a little."""
    side = round(N ** (1 / dimension))
    x = np.stack(np.meshgrid(*[np.arange(side)] * dimension), -1).reshape(-1, dimension) + 0.05 * rng.random((side**dimension, dimension))
    return x / side, np.full(len(x), 0.5 / side)


@pytest.mark.parametrize("dimension", [2, 3])
def test_what_is_right_has_no_notes(rng, dimension):
    x, r = packing(rng, dimension)
    box = hgrid.Box((np.zeros(dimension), np.ones(dimension)), periodic=True)
    for more in ({}, {"box": box}):
        assert hgrid.check(x, r, **more) == [] == hgrid.check(x, r[0], **more) == hgrid.check(x, extents=r[0], **more)
    assert hgrid.check(x[:1], 0.1) == [] == hgrid.check(x[:0], 0.1)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("factor, words", [(2, "are the radii diameters"), (1000, "more volume than the space"), (0.001, "no particles touch")])
def test_wrong_sizes(rng, dimension, factor, words):
    x, r = packing(rng, dimension)
    bounds = hgrid.Box((np.zeros(dimension), np.ones(dimension)), periodic=False)
    if factor < 1000:
        assert any(words in note for note in hgrid.check(x, factor * r, bounds)), hgrid.check(x, factor * r)
        assert any(words.replace("radii diameters", "half extents whole widths") in note for note in hgrid.check(x, extents=factor * r[0]))
    else:
        box = hgrid.Box((np.zeros(dimension), np.full(dimension, 1.0)), periodic=True)
        assert any(words in note for note in hgrid.check(x, 2.5 * r, box))


@pytest.mark.parametrize("factor, words", [(1000, "hundreds of periods of the box"), (0.001, "less than a hundredth of the box")])
def test_a_box_in_another_unit(rng, factor, words):
    x, r = packing(rng)
    notes = hgrid.check(factor * x, factor * r, hgrid.Box(((0, 0, 0), (1, 1, 1)), periodic=True))
    assert any(words in note for note in notes) and notes[-1].endswith("in another unit than the box?")


def test_refusals():
    for call, argument in ((lambda: hgrid.check([[0, 0]]), "r"), (lambda: hgrid.check([[0, 0]], 1, ((0, 0), (1, 1))), "box"), (lambda: hgrid.check([[0, np.nan]], 1), "x")):
        with pytest.raises(hgrid.InputError) as error:
            call()
        assert error.value.argument == argument
