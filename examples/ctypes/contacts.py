#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The C API through ctypes: pairs of five discs, an error, a neighbor list, pairs of boxes: contacts.py [LIBHGRID_C.SO]"""
import ctypes
import ctypes.util
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_void_p

FLOAT64, FULL, SORTED = 0x240, 1, 1


class Array(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("type", c_int32), ("ndim", c_int32), ("shape", c_int64 * 3), ("stride", c_int64 * 3),
                ("strided", c_int32), ("device_type", c_int32), ("device_id", c_int32), ("reserved", c_int32)]


class Struct(ctypes.Structure):
    """All but arrays begin with their size; a field that is left out is zero, the default."""

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class Error(Struct):
    _fields_ = [("struct_size", c_size_t), ("message", c_char_p), ("argument", c_char_p), ("index", c_int64),
                ("count", c_int64), ("needed", c_int64), ("value", c_double), ("code", c_int32), ("reserved", c_int32)]


class Options(Struct):
    _fields_ = [("struct_size", c_size_t), ("dimension", c_int32), ("threads", c_int32), ("rule", c_int32),
                ("direction", c_int32), ("keys", c_int32), ("table", c_int32), ("device_type", c_int32),
                ("device_id", c_int32), ("levels", c_void_p), ("level_count", c_int64), ("stream", c_void_p)]


class Particles(Struct):
    _fields_ = [("struct_size", c_size_t), ("positions", Array), ("columns", Array * 3), ("radii", Array), ("extra", Array),
                ("group", Array), ("active", Array), ("excluded_pairs", Array), ("excluded_begin", Array),
                ("excluded_ids", Array), ("types", Array), ("cutoffs", Array), ("world", Array), ("radius_scale", c_double),
                ("ghosts", c_int32), ("nonfinite", c_int32), ("worlds", c_int32), ("active_bits", c_int32), ("extents", Array)]


class PairList(Struct):
    _fields_ = [("struct_size", c_size_t), ("size", c_int64), ("pairs", POINTER(c_int32)), ("images", POINTER(c_int32))]


class NeighbourList(Struct):
    _fields_ = [("struct_size", c_size_t), ("lists", c_int64), ("size", c_int64), ("offsets", POINTER(c_int64)),
                ("neighbours", POINTER(c_int32)), ("images", POINTER(c_int32))]


def array(numbers, *shape):
    """An Array of a ctypes array, which must live as long as it is used."""
    return Array(data=ctypes.addressof(numbers), type=FLOAT64, ndim=len(shape), shape=(c_int64 * 3)(*shape))


class HgridError(Exception):
    def __init__(self):
        self.facts = Error()
        library.hgrid_last_error(byref(self.facts))
        super().__init__(self.facts.message.decode())


def call(name, *arguments):
    if getattr(library, name)(*arguments) != 0:
        raise HgridError()


def pairs_of(grid):
    pairs = PairList()
    call("hgrid_pairs", grid, SORTED, byref(pairs))
    assert not pairs.images  # the box is open
    return [(pairs.pairs[2 * k], pairs.pairs[2 * k + 1]) for k in range(pairs.size)]


def main():
    x = (c_double * 10)(0, 0, 1.5, 0, 1.5, 1, 4, 4, 4, 6)
    r = (c_double * 5)(1, 0.6, 0.5, 1.2, 0.9)
    particles = Particles(positions=array(x, 5, 2), radii=array(r, 5))
    grid = c_void_p()
    call("hgrid_create", byref(Options(dimension=2)), None, byref(grid))
    call("hgrid_build", grid, byref(particles), c_double(0))

    found = pairs_of(grid)
    print("pairs:", found)
    assert found == [(0, 1), (1, 2), (3, 4)], found

    x[6] = float("inf")
    try:
        call("hgrid_build", grid, byref(particles), c_double(0))
        raise SystemExit("an infinite coordinate was taken")
    except HgridError as error:
        print(f"error: {error} (particle {error.facts.index}, value {error.facts.value})")
        assert error.facts.index == 3 and error.facts.value == float("inf")

    lists = NeighbourList()
    call("hgrid_neighbours", grid, FULL, byref(lists))  # pairs of the build before, which the bad one left as it was
    neighbours = [[lists.neighbours[k] for k in range(lists.offsets[i], lists.offsets[i + 1])] for i in range(lists.lists)]
    print("neighbours:", neighbours)
    assert neighbours == [[1], [0, 2], [1], [4], [3]], neighbours

    x[6] = 4
    half = (c_double * 10)(1, 0.1, 0.6, 0.1, 0.5, 0.5, 1.2, 1, 0.9, 1)  # half extents along x and y, in the place of radii
    call("hgrid_build", grid, byref(Particles(positions=array(x, 5, 2), extents=array(half, 5, 2))), c_double(0))
    found = pairs_of(grid)
    print("pairs of boxes:", found)
    assert found == [(0, 1), (3, 4)], found  # the last two just touch
    library.hgrid_destroy(grid)


library = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else ctypes.util.find_library("hgrid_c") or "libhgrid_c.so")
library.hgrid_destroy.restype = None
main()
