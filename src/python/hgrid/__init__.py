# SPDX-License-Identifier: BSD-3-Clause
"""All contacts of particles of any sizes, each once, in time and memory proportional to particles and contacts.

`Grid`, `VerletList`, `PairArray` and `Mesh` are hgrid's own; `neighbor_list`, `primitive_neighbor_list`, `NeighborList`, `radius_graph`, `KDTree`, `capped_distance` and
`self_capped_distance` replace the functions of these names in ASE and matscipy, ASE, vesin, PyG, scipy, and MDAnalysis. They work where their arrays are, on
the host or on a CUDA device. `check` notes sizes in another unit, `verify` compares a result with all pairs, `plot` draws it, and `progress` shows how far
work is.
"""
from ._batches import NeighborLists, neighbor_lists
from ._box import Box
from ._capped import capped_distance, self_capped_distance
from ._core import __version__
from ._dropin import NeighborList, neighbor_list, primitive_neighbor_list, radius_graph
from ._errors import Error, InputError, MissingPackageError, OutOfMemoryError, RangeError, StateError
from ._grid import Grid
from ._lists import release
from ._mesh import Mesh, WallContacts
from ._neighbors import Neighbors, PackedNeighbors
from ._notes import check
from ._pair_array import PairArray
from ._plot import plot
from ._progress import progress
from ._results import Counters, Level, Nearest, Pairs, Plan
from ._tree import KDTree
from ._verify import verify
from ._verlet import VerletList

__all__ = ["Box", "Counters", "Error", "Grid", "InputError", "KDTree", "Level", "Mesh", "MissingPackageError", "Nearest", "NeighborList", "NeighborLists", "Neighbors", "OutOfMemoryError",
           "PackedNeighbors", "PairArray", "Pairs", "Plan", "RangeError", "StateError", "VerletList", "WallContacts", "__version__", "capped_distance", "check",
           "neighbor_list", "neighbor_lists", "plot", "primitive_neighbor_list", "progress", "radius_graph", "release", "self_capped_distance", "verify"]
