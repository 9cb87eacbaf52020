# SPDX-License-Identifier: BSD-3-Clause
"""The command hgrid of the Python package: the contacts of a file, without the tool that CMake builds. Options, outputs and exit codes are
some of that tool's, by the same names."""
from __future__ import annotations

import argparse
import contextlib
import gzip
import itertools
import os
import re
import sys
import warnings
from typing import Any, Iterator, NamedTuple, NoReturn, Sequence, TextIO

import numpy as np

from ._core import __version__
from ._errors import Error
from ._grid import Grid
from ._progress import progress

NAMES = ("x", "y", "z", "r", "hx", "hy", "hz", "id")
RECORD = np.dtype([("i", "<i8"), ("j", "<i8"), ("ix", "<i4"), ("iy", "<i4"), ("iz", "<i4"), ("overlap", "<f8")])
MORE = "the tool that CMake builds has more files, options and commands (docs/tool.md)"
USAGE, DATA, FILE, MEMORY, INTERRUPTED = 2, 3, 4, 5, 130


class Refused(Exception):
    """A message for the user, and the exit code."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code


class Table(NamedTuple):
    columns: dict[str, Any]
    box: list[float]  # lo and hi that the file states; empty: it states none
    others: int = 0  # columns without a meaning that --columns may name


def number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def words(line: str) -> list[str]:
    return [word.strip() for word in (line.split(",") if "," in line else line.split())]


def name_of(title: str) -> str:
    """A column's name without its unit; radii have two."""
    name = re.sub(r"[\[(].*", "", title).strip().lower()
    return "r" if name == "radius" else name


def read_text(file: TextIO, path: str, given: Sequence[str]) -> Table:
    box: list[float] = []
    for line in file:
        if line.startswith("#"):
            found = words(line[1:])
            if found[:1] == ["box"]:
                box = [float(word) for word in found[1:]]
        elif line.strip():
            break
    else:
        raise Refused(f"{path}: has no rows", DATA)
    first = words(line)
    has_header = all(number(word) is None for word in first)
    titles = list(given) or ([name_of(word) for word in first] if has_header else list(NAMES[:4])[:len(first)])
    rows = file if has_header else itertools.chain([line], file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are no rows
        try:
            values = np.loadtxt(rows, delimiter="," if "," in line else None, ndmin=2)
        except ValueError as why:  # with advice on arguments of numpy's
            raise Refused(f"{path}: {str(why).partition(';')[0]}", DATA) from None
    if values.size == 0:
        values = values.reshape(0, len(titles))
    if values.shape[1] != len(titles):
        raise Refused(f"{path}: has {values.shape[1]} columns, and {len(titles)} names: {', '.join(titles)}", DATA)
    columns = {title: values[:, k] for k, title in enumerate(titles) if title in NAMES}
    return Table(columns, box, len(titles) - len(columns))


def read(path: str, given: Sequence[str]) -> Table:
    with open(path, "rb") as file:
        start = file.read(6)
    if start == b"\x93NUMPY":
        values = np.load(path, mmap_mode="r", allow_pickle=False)
        if values.ndim != 2 or values.shape[1] not in (2, 3, 4, 6) or values.dtype.kind not in "fiu":
            raise Refused(f"{path}: shape {values.shape} of {values.dtype}; N x 4 (x y z r), N x 6 (x y z hx hy hz), N x 3 (x y z) or N x 2 (x y) "
                          "numbers are needed", DATA)
        names = NAMES[:values.shape[1]] if values.shape[1] < 6 else ("x", "y", "z", "hx", "hy", "hz")
        return Table({name: values[:, k] for k, name in enumerate(names)}, [])
    is_gzip = start.startswith(b"\x1f\x8b")
    with gzip.open(path, "rt", encoding="utf-8") if is_gzip else open(path, encoding="utf-8") as text:
        return read_text(text, path, given)


def particles_of(table: Table, path: str, given: argparse.Namespace) -> tuple[Any, Any, Any]:
    """Positions, sizes and ids, in the order of the ids. Sizes are radii [n] or, where there are none, half extents [n, D] of boxes."""
    missing = [name for name in "xy" if name not in table.columns]
    extents = ["h" + name for name in "xyz" if name in table.columns]
    boxes = given.radius is None and "r" not in table.columns and set(extents) <= table.columns.keys()
    if missing or not boxes and "r" not in table.columns and given.radius is None:
        what = f"no column {missing[0]}" if missing else "no column of radii; give --radius R for all"
        more = ", or name the columns with --columns" if table.others >= max(1, len(missing)) else ""
        raise Refused(f"{path}: {what}{more}; {MORE}", DATA)
    x = np.stack([table.columns[name] for name in "xyz" if name in table.columns], axis=1).astype(np.float64, copy=False)
    if boxes:
        sizes = np.stack([table.columns[name] for name in extents], axis=1).astype(np.float64)
    else:
        sizes = np.full(len(x), given.radius) if given.radius is not None else np.array(table.columns["r"], np.float64)
    sizes *= given.radius_scale
    if "id" not in table.columns:
        return x, sizes, np.arange(len(x))
    ids = table.columns["id"].astype(np.int64)
    order = np.argsort(ids, kind="stable")
    twice = np.flatnonzero(ids[order[1:]] == ids[order[:-1]])
    if (ids != table.columns["id"]).any() or len(twice) > 0:
        raise Refused(f"{path}: " + (f"id {ids[order[twice[0]]]} stands there twice" if len(twice) else "ids are whole numbers"), DATA)
    return x[order], sizes[order], ids[order]


def grid_of(table: Table, dimension: int, given: argparse.Namespace) -> Grid:
    axes = "".join(sorted(set(given.periodic)))
    if not axes:
        return Grid(skin=given.skin, threads=given.threads)
    box = [float(word) for word in given.box.split(",")] if given.box else table.box
    if len(box) not in (4, 6) or len(box) < 2 * dimension:
        raise Refused("--periodic needs a box, and the file states none; give --box x0,y0,z0,x1,y1,z1")
    half = len(box) // 2
    return Grid((box[:dimension], box[half:half + dimension]), periodic=axes, skin=given.skin, threads=given.threads)


@contextlib.contextmanager
def replacing(path: str) -> Iterator[Any]:
    """A file that takes its place when it is whole."""
    new = f"{path}.{os.getpid()}.new"
    try:
        with open(new, "xb") as file:
            yield file
        os.replace(new, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(new)


def write(contacts: Any, out: str) -> None:
    def rows() -> Iterator[bytes]:
        yield b"i,j,ix,iy,iz,overlap\n"
        for begin in range(0, len(contacts), 1 << 16):
            yield "".join("%d,%d,%d,%d,%d,%r\n" % row for row in contacts[begin:begin + (1 << 16)].tolist()).encode()

    if out == "-":
        sys.stdout.buffer.writelines(rows())
        sys.stdout.flush()
        return
    with replacing(out) as file:
        if out.endswith(".npy"):
            np.save(file, contacts)
        else:
            file.writelines(rows())


def contacts(given: argparse.Namespace) -> None:
    out = given.out
    if out and out != "-" and not out.endswith((".csv", ".npy")):
        raise Refused(f"{out}: an output ends in .csv or .npy; {MORE}")
    if out and os.path.exists(out) and not given.overwrite:
        raise Refused(f"{out}: exists; --overwrite replaces it")
    table = read(given.file, given.columns.split(",") if given.columns else ())
    x, sizes, ids = particles_of(table, given.file, given)
    n, dimension = x.shape
    boxes = sizes.ndim == 2
    try:
        grid = grid_of(table, dimension, given)
    except ValueError as why:  # of an option
        raise Refused(str(why)) from None
    report = sys.stderr if out == "-" else sys.stdout
    with progress() if sys.stderr.isatty() else contextlib.nullcontext():
        grid.build(x, extents=sizes) if boxes else grid.build(x, sizes)
        pairs = None if given.count else grid.pairs("ijSD" if boxes else "ijSd", order="sorted")
    size = grid.count() if pairs is None else pairs.size
    print(f"particles  {n:,} in {dimension} dimensions, from {given.file}\ncolumns    {', '.join(table.columns)}", file=report)
    what = "boxes      half extents" if boxes else "radii     "
    print(f"{what} {sizes.min():.6g} to {sizes.max():.6g}" if n else f"{what} none", file=report)
    print(f"pairs      {size:,}, {size / max(n, 1):.3g} per particle", file=report)
    if pairs is None:
        return
    i, j, S, d = pairs  # distances, of boxes as vectors
    overlap = sizes[i] + sizes[j] - np.abs(d)
    found = np.zeros(size, RECORD)
    found["i"], found["j"], found["overlap"] = ids[i], ids[j], overlap.min(axis=1) if boxes else overlap
    for k in range(dimension):
        found[("ix", "iy", "iz")[k]] = S[:, k]
    print(f"overlaps   {found['overlap'].max(initial=0):.6g} at most", file=report)
    if out:
        write(found, out)


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message}; {MORE}\n")


def parser() -> Parser:
    top = Parser(prog="hgrid", description="All contacts of particles of any sizes.", epilog=MORE[0].upper() + MORE[1:] + ".")
    top.add_argument("--version", action="version", version=f"hgrid {__version__}")
    command = top.add_subparsers(required=True, metavar="COMMAND").add_parser("contacts", help="find the contacts of the particles in a file")
    command.set_defaults(run=contacts)
    add = command.add_argument
    add("file", metavar="FILE", help="a table with columns x, y, z, r (or hx, hy, hz, half extents of boxes) and id, or a .npy of x y z r; a table may be a .gz")
    add("--columns", metavar="NAME,...", help="names of all columns, instead of a header")
    add("--radius", metavar="R", type=float, help="of all particles, for a FILE without radii")
    add("--radius-scale", metavar="S", type=float, default=1.0, help="multiplies the radii: 0.5 for diameters")
    add("--periodic", metavar="AXES", default="", help="periodic axes, such as xyz or x")
    add("--box", metavar="x0,y0,z0,x1,y1,z1", help="for --periodic; a table may state it as '# box x0 y0 z0 x1 y1 z1'")
    add("--skin", metavar="LENGTH", type=float, default=0.0, help="take pairs up to this much apart, too")
    add("--threads", metavar="N", type=int, help="how many threads search")
    add("--out", metavar="F", help="writes i,j,ix,iy,iz,overlap of each contact, as .csv or .npy; - is CSV to stdout")
    add("--overwrite", action="store_true", help="F may exist")
    add("--count", action="store_true", help="counts the pairs only")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    try:
        given.run(given)
        return 0
    except Refused as why:
        code, text = why.code, str(why)
    except MemoryError as why:
        code, text = MEMORY, str(why) or "out of memory"
    except OSError as why:
        code, text = FILE, f"{why.filename or given.file}: {why.strerror or why}"
    except (Error, ValueError, EOFError) as why:
        code, text = DATA, f"{given.file}: {why}"
    except KeyboardInterrupt:
        code, text = INTERRUPTED, "interrupted"
    print("hgrid:", text, file=sys.stderr)
    return code
