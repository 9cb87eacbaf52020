# SPDX-License-Identifier: BSD-3-Clause
"""Edges and neighbor lists as operations of torch: `torch.compile`, `torch.export`, TorchScript and autograd take them, on the host
or on a CUDA device.

Which entries there are has no gradient. The vectors and distances of `neighbor_list` have derivatives of any order, to positions
and cell.
"""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple  # as TorchScript reads them

import torch  # type: ignore[import-not-found, unused-ignore]
from torch import Tensor
from torch.jit import is_scripting  # type: ignore[attr-defined, import-not-found, unused-ignore]

from . import _dropin
from ._arrays import is_on_device
from ._checks import fail
from ._systems import entries_of_systems

__all__ = ["Neighbors", "neighbor_list", "radius_graph"]


class Neighbors(NamedTuple):
    """The entries of neighbor lists, in the order of i.

    edge_index: [2, m] int64: i, then j. S: [m, D] int64, with D = x[j] - x[i] + S @ cell.
    D: [m, D] vectors from i to j, and d: [m] their lengths, of the positions' type, with gradients.
    """

    edge_index: Tensor
    S: Tensor
    D: Tensor
    d: Tensor


def radius_graph(x: Tensor, r: float, batch: Optional[Tensor] = None, loop: bool = False,
                 max_num_neighbors: Optional[int] = None, flow: str = "source_to_target",
                 batch_size: Optional[int] = None, num_workers: int = 1) -> Tensor:
    """The edges between points nearer than r, [2, m] int64, with the result and arguments of `hgrid.radius_graph`.

    x: [n, 2] or [n, 3], where the edges are then, too; half and bfloat16 are widened to float32, which is exact. It is the operation
    `torch.ops.hgrid.radius_graph`. num_workers has no effect here. Raises InputError; from TorchScript it is a RuntimeError with its text.
    """
    edges: Tensor = torch.ops.hgrid.radius_graph(_wide(x), r, batch, loop, max_num_neighbors, flow, batch_size)
    return edges


def neighbor_list(positions: Tensor, cutoff: float, cell: Optional[Tensor] = None, pbc: Optional[Tensor] = None,
                  batch: Optional[Tensor] = None, self_interaction: bool = False) -> Neighbors:
    """All pairs nearer than the cutoff, both ways, as in `hgrid.neighbor_list`, of one system or of each system of a batch.

    positions: [n, 3] or [n, 2]. half and bfloat16 are widened to float32, which is exact; D and d are then float32, also under
    autocast.
    cell: [D, D] vectors in rows, or one for each system, [g, D, D]. pbc: flags [D], or for each system, [g, D] (default: open).
    batch: [n] number of the system of each particle, in any order; only particles of one system are neighbors.
    self_interaction: each particle is a neighbor of itself, too.

    Distances in double precision decide; d of float32 may round to the cutoff.
    Where two particles lie at one point, as a particle and itself do, all derivatives of d are 0. Raises InputError; from
    TorchScript it is a RuntimeError with its text.
    """
    if not is_scripting():
        cell, pbc, batch = (_tensor(given, positions) for given in (cell, pbc, batch))
        if isinstance(cutoff, Tensor) and cutoff.dim() > 0:
            raise fail("cutoff", f"is a tensor of shape {tuple(cutoff.shape)}; one distance is needed. hgrid.neighbor_list takes radii")
    x = _wide(positions)
    found: Tuple[Tensor, Tensor] = torch.ops.hgrid.neighbor_list(x, cutoff, cell, pbc, batch, self_interaction)
    edge_index, S = found
    i, j = edge_index[0], edge_index[1]
    D = x[j] - x[i]
    if cell is not None:
        vectors = cell.to(x.dtype)
        for axis in range(S.shape[1]):  # no matrix product, which autocast would do in half precision
            along = vectors[..., axis, :]
            if along.dim() == 2:
                along = along[torch.zeros_like(i) if batch is None else batch[i]]
            D = D + S[:, axis:axis + 1].to(x.dtype) * along
    square = (D * D).sum(-1)
    apart = square > 0
    d = torch.where(apart, torch.where(apart, square, 1.0).sqrt(), 0.0)  # the root of 0 would have the gradient nan
    return Neighbors(edge_index, S, D, d)


def _wide(x: Tensor) -> Tensor:
    return x.float() if x.dtype == torch.float16 or x.dtype == torch.bfloat16 else x


def _tensor(given: Any, positions: Tensor) -> Any:
    """Cells and flags may come as numbers of Python, and as arrays of numpy."""
    return given if given is None or isinstance(given, Tensor) else torch.as_tensor(given, device=positions.device)


_library: Any = torch.library.Library("hgrid", "DEF")  # type: ignore[no-untyped-call, unused-ignore]
_library.define("radius_graph(Tensor x, float r, Tensor? batch=None, bool loop=False, int? max_num_neighbors=None, "
                "str flow='source_to_target', int? batch_size=None) -> Tensor")
_library.define("neighbor_list(Tensor positions, float cutoff, Tensor? cell=None, Tensor? pbc=None, Tensor? batch=None, "
                "bool self_interaction=False) -> (Tensor, Tensor)")


def _require_real(x: Tensor, argument: str) -> None:
    if not x.is_floating_point():
        raise fail(argument, f"is a tensor of {x.dtype}; it must be of float64 or float32")


def _radius_graph(x: Any, r: float, batch: Any = None, loop: bool = False, max_num_neighbors: int | None = None,
                  flow: str = "source_to_target", batch_size: int | None = None) -> Any:
    _require_real(x, "x")
    return _dropin.radius_graph(x.detach(), r, _numbers(batch, x), loop, max_num_neighbors, flow, batch_size=batch_size)


def _numbers(batch: Any, x: Any) -> Any:
    """The numbers of systems in the type that hgrid takes where x is."""
    return batch.to(torch.int32) if batch is not None and is_on_device(x) else batch


def _neighbor_list(positions: Any, cutoff: float, cell: Any = None, pbc: Any = None, batch: Any = None,
                   self_interaction: bool = False) -> tuple[Any, Any]:
    _require_real(positions, "positions")
    x, cells = positions.detach(), None if cell is None else cell.detach().double().cpu().numpy()
    flags = False if pbc is None else pbc.cpu().numpy()
    if batch is not None or cells is not None and cells.ndim == 3:
        return entries_of_systems(x, cutoff, cells, flags, batch, self_interaction)
    i, j, S = _dropin.neighbor_list("ijS", positions=x, cell=cells, pbc=flags, cutoff=cutoff, self_interaction=self_interaction)
    return torch.stack([i, j]), S


def _size_known_when_it_runs() -> Any:
    return torch.library.get_ctx().new_dynamic_size()


def _edges(x: Any, *more: Any, **named: Any) -> Any:
    return x.new_empty((2, _size_known_when_it_runs()), dtype=torch.int64)


def _entries(positions: Any, *more: Any, **named: Any) -> tuple[Any, Any]:
    m = _size_known_when_it_runs()
    return positions.new_empty((2, m), dtype=torch.int64), positions.new_empty((m, positions.shape[1]), dtype=torch.int64)


for _name, _run, _shape in (("radius_graph", _radius_graph, _edges), ("neighbor_list", _neighbor_list, _entries)):
    # What hgrid does is not for torch.compile, which would look into it when a program that was compiled calls it.
    _library.impl(_name, torch.compiler.disable(_run), "CompositeExplicitAutograd")
    torch.library.register_fake(f"hgrid::{_name}", _shape)
