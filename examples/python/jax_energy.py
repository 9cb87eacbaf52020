# SPDX-License-Identifier: BSD-3-Clause
"""Energy and forces in one program of jax, with a list of fixed capacity that grows where it overflows; and a batch."""
import functools

import jax
import jax.numpy as jnp
import numpy as np

import hgrid.jax

rng = np.random.default_rng(1)
x, cell = jnp.asarray(rng.random((500, 3)), jnp.float32), jnp.eye(3)


def energy(x, capacity):
    found = hgrid.jax.neighbor_list(x, 0.15, capacity=capacity, cell=cell, pbc=True)
    D, d = hgrid.jax.vectors(x, found, cell)
    return 0.5 * jnp.where(found.mask, (1 - d / 0.15) ** 2, 0).sum(), found


@functools.partial(jax.jit, static_argnames="capacity")
def step(x, capacity):
    (e, found), slope = jax.value_and_grad(energy, has_aux=True)(x, capacity)
    return e, -slope, found


capacity = 1000
e, forces, found = step(x, capacity)
while found.overflow:
    capacity = int(1.2 * found.count)               # the program is compiled again
    e, forces, found = step(x, capacity)

energies, _ = jax.vmap(lambda x: energy(x, capacity))(jnp.stack([x, 1.1 * x]))  # a batch is one call

i, j, d = hgrid.neighbor_list("ijd", positions=np.asarray(x), cell=np.eye(3), pbc=True, cutoff=0.15)
assert len(i) == int(found.count) > 1000 and np.isclose(e, 0.5 * ((1 - d / 0.15) ** 2).sum()) and np.isclose(energies[0], e)
assert abs(forces.sum()) < 1e-2 < abs(forces).max()
print(f"{found.count} entries, capacity {capacity}, energy {e:.4f}")
