# SPDX-License-Identifier: BSD-3-Clause
"""Particles of HDF5 (H5MD, MDTraj's, tables), NetCDF (AMBER, LAMMPS) and Parquet files, which h5py, netCDF4 and pyarrow read.

    particles = hgrid.files.read("run.h5")
    grid = hgrid.Grid(particles.box).build(particles.x, particles.r)

`python3 -m hgrid.files FILE` writes them as extended XYZ, which the tool reads: `python3 -m hgrid.files run.h5 | hgrid contacts -`.
"""
from __future__ import annotations

import argparse
import os
import signal
import sys
import warnings
from typing import Iterator, Mapping, NamedTuple

import numpy as np

from ._arrays import AnyArray, integers, real_numbers
from ._box import Box, Periodic
from ._checks import fail, place_in, shown, whole
from ._columns import listed, roles_of, unit_of
from ._errors import Error
from ._stores import Store, opened

__all__ = ["Particles", "read"]


class Particles(NamedTuple):
    """Particles of a file, in the order of their ids, if it has ids.

    x: [n, 2] or [n, 3] positions. r: [n] radii, or None. extents: [n, D] half extents of boxes, or None. box: periodic along the axes
    that the file says. ids: [n] int64, or None. frame: which one of the `frames` of the file, from 0. step, time: as the file states
    them, or None. Numbers keep the file's precision and unit.
    """

    x: AnyArray
    r: AnyArray | None
    extents: AnyArray | None
    box: Box
    ids: AnyArray | None
    frame: int
    frames: int
    step: int | None
    time: float | None


def read(path: str | os.PathLike[str], *, frame: int = -1, group: str | None = None, columns: Mapping[str, str] | None = None,
         periodic: Periodic | None = None, dimension: int | None = None) -> Particles:
    """Reads the particles of a file of HDF5, NetCDF or Parquet.

    frame: from 0, or from the end if negative; the last one unless given. group: the group of an HDF5 file, if several have positions.
    columns: meanings of columns whose names do not tell, such as {"size": "radius"}; "" leaves a column out. periodic: the periodic axes,
    instead of the file's; an AMBER file has no box along open axes. dimension: 2 takes only x and y.

    Columns have the names that the tool knows, in any case. Raises MissingPackageError, an ImportError, with the line that installs the
    package for this kind of file; InputError ("format") for a file that is damaged or of another kind, with the index of a bad id, and
    for arguments that do not fit the file; RangeError for a frame that it does not have; OSError if it cannot be opened.
    """
    name, meanings = os.fspath(path), {} if columns is None else dict(columns)
    if dimension is not None:
        dimension = whole(dimension, "dimension", 2, 3)
    with opened(name, group, meanings) as store:
        return _frame(store, name, frame, meanings, periodic, dimension)


def _frame(store: Store, path: str, frame: int, meanings: dict[str, str], periodic: Periodic | None, dimension: int | None) -> Particles:
    roles = roles_of({name: array.width for name, array in store.arrays.items()}, meanings)
    for axis in "xyz"[:dimension or 2]:
        if axis not in roles:
            pickled = any(name.startswith("values_block_") for name in store.arrays)
            remedy = "pandas hides names in a pickle unless it writes data_columns=True" if pickled else f"columns={{'NAME': '{axis}'}} says what a column means"
            raise fail("path", f"{path!r} has no column for {axis}; the columns found are: {listed(store.arrays)}; {remedy}", code="format")
    axes = "xyz"[:dimension or (3 if "z" in roles else 2)]
    places = store.arrays[roles["x"][0]]
    if places.frames == 0:
        raise fail("path", f"{path!r} has no frame", code="format")
    number = place_in(frame, places.frames, "frame")
    values: dict[str, AnyArray] = {}

    def columns(*wanted: str) -> AnyArray:
        for name in [name for name in (roles["x"][0], *(roles[role][0] for role in wanted)) if name not in values]:
            values[name] = store.arrays[name].read(number, places)
            n = len(values[roles["x"][0]])
            if len(values[name]) != n:
                raise fail("path", f"{path!r} has {len(values[name])} rows of {shown(name)}, and {n} of x; columns={{{name!r}: ''}} leaves it out",
                           code="format")
        own = [(values[name][:, k] if values[name].ndim == 2 else values[name]) for name, k in map(roles.__getitem__, wanted)]
        return np.column_stack([real_numbers(numbers, role) for role, numbers in zip(wanted, own)])

    x = columns(*axes)
    r: AnyArray | None = None
    extents: AnyArray | None = None
    ids: AnyArray | None = None
    size = next((role for role in ("radius", "diameter") if role in roles), "")
    if size:
        r = columns(size)[:, 0] / (2 if size == "diameter" else 1)
    elif all(f"h{axis}" in roles for axis in axes):
        size, extents = "hx", columns(*(f"h{axis}" for axis in axes))
    units = [store.arrays[name].unit or unit_of(name) for name, _ in (roles["x"], roles[size or "x"])]
    if all(units) and units[0] != units[1]:
        warnings.warn(f"positions are in {units[0]}, and sizes in {units[1]}: radius_scale= of Grid.build converts them", stacklevel=4)
    if "id" in roles:
        name = roles["id"][0]
        ids = integers(store.arrays[name].read(number, places), "id", len(x), np.int64)
        there = np.flatnonzero(ids != store.arrays[name].absent) if store.arrays[name].absent is not None else np.arange(len(ids))
        order = there[np.argsort(ids[there], kind="stable")]
        ids, x = ids[order], x[order]
        r, extents = (None if a is None else a[order] for a in (r, extents))
        twice = np.flatnonzero(ids[1:] == ids[:-1])
        if len(twice):
            raise fail("path", f"{path!r} has the id {ids[twice[0]]} twice in frame {number}", int(order[twice[0] + 1]), float(ids[twice[0]]), "format")
    box = store.box(number, places, len(axes), periodic)
    if len(axes) == 3 and box.periodic[2] and r is not None and len(x) and np.ptp(x[:, 2]) == 0 and abs(box.cell[2, 2]) < 2 * r.max():
        warnings.warn("all particles lie in a plane, and the period across it is shorter than the largest of them: dimension=2 takes x and y", stacklevel=4)
    return Particles(x, r, extents, box, ids, number, places.frames, *store.when(number, places))


def extended_xyz(particles: Particles) -> Iterator[str]:
    """Lines of extended XYZ, with digits that give the same doubles again."""
    p, D = particles, particles.x.shape[1]
    keys = [f'pbc="{" ".join("T" if axis < D and p.box.periodic[axis] else "F" for axis in range(3))}"',
            f"Properties=species:S:1:pos:R:{D}" + ("" if p.r is None else ":radius:R:1") +
            ("" if p.extents is None else "".join(f":h{axis}:R:1" for axis in "xyz"[:D])) + ("" if p.ids is None else ":id:I:1")]
    if any(p.box.periodic):
        keys.insert(0, f'Lattice="{" ".join(map(repr, p.box.cell.ravel().tolist()))}"')
    keys += [f"{key}={value!r}" for key, value in (("Time", p.time), ("Timestep", p.step)) if value is not None]
    yield f"{len(p.x)}\n{' '.join(keys)}\n"
    numbers = [a.astype(np.float64).T for a in (p.x, p.extents) if a is not None] + [a[None] for a in (p.r, p.ids) if a is not None]
    for row in zip(*(column.tolist() for block in numbers for column in block)):
        yield "X " + " ".join(map(repr, row)) + "\n"


def main() -> None:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as other tools end when nobody reads
    parser = argparse.ArgumentParser(prog="python3 -m hgrid.files", description="Writes particles of HDF5, NetCDF and Parquet files as extended XYZ.")
    parser.add_argument("FILE")
    parser.add_argument("--frames", default=-1, type=lambda text: text if text == "all" else int(text), metavar="all|K", help="all frames, or one, from 0; -1 is the last (default)")
    parser.add_argument("--group", help="the group of an HDF5 file, where several have positions")
    parser.add_argument("--columns", default="", metavar="NAME=MEANING,...", help="what columns mean, such as size=radius")
    given = parser.parse_args()
    try:
        pairs = [pair.rpartition("=")[::2] for pair in given.columns.split(",") if pair]
        columns = dict(pairs)
        first = read(given.FILE, frame=0 if given.frames == "all" else given.frames, group=given.group, columns=columns)
        sys.stdout.writelines(extended_xyz(first))
        for frame in range(1, first.frames if given.frames == "all" else 0):
            sys.stdout.writelines(extended_xyz(read(given.FILE, frame=frame, group=given.group, columns=columns)))
    except (Error, OSError) as error:
        sys.exit(f"hgrid.files: {error}")


if __name__ == "__main__":
    main()
