# SPDX-License-Identifier: BSD-3-Clause
"""ASE's calculators and neighbor lists on hgrid's search."""
from ase.build import bulk
from ase.calculators.emt import EMT
from ase.neighborlist import NeighborList

import hgrid.ase

hgrid.ase.install()                             # or: with hgrid.ase.install(): ...

atoms = bulk("Cu", cubic=True) * (4, 4, 4)
atoms.rattle(0.05, seed=1)
atoms.calc = EMT()
print(f"{atoms.get_potential_energy():.6f} eV")
lists = NeighborList([1.4] * len(atoms), skin=0.1, self_interaction=False, bothways=True)
lists.update(atoms)
print(len(lists.get_neighbors(0)[0]), "neighbors of atom 0")
assert isinstance(lists.nl, hgrid.ase.PrimitiveNeighborList) and len(lists.get_neighbors(0)[0]) == 12
