# SPDX-License-Identifier: BSD-3-Clause
"""Contacts of Yade's spheres by hgrid, beside Yade's own at each step of a gravity deposition, and the time of a processor of both.
yade -n -x yade_pairs.py [SPHERES [STEPS [RATIO]]]"""
import sys
import time

import numpy as np
import yade  # whose program brings engines and functors into the name space of a script
from yade import utils

import hgrid


# [docs: yade]
class Spheres:
    """The spheres among Yade's bodies, whose ids may be any."""

    def __init__(self, skin):
        bodies = [body for body in O.bodies if isinstance(body.shape, Sphere)]
        self.states, self.ids = [body.state for body in bodies], np.array([body.id for body in bodies])
        self.radii = np.array([body.shape.radius for body in bodies])
        self.list = hgrid.VerletList(hgrid.Grid(skin=skin, threads="serial"), full=False)

    def pairs(self, x):
        """The ids of bodies that overlap, [m, 2]. Yade has them between InteractionLoop and NewtonIntegrator."""
        self.list.update(x, self.radii)
        i, j, r = self.list.neighbors().i, self.list.neighbors().indices, self.radii
        overlap = ((x[i] - x[j]) ** 2).sum(1) < (r[i] + r[j]) ** 2  # others are within the skin
        return self.ids[np.stack([i[overlap], j[overlap]], axis=1)]
# [docs: end]

    def positions(self):
        return np.array([state.pos for state in self.states])


def deposition(n, ratio, seed=4):
    """Spheres that do not touch in a box, the number of whose radii falls as r^-3."""
    rng = np.random.default_rng(seed)
    r = 0.01 * np.sort((1 - rng.random(n) * (1 - ratio**-2.0)) ** -0.5)[::-1]
    side = ((r**3).sum() * 4.19 / 0.35) ** (1 / 3)
    grid, lo = hgrid.Grid().build(np.zeros((0, 3)), np.zeros(0)), np.zeros(3)
    O.materials.append(FrictMat(young=1e6, poisson=0.3, density=2600, frictionAngle=0.5))
    O.bodies.append(utils.aabbWalls([(0, 0, 0), (side, side, side)], thickness=0))
    for radius in r:  # the large ones first
        while True:
            at = radius + rng.random(3) * (side - 2 * radius)
            if grid.insert(at[None], float(radius))[0] >= 0:
                break
        O.bodies.append(utils.sphere(tuple(at), radius))
    return r.min()


class Comparison:
    """Contacts of both at each step."""

    def __init__(self, skin):
        self.spheres, self.found, self.steps, self.yade, self.hgrid = Spheres(skin), 0, 0, 0.0, 0.0

    def before(self):
        self.yade -= time.process_time()

    def after(self):
        self.yade += time.process_time()

    def step(self):
        x = self.spheres.positions()
        self.hgrid -= time.process_time()
        self.spheres.list.update(x, self.spheres.radii)  # again in `pairs`, where the list holds
        self.hgrid += time.process_time()
        ours = self.spheres.pairs(x)
        known = set(self.spheres.ids.tolist())
        theirs = {tuple(sorted((k.id1, k.id2))) for k in O.interactions if k.id1 in known and k.id2 in known}
        assert {tuple(sorted(pair)) for pair in ours.tolist()} == theirs, f"step {O.iter}"
        self.found, self.steps = self.found + len(ours), self.steps + 1


n, steps, ratio = [*map(int, sys.argv[1:]), *(500, 2000, 10)[len(sys.argv) - 1:]]
skin = 0.2 * deposition(n, ratio)
comparison = Comparison(skin)
collider = InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Box_Aabb()], verletDist=0.5 * skin)  # Yade widens both spheres
called = {"iterPeriod": 1, "initRun": True}
O.engines = [ForceResetter(), PyRunner(command="comparison.before()", **called), collider, PyRunner(command="comparison.after()", **called),
             InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Box_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_FrictPhys()],
                             [Law2_ScGeom_FrictPhys_CundallStrack()]),
             PyRunner(command="comparison.step()", **called), NewtonIntegrator(gravity=(0, 0, -9.81), damping=0.3)]
O.dt = 0.4 * utils.PWaveTimeStep()
O.run(steps, True)
assert comparison.steps == steps and comparison.found > 0
print(f"Yade {yade.config.version}: {comparison.found} pairs of {n} spheres of ratio {ratio} are the same in {steps} steps. Detection took Yade "
      f"{comparison.yade:.2f} s of a processor, and hgrid {comparison.hgrid:.2f} s with {comparison.spheres.list.counters.builds} lists")
