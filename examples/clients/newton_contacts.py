# SPDX-License-Identifier: BSD-3-Clause
"""Newton's contacts between particles by hgrid.warp: SolverOnHgrid in place of its SolverSemiImplicit.
python3 newton_contacts.py            forces and steps beside Newton's own
python3 newton_contacts.py times N    milliseconds of a processor for contacts and forces over the size ratio, by turns
Both on a device with cuda:0 as the last argument; milliseconds are then those of the wall."""
import sys
import time

import newton
import numpy as np
import warp as wp
from newton import ParticleFlags
from newton._src.solvers.semi_implicit.kernels_contact import eval_particle_contact_forces, particle_force
from newton.solvers import SolverSemiImplicit

import hgrid
import hgrid.warp


@wp.kernel
def contact_forces(near: hgrid.warp.Neighbors, x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), r: wp.array(dtype=float),
                   flags: wp.array(dtype=wp.int32), ke: float, kd: float, kf: float, mu: float, cohesion: float, f: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    total = wp.vec3(0.0)
    for k in range(hgrid.warp.count(near, i)):
        j = hgrid.warp.neighbor(near, i, k)
        if (flags[i] & flags[j] & ParticleFlags.ACTIVE) != 0:
            apart = -hgrid.warp.separation(near, i, k, x[i], x[j])
            distance = wp.length(apart)
            gap = distance - r[i] - r[j]
            if gap <= cohesion:  # other pairs are within the skin
                force = particle_force(apart / distance, v[i] - v[j], gap, ke, kd, kf, mu)  # Newton's law
                total += force
                wp.atomic_sub(f, j, force)  # each pair once: on a device the order of sums differs from run to run
    wp.atomic_add(f, i, total)


class Contacts:
    """The particles of a model of Newton's, and their contacts by hgrid."""

    def __init__(self, model, skin, **options):
        self.model = model
        self.lists = hgrid.warp.VerletList(hgrid.Grid(skin=skin, **options), full=False)
        reach = 0.5 * model.particle_cohesion  # pairs attract each other as far as the cohesion
        self.extra = {"extra": wp.full_like(model.particle_radius, reach)} if reach > 0 else {}

    def update(self, state):
        """Updates the lists at each step. True: they were built again."""
        return self.lists.update(state.particle_q, self.model.particle_radius, **self.extra)

    def add_forces(self, state):
        """Adds the forces of all contacts to those of the state."""
        m, x = self.model, state.particle_q
        law = [m.particle_ke, m.particle_kd, m.particle_kf, m.particle_mu, m.particle_cohesion]
        wp.launch(contact_forces, dim=m.particle_count, device=m.device, outputs=[state.particle_f],
                  inputs=[self.lists.near, x, state.particle_qd, m.particle_radius, m.particle_flags, *law])


class SolverOnHgrid(SolverSemiImplicit):
    """Newton's solver, which leaves out its own search where a model has no grid of particles."""

    def __init__(self, model, skin, **options):
        super().__init__(model, **options)
        self.contacts = Contacts(model, skin)
        model.particle_grid = None

    def step(self, state_in, *more, **named):
        self.contacts.update(state_in)
        self.contacts.add_forces(state_in)
        super().step(state_in, *more, **named)


def spheres(n, ratio, seed=3, fraction=0.6):
    """A model of spheres at random places, the number of whose radii falls as r^-3 from 0.01 to `ratio` times that."""
    rng = np.random.default_rng(seed)
    r = 0.01 * (1 - rng.random(n) * (1 - ratio**-2.0)) ** -0.5
    x = rng.random((n, 3)) * ((r**3).sum() * 4.19 / fraction) ** (1 / 3)
    builder = newton.ModelBuilder(gravity=(0.0, 0.0, 0.0))
    builder.add_particles(pos=x.tolist(), vel=rng.normal(size=(n, 3), scale=0.01).tolist(), mass=(4000 * r**3).tolist(), radius=r.tolist())
    model = builder.finalize()
    model.particle_ke, model.particle_kd, model.particle_kf, model.particle_mu = 50.0, 0.1, 0.1, 0.5
    return model


def forces_by_newton(model, state):
    model.particle_grid.build(state.particle_q, radius=2 * model.particle_max_radius + model.particle_cohesion)
    eval_particle_contact_forces(model, state, state.particle_f)


def largest_difference(n, ratio, cohesion):
    """The largest difference of a force, as a part of the largest force."""
    model = spheres(n, ratio)
    model.particle_cohesion = cohesion
    model.particle_flags.assign(np.arange(n) % 11 > 0)  # some take no part
    state, contacts = model.state(), Contacts(model, 0.002)
    forces_by_newton(model, state)
    theirs = state.particle_f.numpy().astype(float)
    state.clear_forces()
    contacts.update(state)
    contacts.add_forces(state)
    return np.abs(theirs - state.particle_f.numpy()).max() / np.abs(theirs).max(), int((theirs != 0).any(axis=1).sum())


def after_steps(solver_of, steps=100):
    model = spheres(2000, 5)
    solver, states = solver_of(model), [model.state(), model.state()]
    for _ in range(steps):
        states[0].clear_forces()
        solver.step(states[0], states[1], None, None, 1e-4)
        states.reverse()
    return states[0].particle_q.numpy(), solver


def check():
    for n, ratio, cohesion in ((3000, 1, 0.0), (3000, 10, 0.0), (3000, 10, 0.003)):
        difference, pushed = largest_difference(n, ratio, cohesion)
        print(f"{n} particles, ratio {ratio}, cohesion {cohesion}: forces on {pushed} differ by {difference:.1e} of the largest", flush=True)
        assert difference < 3e-6 and pushed > n // 3
    theirs, ours = after_steps(SolverSemiImplicit)[0], after_steps(lambda model: SolverOnHgrid(model, 0.002))
    builds, apart = ours[1].contacts.lists.list.counters.builds, np.abs(theirs - ours[0]).max()
    print(f"100 steps of either solver: positions differ by {apart:.1e}, {builds} lists", flush=True)
    assert apart < 1e-5 and builds < 100


def clock():
    wp.synchronize()
    return time.perf_counter() if wp.get_device().is_cuda else time.process_time()


def times(n):
    print("ratio   Newton   hgrid   hgrid's lists alone")
    for ratio in (1, 3, 10, 30):
        model = spheres(n, ratio)
        state, contacts, taken = model.state(), Contacts(model, 0.0, threads="serial"), []
        for _ in range(8):  # the first turn loads the kernels
            state.particle_q.assign(state.particle_q.numpy() + np.float32(1e-4))  # so that hgrid builds at each turn, as Newton does
            at = [clock()]
            for run in (lambda: forces_by_newton(model, state), lambda: contacts.update(state), lambda: contacts.add_forces(state)):
                built = run()
                assert built is not False
                at.append(clock())
            taken.append(np.diff(at))
        newton_own, lists, forces = 1e3 * np.median(taken[1:], axis=0)
        print(f"{ratio:5d}   {newton_own:6.1f}   {lists + forces:5.1f}   {lists:5.1f}", flush=True)


if __name__ == "__main__":
    wp.config.quiet = True
    with wp.ScopedDevice(sys.argv.pop() if sys.argv[-1].startswith("cuda") else "cpu"):
        check() if len(sys.argv) < 2 else times(int(sys.argv[2]))
