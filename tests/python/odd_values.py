# SPDX-License-Identifier: BSD-3-Clause
"""Arrays that hgrid refuses, and calls that tests make with them."""
import numpy as np

import hgrid

X = np.random.default_rng(1).random((10, 3))
R = np.full(10, 0.1)
BOX = ((0, 0, 0), (1, 1, 1))


class Bfloat16:
    """Numbers as torch has them; numpy's from_dlpack raises this, too."""

    dtype = "torch.bfloat16"

    def __init__(self, *shape):
        self.shape = shape

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **more):
        raise RuntimeError("Unsupported dtype in DLTensor.")

    def __array__(self, *more, **others):
        raise TypeError("Got unsupported ScalarType BFloat16")


class Sparse:
    """Values as in scipy."""

    def toarray(self):
        raise AssertionError("the array was made")


class Frame:
    """Values as in pandas: numpy may ask it for an array, which may be of objects."""

    def __init__(self, array):
        self.array = array

    def __array__(self, *more, **others):
        return np.asarray(self.array, object)


def masked(array):
    array = np.ma.masked_array(array)
    return np.ma.masked_array(array, np.arange(array.size).reshape(array.shape) == 1) if array.ndim else np.ma.masked


def update(x=X, r=R, **more):
    verlet = hgrid.VerletList(hgrid.Grid(), skin=0.1)
    verlet.update(X, R)
    return verlet.update(x, r, **more)


def carry(values, fresh=0):
    verlet = hgrid.VerletList(hgrid.Grid(), skin=0.1)
    verlet.update(X, R)
    kept = verlet.carry(np.zeros((0, 3)))
    verlet.build(X, R)
    return verlet.carry(kept if values is None else values, fresh)


def atoms_call(**given):
    return hgrid.neighbor_list("ij", **{"positions": X, "cutoff": 0.2, "cell": np.eye(3), "pbc": True, **given})


def built():
    return hgrid.Grid().build(X, R)


def set_boxes(boxes):
    hgrid.Grid().set_boxes(boxes)


VESIN = {"cutoff": 0.2, "full_list": True}
