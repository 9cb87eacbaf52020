# SPDX-License-Identifier: BSD-3-Clause
"""A collider of JaxDEM on hgrid, for its neighbor lists: secondary_collider_type="hgrid", once this file is imported.
python3 jaxdem_collider.py FILE   of its test_colliders_invariance: JaxDEM's own comparison with all pairs"""
import importlib.util
import itertools
import sys
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jaxdem.colliders import Collider, valid_interaction_mask

import hgrid.jax

# Room for pairs that hgrid finds and JaxDEM leaves out: particles of one clump or bond, and in a box shorter than two cutoffs more
# images of a pair. Too little of it is an overflow, as of JaxDEM's own.
EXCLUDED = 64


@Collider.register("hgrid")
@jax.tree_util.register_dataclass
@dataclass(slots=True)
class HgridCollider(Collider):
    @staticmethod
    @partial(jax.jit, static_argnames=("max_neighbors",))
    def create_neighbor_list(state, system, cutoff, max_neighbors):
        """Ids in falling order, then -1; as JaxDEM does, one image of each pair, the nearest one, and pairs at just the cutoff."""
        x, domain = state.pos, system.domain
        # Radii, because JaxDEM computes the cutoff within the program; hgrid.jax takes pairs that are nearer than their sum.
        radii = jnp.full(state.N, jnp.nextafter(jnp.asarray(cutoff, x.dtype) / 2, jnp.inf))
        found = hgrid.jax.neighbor_matrix(x, radii, max_neighbors=max_neighbors + EXCLUDED, cell=jnp.diag(domain.box_size),
                                          pbc=domain.periodic)
        j = jnp.where(found.mask, found.j, 0)
        apart = jax.vmap(domain._displacement, in_axes=(0, 0, None))(x, x[j], system)
        pairs = jax.vmap(valid_interaction_mask, in_axes=(0, 0, 0, 0, None))(
            state.clump_id, state.clump_id[j], state.bond_id, j, system.interact_same_bond_id)
        again = jnp.pad(j[:, 1:] == j[:, :-1], ((0, 0), (1, 0)))  # another image: entries are in the order of ids
        wanted = found.mask & ~again & (pairs > 0) & ((apart**2).sum(-1) <= jnp.asarray(cutoff, x.dtype) ** 2)
        ids = jnp.sort(jnp.where(wanted, j, -1), axis=1, descending=True)[:, :max_neighbors].astype(int)  # 64 bits with x64
        return state, system, ids, found.overflow | (wanted.sum(1) > max_neighbors).any()


def same_lists(tests):
    """Sorted lists of spheres on a lattice, some just at the cutoff, and of clumps."""
    for dim, domain in itertools.product((2, 3), ("periodic", "reflect", "free")):
        for state, system in (tests.set_up_spheres(dim, n=300, polydispersity=3.0, domain_type=domain),
                              tests.set_up_clump(dim, N=400, domain_type=domain, n_samples=500)):
            for cutoff in (0.7, 1.2):
                lists = [Collider.create(kind).create_neighbor_list(state, system, jnp.asarray(cutoff), 400)
                         for kind in ("naive", "hgrid")]
                (theirs, ours), overflow = (jnp.sort(found[2], axis=1) for found in lists), [bool(found[3]) for found in lists]
                assert jnp.array_equal(theirs, ours) and overflow == [False, False], (dim, domain, cutoff)
                print(f"{dim}-D, {domain}, cutoff {cutoff}: {int((ours >= 0).sum())} entries are those of all pairs", flush=True)


def main(path):
    """Lists beside those of all pairs, and then 200 steps with either, which take half an hour."""
    spec = importlib.util.spec_from_file_location("test_colliders_invariance", path)
    tests = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tests)
    same_lists(tests)
    for dim, domain in itertools.product((3, 2), ("periodic", "reflect", "free")):
        for polydispersity in (3.0, 2.0, 1.0):
            tests.test_spheres_invariance(dim, "hgrid", True, polydispersity, domain)
            print(f"{dim}-D, {domain}: spheres of ratio {polydispersity} move as with all pairs", flush=True)
        tests.test_clumps_invariance(dim, "hgrid", True, domain)
        tests.test_facets_invariance(dim, "hgrid", True, domain)
        print(f"{dim}-D, {domain}: clumps and facets move as with all pairs", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
