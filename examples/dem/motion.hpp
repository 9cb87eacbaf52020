// SPDX-License-Identifier: BSD-3-Clause
// Velocity Verlet, and the energy that it should keep.
#pragma once

#include "forces.hpp"

namespace dem {

/// Half a kick, and where `drift` is on the move that it leads to.
template <int D>
struct Kick {
  Particles<D> p;
  double dt;
  bool drift;

  HGRID_HD void operator()(offset_t i) const {
    const double by_mass = 0.5 * dt / p.mass[i], by_inertia = 0.5 * dt / inertia<D>(p.mass[i], p.radius[i]);
    for (int k = 0; k < D; ++k) {
      p.v[i][k] += by_mass * p.force[i][k];
      if (drift) p.x[i][k] += dt * p.v[i][k];
    }
    for (int k = 0; k < spins<D>; ++k) p.spin[i][k] += by_inertia * p.torque[i][k];
  }
};

struct Energy {
  double kinetic = 0, rotation = 0, elastic = 0, height = 0;  // elastic: and of attraction, which is below 0
  offset_t contacts = 0;  // each from both sides

  HGRID_HD void join(const Energy& o) {
    kinetic += o.kinetic, rotation += o.rotation, elastic += o.elastic, height += o.height, contacts += o.contacts;
  }
  double total() const { return kinetic + rotation + elastic + height; }
};

template <int D>
struct AddEnergy {
  World<D> world;
  Particles<D> p;
  Neighbours<D> list;
  BondLists bonds;

  HGRID_HD void operator()(offset_t i, Energy& e) const {
    const Vec<double, D> v = world.beside_flow(p.x[i], p.v[i]);
    e.kinetic += 0.5 * p.mass[i] * dot(v, v);
    e.rotation += 0.5 * inertia<D>(p.mass[i], p.radius[i]) * dot(p.spin[i], p.spin[i]);
    e.height -= p.mass[i] * dot(world.gravity, p.x[i]);
    for (offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      const index_t j = list.neighbours[k];
      const Vec<double, D> d = hgrid::separation(world.box, p.x[i], p.x[j], list.image(k));
      const double distance = sqrt(dot(d, d)), overlap = p.radius[i] + p.radius[j] - distance;
      if (world.material.attraction != 0) {
        e.elastic += 0.5 * Attraction(world.material, p.radius[i], p.radius[j]).energy(distance);
      }
      if (overlap <= 0) continue;
      ++e.contacts;
      e.elastic += 0.5 * stored(world.material, overlap, list.spring[k]);  // half a contact: the other side has the rest
    }
    for (offset_t k = bonds.begin_of(i); k < bonds.end_of(i); ++k) {
      const double stretch = pull(world, p, static_cast<index_t>(i), bonds.partner[k], bonds.bond[k]).stretch;
      e.elastic += 0.25 * world.material.stiffness * stretch * stretch;  // half a bond
    }
    for (int w = 0; w < world.planes; ++w) {
      const double overlap = world.plane[w].overlap(p.x[i], p.radius[i]);
      if (overlap > 0) e.elastic += stored(world.material, overlap, list.plane_spring[i * most_planes + w]);
    }
  }
};

}  // namespace dem
