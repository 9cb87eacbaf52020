# SPDX-License-Identifier: BSD-3-Clause
"""Files that h5py, netCDF4 and pyarrow open: their arrays by name, frame by frame, and the box that they state."""
from __future__ import annotations

import contextlib
import importlib
import math
import warnings
from typing import Any, Callable, Iterator, Mapping, NamedTuple

import numpy as np

from ._arrays import AnyArray
from ._box import Box, Periodic, axes_of
from ._checks import fail, shown
from ._columns import listed, meaning_of, names_positions
from ._errors import Error, MissingPackageError, OutOfMemoryError

_OF_FRAMES = "frame", "time", "step", "timestep"  # names of NetCDF's dimensions


class Array(NamedTuple):
    """An array of a file, which is read by `get(index)`."""

    shape: tuple[int, ...]
    get: Callable[[Any], AnyArray]
    unit: str = ""
    moves: bool = False  # its first axis is the frames,
    steps: Any = None  # of which H5MD states the steps
    times: Any = None
    absent: int | None = None  # the value of entries that hold none

    @property
    def frames(self) -> int:
        return self.shape[0] if self.moves else 1

    @property
    def width(self) -> int:
        """How many numbers a row has; 0 if there are no rows."""
        shape = self.shape[self.moves:]
        return shape[1] if len(shape) == 2 else len(shape) == 1

    def read(self, frame: int, of: Array) -> AnyArray:
        """The values of a frame of `of`."""
        return np.asarray(self.get(self._row(frame, of)))

    def _row(self, frame: int, of: Array) -> Any:
        """The index of a frame of `of`, by its step if both arrays state theirs."""
        if not self.moves:
            return ()
        if self is of or self.steps is None or of.steps is None:
            return frame
        wanted, own = numbered(of.steps, frame), self.steps
        rows = range(self.shape[0]) if own.shape == () else np.flatnonzero(own[()] == wanted).tolist()
        row = next((row for row in rows if numbered(own, row) == wanted), -1)
        if row < 0:
            raise fail("frame", f"is of step {wanted}, for which an array of the file has no values", frame)
        return row


class Store(NamedTuple):
    """The arrays of a file, by name, and H5MD's box."""

    arrays: dict[str, Array]
    edges: Array | None = None
    boundary: tuple[bool, ...] | None = None
    program: str = ""  # that wrote NetCDF

    def box(self, frame: int, places: Array, dimension: int, periodic: Periodic | None) -> Box:
        """The box of a frame, periodic along the axes that the file or the caller says."""
        lengths, angles = (self.arrays.get(name) for name in ("cell_lengths", "cell_angles"))
        flags: Any = None
        if self.edges is not None:
            cell = np.array(self.edges.read(frame, places), float)
            cell = np.diag(cell) if cell.ndim == 1 else cell
            flags = self.boundary
        elif lengths is not None:
            sides = np.array(lengths.read(frame, places), float)
            corners = np.full(3, 90.0) if angles is None else np.array(angles.read(frame, places), float)
            if self.program == "OVITO" and (corners != 90).any():
                warnings.warn("OVITO wrote this file, and version 3.17.2 writes another box for a tilted one; its exports as a LAMMPS dump or extended XYZ "
                              "have the right box", stacklevel=5)
            cell = _cell(sides, corners)
            flags = sides > 0  # as AMBER says, of open axes they are 0
        elif periodic is None and not any(self.boundary or ()):
            return Box(dimension=dimension)
        else:
            raise fail("periodic", "needs a box, and the file has none; periodic=False takes an open one", code="invalid_box")
        if len(cell) < dimension:
            raise fail("path", f"leads to a box of {len(cell)} dimensions, and positions have {dimension}", code="format")
        flags = np.array(axes_of(flags[:dimension] if periodic is None else periodic, dimension))
        cell = np.where(flags[:, None], cell[:dimension, :dimension], 0.0)  # H5MD's edges of open axes are of no meaning
        return Box(cell=cell, periodic=flags) if flags.any() else Box(dimension=dimension)

    def when(self, frame: int, places: Array) -> tuple[int | None, float | None]:
        """The step and the time of a frame."""
        step, time = places.steps, places.times
        plain = self.arrays.get("time")
        if time is None and plain is not None and plain.shape == places.shape[:1] and places.moves:
            return None if step is None else int(numbered(step, frame)), float(plain.get(frame))
        return None if step is None else int(numbered(step, frame)), None if time is None else float(numbered(time, frame))


def _cell(lengths: AnyArray, angles: AnyArray) -> AnyArray:
    """The vectors of a cell, in rows, by its lengths and angles in degrees; a lies along x, and b in the plane of x and y."""
    alpha, beta, gamma = np.where(angles == 90, 0.0, np.cos(np.radians(angles)))
    sine = math.sqrt(1 - gamma**2)
    across = (alpha - beta * gamma) / sine if sine > 0 else 2
    deep = 1 - beta**2 - across**2
    if not (deep > 0 and 0 < angles.min() and angles.max() < 180):
        raise fail("path", f"leads to a cell with the angles {angles.tolist()}", code="format")
    return lengths[:, None] * np.array([[1, 0, 0], [gamma, sine, 0], [beta, across, math.sqrt(deep)]])  # type: ignore[no-any-return]


def _are_places(arrays: dict[str, Array], meanings: Mapping[str, str]) -> bool:
    """Whether arrays have positions, or x."""
    named = {meanings.get(name, name): array for name, array in arrays.items()}
    return any(meaning_of(name)[0] == "x" or names_positions(name) and array.shape[-1:] in ((2,), (3,)) for name, array in named.items())


def numbered(values: Any, row: int) -> float:
    """A step or time of H5MD: one of a list, or of equal intervals."""
    if values.shape:
        return values[row].item()  # type: ignore[no-any-return]
    return (row * values[()] + values.attrs.get("offset", 0)).item()  # type: ignore[no-any-return]


def _with_frames(arrays: dict[str, Array], meanings: Mapping[str, str]) -> dict[str, Array]:
    """The arrays. Positions of shape [frames, n, 3], and what has as many frames, move."""
    shape = next((a.shape for name, a in arrays.items() if names_positions(meanings.get(name, name)) and len(a.shape) == 3 and not a.moves), None)
    if shape is None:
        return arrays
    of_cell = {"cell_lengths", "cell_angles"}
    return {name: a._replace(moves=a.moves or a.shape[:2] == shape[:2] or name in of_cell and a.shape == (shape[0], 3) or
                             name in _OF_FRAMES and a.shape == shape[:1]) for name, a in arrays.items()}


def _taking(of: Any, part: Any) -> Callable[[Any], AnyArray]:
    """Reads a field or column, whatever the index."""
    return lambda _: of[part]


def _filled(values: Any) -> Callable[[Any], AnyArray]:
    """Reads a dataset of NetCDF's, with missing numbers as nan."""
    def read(index: Any) -> AnyArray:
        numbers = values[index]
        missing = numbers == values.attrs["_FillValue"]
        return np.where(missing, np.nan, numbers) if missing.any() else numbers

    return read


def _text(given: Any) -> str:
    return given.decode(errors="replace") if isinstance(given, bytes) else str(given)


def _hdf5_arrays(node: Any, meanings: Mapping[str, str]) -> dict[str, Array]:
    """Returns the arrays of a group, of a table, or of a DataFrame that pandas wrote with format="fixed"."""
    if hasattr(node, "shape"):
        return {name: Array(node.shape + node.dtype[name].shape, _taking(node, name)) for name in node.dtype.names or ()}
    arrays: dict[str, Array] = {}
    if _text(node.attrs.get("pandas_type", "")) == "frame":
        for k in range(int(node.attrs.get("nblocks", 0))):
            values = node[f"block{k}_values"]
            for column, name in enumerate(node[f"block{k}_items"][()] if values.ndim == 2 else ()):
                arrays[_text(name)] = Array(values.shape[:1], _taking(values, (slice(None), column)))
        return arrays
    for name, child in node.items():
        values = child.get("value") if hasattr(child, "get") and not hasattr(child, "shape") else child
        if not hasattr(values, "shape") or values.dtype.kind not in "fiu":
            continue
        moves = values is not child
        units = [values.attrs[key] for key in ("unit", "units") if key in values.attrs]
        plist = values.id.get_create_plist()
        absent = int(values.fillvalue) if values.dtype.kind in "iu" and plist.fill_value_defined() == 2 else None  # 2: by the user
        arrays[name] = Array(values.shape, _filled(values) if "_FillValue" in values.attrs else values.__getitem__, _text(units[0]) if units else "", moves,
                             child.get("step") if moves else None, child.get("time") if moves else None, absent)
    return _with_frames(arrays, meanings)


@contextlib.contextmanager
def _hdf5(path: str, group: str | None, meanings: Mapping[str, str], h5py: Any) -> Iterator[Store]:
    with h5py.File(path, "r") as file:
        if group is None:
            found: list[str] = []

            def look(name: str, node: Any) -> None:
                if _are_places(_hdf5_arrays(node, meanings), meanings):
                    found.append(name)

            look("/", file)
            file.visititems(look)
            if len(found) != 1:
                raise fail("group", f"is needed, because {len(found)} groups of the file have positions: {listed(found)}" if found else
                           "is needed: no group of the file has columns for x and y, or position")
            group = found[0]
        if not isinstance(group, str) or group not in file:
            raise fail("group", f"is {shown(group)}, which the file does not have")
        node = file[group]
        box = node.get("box") if hasattr(node, "get") and not hasattr(node, "shape") else None
        store = Store(_hdf5_arrays(node, meanings))
        if box is not None and "boundary" in box.attrs:
            ways = [_text(way) for way in np.ravel(box.attrs["boundary"])]
            if not {"periodic", "none"}.issuperset(ways):
                raise fail("path", f"leads to a file whose boundary is {shown(ways)}, not of periodic and none", code="format")
            store = store._replace(edges=_hdf5_arrays(box, meanings).get("edges"), boundary=tuple(way == "periodic" for way in ways))
        yield store


@contextlib.contextmanager
def _netcdf(path: str, group: str | None, meanings: Mapping[str, str], netCDF4: Any) -> Iterator[Store]:
    _no_groups(group)
    with netCDF4.Dataset(path) as file:
        arrays = {}
        for name, variable in file.variables.items():
            if getattr(variable.dtype, "kind", "") in "fiu":
                moves = variable.ndim > 0 and variable.dimensions[0] in _OF_FRAMES
                arrays[name] = Array(variable.shape, _unmasking(variable), str(getattr(variable, "units", "")), moves)
        yield Store(_with_frames(arrays, meanings), program=str(getattr(file, "program", "")))


def _unmasking(variable: Any) -> Callable[[Any], AnyArray]:
    """Reads a variable, with missing numbers as nan, which a grid refuses with their place."""
    def read(index: Any) -> AnyArray:
        values = variable[index]
        return np.asarray(np.ma.filled(values.astype(float), np.nan) if np.ma.is_masked(values) else values)

    return read


@contextlib.contextmanager
def _parquet(path: str, group: str | None, meanings: Mapping[str, str], parquet: Any) -> Iterator[Store]:
    _no_groups(group)
    with parquet.ParquetFile(path) as file:
        rows, arrays = file.metadata.num_rows, {}
        types = importlib.import_module("pyarrow.types")
        for field in file.schema_arrow:
            if types.is_list(field.type) or types.is_large_list(field.type) or types.is_fixed_size_list(field.type):
                width = getattr(field.type, "list_size", None) or _length_of_first(file, field.name)
                arrays[field.name] = Array((rows, width), _reading(file, field.name, rows, width=width))
            elif types.is_struct(field.type):
                for part in field.type:
                    arrays[f"{field.name}.{part.name}"] = Array((rows,), _reading(file, field.name, rows, part.name))
            else:
                arrays[field.name] = Array((rows,), _reading(file, field.name, rows))
        yield Store(arrays)


def _reading(file: Any, name: str, rows: int, part: str = "", width: int = 0) -> Callable[[Any], AnyArray]:
    """Reads a column, or a part of its structs, or lists of a width. Missing numbers become nan."""
    def read(_: Any) -> AnyArray:
        column = file.read([name]).column(0).combine_chunks()
        numbers = (column.field(part) if part else column.flatten() if width else column).to_numpy(zero_copy_only=False)
        even = not width or not hasattr(column, "value_lengths") or (column.value_lengths().to_numpy(zero_copy_only=False) == width).all()
        if not even or len(numbers) != rows * max(width, 1):
            raise fail("path", f"leads to a file where rows of {shown(name)} have other lengths than {width}", code="format")
        return numbers.reshape(-1, width) if width else numbers  # type: ignore[no-any-return]

    return read


def _length_of_first(file: Any, name: str) -> int:
    for batch in file.iter_batches(batch_size=1, columns=[name]):
        return len(batch.column(0)[0].as_py() or ())
    return 0


def _no_groups(group: str | None) -> None:
    if group is not None:
        raise fail("group", "is for HDF5; other files have none")


# The first bytes, what the kind is called, its package, how that is imported, and how it opens.
_KINDS = ((b"\x89HDF", "HDF5", "h5py", "h5py", _hdf5), (b"CDF", "NetCDF", "netCDF4", "netCDF4", _netcdf), (b"PAR1", "Parquet", "pyarrow", "pyarrow.parquet", _parquet))


@contextlib.contextmanager
def opened(path: str, group: str | None, meanings: Mapping[str, str]) -> Iterator[Store]:
    """The arrays of a file, which are read while the context lasts. Errors of the package that opens it become hgrid's."""
    with open(path, "rb") as file:
        head = file.read(4)
    for magic, kind, package, module, store in _KINDS:
        if head.startswith(magic):
            break
    else:
        raise fail("path", f"{path!r} is neither HDF5, NetCDF nor Parquet; the tool reads other kinds, and hgrid convert writes them as .npy or .csv", code="format")
    try:
        imported = importlib.import_module(module)
    except ImportError as error:
        raise MissingPackageError(f"{path!r} is {kind}, which {package} reads: pip install {package}", "unsupported", "path") from error
    try:
        with store(path, group, meanings, imported) as found:
            yield found
    except Error:
        raise
    except MemoryError:
        raise OutOfMemoryError(f"{path!r}: the particles do not fit into memory", "out_of_memory", "path") from None
    except Exception as error:  # whatever the packages raise
        raise fail("path", f"{path!r} cannot be read as {kind}: {' '.join(str(error).split())[:200]}", code="format") from error
