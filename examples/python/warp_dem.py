# SPDX-License-Identifier: BSD-3-Clause
"""Spheres of very different sizes in a periodic box, whose time steps are one graph of Warp, on the CPU or a CUDA device."""
import sys

import numpy as np
import warp as wp

import hgrid
import hgrid.warp

device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
dt, stiffness = wp.constant(1e-4), wp.constant(0.1)


@wp.kernel
def forces(x: wp.array(dtype=wp.vec3), r: wp.array(dtype=float), near: hgrid.warp.Neighbors, f: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    total = wp.vec3(0.0)
    for k in range(hgrid.warp.count(near, i)):
        j = hgrid.warp.neighbor(near, i, k)
        d = hgrid.warp.separation(near, i, k, x[i], x[j])  # also across the faces of the box
        overlap = r[i] + r[j] - wp.length(d)
        if overlap > 0.0:  # other pairs are within the skin
            total -= stiffness * overlap * wp.normalize(d)
    f[i] = total


@wp.kernel
def move(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), r: wp.array(dtype=float), f: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    v[i] += f[i] * dt / (4.2 * r[i] * r[i] * r[i])
    x[i] += v[i] * dt  # do not wrap x: a wrap counts as a move of one period


rng = np.random.default_rng(7)
n = 2000
x = wp.array(rng.random((n, 3)), dtype=wp.vec3, device=device)
r = wp.array(0.01 * (1 - rng.random(n) * (1 - 10.0**-2)) ** -0.5, dtype=float, device=device)  # from 0.01 to 0.1
v, f = wp.zeros_like(x), wp.zeros_like(x)

# [docs: loop]
lists = hgrid.warp.VerletList(hgrid.Grid(((0, 0, 0), (1, 1, 1)), periodic=True, skin=0.02), capacity=400_000)
lists.update(x, r)
with wp.ScopedCapture(device) as capture:
    wp.launch(forces, dim=n, inputs=[x, r, lists.near, f], device=device)
    wp.launch(move, dim=n, inputs=[x, v, r, f], device=device)
for _ in range(200):
    lists.update(x, r)  # where particles have moved too far, a new list in the arrays that the graph reads
    wp.capture_launch(capture.graph)
# [docs: end]

momentum = (r.numpy()[:, None].astype(float) ** 3 * v.numpy()).sum(axis=0)
assert np.abs(momentum).max() < 1e-8 < 1e-3 < (r.numpy() ** 3 * np.abs(v.numpy()[:, 0])).sum()  # each pair pushes both ways
pairs = hgrid.Grid(((0, 0, 0), (1, 1, 1)), periodic=True).build(x.numpy(), r.numpy()).count()
print(f"{lists.list.counters.builds} lists in 200 steps on {x.device}; {pairs} pairs still touch")
