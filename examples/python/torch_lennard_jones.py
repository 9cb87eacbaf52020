# SPDX-License-Identifier: BSD-3-Clause
"""Energy, forces and stress of Lennard-Jones by torch's autograd, as ASE's calculator gives them."""
import numpy as np
import torch
from ase.build import bulk
from ase.calculators.lj import LennardJones

import hgrid.torch

sigma, epsilon, cutoff = 3.4, 0.0104, 8.5


def energy(x, cell, pbc):
    found = hgrid.torch.neighbor_list(x, cutoff, cell, pbc)  # found.D and found.d have gradients
    c = (sigma / found.d) ** 6
    c_at_cutoff = (sigma / cutoff) ** 6
    return 2 * epsilon * ((c * c - c) - (c_at_cutoff**2 - c_at_cutoff)).sum()  # each pair stands in the list twice


atoms = bulk("Ar", a=5.3, cubic=True) * (2, 2, 3)
atoms.rattle(0.1, seed=1)
atoms.set_cell(atoms.cell @ [[1, 0.05, 0], [0, 1, 0.1], [0, 0, 1]], scale_atoms=True)
x, cell, pbc = torch.tensor(atoms.positions), torch.tensor(atoms.cell.array), torch.tensor(atoms.pbc)
strain = torch.zeros(3, 3, dtype=torch.float64, requires_grad=True)
x.requires_grad_()
stretch = torch.eye(3, dtype=torch.float64) + strain
e = energy(x @ stretch, cell @ stretch, pbc)
dx, dstrain = torch.autograd.grad(e, (x, strain))
forces, stress = -dx, dstrain / cell.det().abs()

atoms.calc = LennardJones(sigma=sigma, epsilon=epsilon, rc=cutoff)
assert abs(e.item() - atoms.get_potential_energy()) < 1e-10
np.testing.assert_allclose(forces, atoms.get_forces(), atol=1e-12)
np.testing.assert_allclose(stress, atoms.get_stress(voigt=False), atol=1e-12)
print(f"{e.item():.6f} eV, the largest force {forces.abs().max():.4f} eV/Å")
