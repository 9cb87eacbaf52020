# SPDX-License-Identifier: BSD-3-Clause
"""Grains of many sizes flow out of a hopper of triangles: hopper.py [picture.png]. Springs and dashpots, no friction."""
import sys

import numpy as np

import hgrid

STIFFNESS, DAMPING, GRAVITY, DT, STEPS = 2e4, 20.0, 9.81, 4e-4, 2200


def hopper(sides=24, neck=0.11, wide=0.5):
    """A cone below a pipe, as an STL file has triangles: three points each."""
    rings = [(neck, 0.0), (wide, 0.7), (wide, 2.2)]
    turn = 2 * np.pi * np.arange(sides + 1) / sides
    points = np.array([[(a * np.cos(t), a * np.sin(t), z) for t in turn] for a, z in rings])
    points[:, -1] = points[:, 0]  # the last side ends where the first one begins
    return np.array([triangle for low, high in zip(points, points[1:]) for k in range(sides)
                     for triangle in ((low[k], low[k + 1], high[k]), (low[k + 1], high[k + 1], high[k]))])


def forces(D, overlap, v):
    """Along the ways D of contacts, from the first side to the second: a spring, and a dashpot on the speed of approach."""
    normal = D / np.linalg.norm(D, axis=1)[:, None]
    push = STIFFNESS * overlap + DAMPING * np.einsum("kd,kd->k", v, normal)
    return np.maximum(push, 0)[:, None] * normal


rng = np.random.default_rng(1)
x = np.stack(np.meshgrid(*3 * [np.arange(-0.3, 0.31, 0.1)]), -1).reshape(-1, 3) * [1, 1, 1.6] + [0, 0, 1.3]
x += rng.uniform(-0.01, 0.01, x.shape)
r = rng.uniform(0.015, 0.045, len(x))
m, v = 4000 * r**3, np.zeros_like(x)

grid = hgrid.Grid(skin=0.03)
grains = hgrid.VerletList(grid, full=False)
grains.update(x, r)
walls = hgrid.Mesh(grid, hopper())
most = 0
for step in range(STEPS):
    grains.update(x, r)
    f = m[:, None] * np.array([0, 0, -GRAVITY])
    lists = grains.neighbors()
    i, j = lists.i, lists.indices
    D = x[j] - x[i]
    near = np.flatnonzero(np.einsum("kd,kd->k", D, D) < (r[i] + r[j])**2)  # others are within the skin
    i, j, D = i[near], j[near], D[near]
    push = forces(D, r[i] + r[j] - np.linalg.norm(D, axis=1), v[i] - v[j])
    np.add.at(f, j, push), np.add.at(f, i, -push)
    touching = walls.contacts(x, r, margin=0.5 * grains.counters.skin)
    most = max(most, len(touching.indices))
    k, D = touching.indices, x[touching.indices] - touching.points
    np.add.at(f, k, forces(D, r[k] - np.linalg.norm(D, axis=1), -v[k]))
    v += DT * f / m[:, None]
    x += DT * v

out = int((x[:, 2] < 0).sum())
print(f"{len(x)} grains after {STEPS * DT:g} s: {out} have left, {most} wall contacts at most, {grains.counters.builds} lists")
inside = x[:, 2] > 0.05
assert 0 < out < len(x) and np.hypot(x[inside, 0], x[inside, 1]).max() < 0.5 and most > 20

if len(sys.argv) > 1:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    axes = plt.figure(figsize=(5, 6)).add_subplot(projection="3d", computed_zorder=False)
    back = hopper()
    axes.add_collection3d(Poly3DCollection(back[back[:, :, 1].mean(axis=1) > 0], facecolor="0.85", edgecolor="0.7", linewidth=0.4, zorder=1))
    axes.scatter(*x.T, s=(r * 330)**2, c=r, cmap="viridis", edgecolor="white", linewidth=0.3, alpha=1, zorder=2)
    axes.set(xlim=(-0.5, 0.5), ylim=(-0.5, 0.5), zlim=(-0.8, 1.6), box_aspect=(1, 1, 2.4))
    axes.set_axis_off()
    axes.view_init(8, -90)
    plt.savefig(sys.argv[1], dpi=110, bbox_inches="tight")
