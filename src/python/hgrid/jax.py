# SPDX-License-Identifier: BSD-3-Clause
"""Neighbor lists inside programs that jax compiles, on hosts: under `jit`, `vmap`, `grad` and loops of `lax`.

Arrays of such programs have sizes that are known when they are compiled. So a list has a capacity, and says whether it
overflowed.
Ids and shifts have no gradients; gradients of vectors and distances flow by `vectors` to positions and cell.

`jax.export` takes a program with these if it is told so, because what hgrid's calls mean may change with its version:
`jax.export.export(program, disabled_checks=[jax.export.DisabledSafetyCheck.custom_call(name) for name in hgrid.jax.CALLS])`. Run it where the same
version is imported.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import jax  # type: ignore[import-not-found, unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
import numpy as np

from ._box import Periodic, axes_of
from ._checks import fail, flag, is_number, number, whole
from ._errors import Words
from ._given import threads_of

if not hasattr(jax, "ffi"):
    raise ImportError(f"hgrid.jax needs jax 0.5 or newer, and this is jax {jax.__version__}")
try:
    from . import _xla
except ImportError as error:
    raise ImportError("this hgrid was built without jax, whose headers hgrid.jax needs; in a checkout, HGRID_JAX=1 pip install . "
                      "builds it with them") from error

__all__ = ["CALLS", "Entries", "Matrix", "neighbor_list", "neighbor_matrix", "vectors"]

CALLS = "hgrid_list", "hgrid_matrix"
for _name, _run in zip(CALLS, (_xla.list, _xla.matrix)):
    jax.ffi.register_ffi_target(_name, _run, platform="cpu")

_MOST = (1 << 31) - 1


class Entries(NamedTuple):
    """The entries of neighbor lists, in the order of i; behind them padding, whose ids are n.

    i, j: [capacity] int32. S: [capacity, D] int32, zeros in the padding, with D = x[j] - x[i] + S @ cell.
    count: the number of entries that there are, int32. overflow: whether it is above the capacity; the first ones are then
    here.
    """

    i: Any
    j: Any
    S: Any
    count: Any
    overflow: Any

    @property
    def mask(self) -> Any:
        """Which entries are none of the padding. [capacity] bool"""
        return jnp.arange(self.i.shape[-1]) < self.count[..., None]


class Matrix(NamedTuple):
    """The neighbors of particle i in row i; behind them padding, whose ids are n.

    j: [n, max_neighbors] int32. S: [n, max_neighbors, D] int32, zeros in the padding.
    count: [n] int32, how many neighbors each has. overflow: whether one has more than max_neighbors; its first ones are then
    here.
    """

    j: Any
    S: Any
    count: Any
    overflow: Any

    @property
    def i(self) -> Any:
        """The particle of each entry; n in the padding. [n, max_neighbors] int32"""
        n = self.j.shape[-2]
        return jnp.where(self.mask, jnp.arange(n, dtype=jnp.int32)[:, None], n)

    @property
    def mask(self) -> Any:
        """Which entries are none of the padding. [n, max_neighbors] bool"""
        return jnp.arange(self.j.shape[-1]) < self.count[..., None]


def neighbor_list(positions: Any, cutoff: Any, *, capacity: int, cell: Any = None, pbc: Periodic | None = None,
                  active: Any = None, full: bool = True, threads: int | str | None = None) -> Entries:
    """All pairs nearer than the cutoff, as in `hgrid.neighbor_list`, in arrays of fixed sizes.

    positions: [n, 3] or [n, 2], float32 or float64; half and bfloat16 are widened to float32, which is exact.
    cutoff: a number that is known when the program is compiled is a distance; an array [n] radii, of which pairs are nearer
    than the sum.
    capacity: how many entries there is room for. Call it again with `count` of the result, where it overflowed.
    cell, pbc: the vectors, [D, D] in rows, and a flag for each (default: open), which is known then, too.
    active: [n] flags; False leaves a particle out, as padding of positions.
    full: pairs both ways, or each once.

    Under `vmap` one call searches all systems of the batch. Raises InputError for arguments that can be told to be wrong when
    the program is compiled. Numbers that are wrong when it runs, such as a nan, are an exception of jax's that names the first
    one.
    """
    room = whole(capacity, "capacity", 0, _MOST)
    given, more, n, dimension = _given(positions, cutoff, cell, pbc, active, full, threads)
    i, j, S, count = _call("hgrid_list", ((room,), (room,), (room, dimension), ()), given, more)
    return Entries(i, j, S, count, count > room)


def neighbor_matrix(positions: Any, cutoff: Any, *, max_neighbors: int, cell: Any = None, pbc: Periodic | None = None,
                    active: Any = None, full: bool = True, threads: int | str | None = None) -> Matrix:
    """The pairs of `neighbor_list` in a matrix with a row for each particle. max_neighbors: its width. The other arguments are as in
    `neighbor_list`."""
    width = whole(max_neighbors, "max_neighbors", 0, _MOST)
    given, more, n, dimension = _given(positions, cutoff, cell, pbc, active, full, threads)
    j, S, count = _call("hgrid_matrix", ((n, width), (n, width, dimension), (n,)), given, more)
    return Matrix(j, S, count, jnp.any(count > width))


def vectors(positions: Any, found: Entries | Matrix, cell: Any = None) -> tuple[Any, Any]:
    """The vectors D = x[j] - x[i] + S @ cell and the distances d of all entries, with gradients to positions and cell.

    Of the padding D is 0 and d infinite, and neither has a gradient. All derivatives of d are 0 where two particles lie at one
    point.
    """
    x = _positions(positions)
    padded = jnp.concatenate([x, jnp.zeros((1, x.shape[1]), x.dtype)])  # with the particle n of the padding
    D = padded[found.j] - padded[found.i]
    if cell is not None:
        D = D + jnp.matmul(found.S.astype(x.dtype), _cell(cell, x), precision="highest")
    square = (D * D).sum(-1)
    d = jnp.where(square > 0, jnp.sqrt(jnp.where(square > 0, square, 1)), 0)  # the root of 0 would have the gradient nan
    return D, jnp.where(found.mask, d, jnp.inf)


def _positions(given: Any) -> Any:
    x = jnp.asarray(given)
    if x.ndim != 2 or x.shape[1] not in (2, 3):
        raise fail("positions", f"has shape {x.shape}; (n, 2) or (n, 3) is needed", code="size_mismatch")
    if not jnp.issubdtype(x.dtype, jnp.floating):
        raise fail("positions", f"is an array of {x.dtype}; it must be of float64 or float32")
    return x.astype(jnp.float32) if x.dtype.itemsize < 4 else x


def _cell(given: Any, x: Any) -> Any:
    cell, dimension = jnp.asarray(given, x.dtype), x.shape[1]
    if cell.shape != (dimension, dimension):
        raise fail("cell", f"has shape {cell.shape}; ({dimension}, {dimension}) is needed, a vector in each row",
                   code="size_mismatch")
    return cell


def _of_each(given: Any, argument: str, dtype: Any, n: int) -> Any:
    array = jnp.asarray(given, dtype)
    if array.shape != (n,):
        raise fail(argument, f"has shape {array.shape}; ({n},) is needed", code="size_mismatch")
    return array


def _given(positions: Any, cutoff: Any, cell: Any, pbc: Any, active: Any, full: bool,
           threads: int | str | None) -> tuple[tuple[Any, ...], dict[str, Any], int, int]:
    """The arrays and the numbers of a search, and how many particles and axes there are."""
    x = _positions(positions)
    n, dimension = x.shape
    with Words(periodic="pbc"):
        flags = axes_of(False if pbc is None else pbc, dimension)
    if any(flags) and cell is None:
        raise fail("pbc", "needs a cell")
    none = jnp.zeros((0,), x.dtype)
    distance, radii = 0.0, none
    if cutoff is None or isinstance(cutoff, str) or is_number(cutoff) or getattr(cutoff, "ndim", 1) == 0:
        distance = number(cutoff, "cutoff", above=True)
    else:
        radii = _of_each(cutoff, "cutoff", x.dtype, n)
    vectors_of_cell = _cell(cell, x) if any(flags) else jnp.zeros((dimension, dimension), x.dtype)
    those = jnp.zeros((0,), bool) if active is None else _of_each(active, "active", bool, n)
    periodic = sum(1 << axis for axis, wraps in enumerate(flags) if wraps)
    more = {"cutoff": np.float64(distance), "periodic": np.int64(periodic), "threads": np.int32(threads_of(threads)),
            "full": flag(full, "full")}
    return (x, vectors_of_cell, radii, those), more, n, dimension


def _call(target: str, shapes: tuple[tuple[int, ...], ...], given: tuple[Any, ...], more: dict[str, Any]) -> Any:
    results = [jax.ShapeDtypeStruct(shape, jnp.int32) for shape in shapes]  # type: ignore[no-untyped-call, unused-ignore]
    search = jax.ffi.ffi_call(target, results, vmap_method="broadcast_all")
    return search(*(jax.lax.stop_gradient(array) for array in given), **more)
