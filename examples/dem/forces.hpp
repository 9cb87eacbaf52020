// SPDX-License-Identifier: BSD-3-Clause
// Forces on the particles: between them, from plane walls, from gravity. Each particle sums its own, over its row of a full
// list, so the sums have one order for any number of threads; pairs of the list that do not touch contribute nothing.
#pragma once

#include "bonds.hpp"
#include "contact_law.hpp"

namespace dem {

template <int D>
struct Plane {
  Vec<double, D> point, normal;  // unit, towards the particles

  /// How deep a particle is in it; below 0, how far away.
  HGRID_HD double overlap(const Vec<double, D>& x, double radius) const {
    Vec<double, D> d;
    for (int a = 0; a < D; ++a) d[a] = x[a] - point[a];
    return radius - dot(d, normal);
  }
};
inline constexpr int most_planes = 6;

template <int D>
struct World {
  hgrid::Box<D> box = hgrid::Box<D>::open();
  Plane<D> plane[most_planes] = {};
  int planes = 0;
  Vec<double, D> gravity = {};
  Material material;
  double dt = 1e-3;
  double shear = 0;  ///< rate: the flow is along x, faster by so much per length along y

  // [docs: across]
  /// The velocity of i relative to j, where j stands under an image: images across y move along x.
  HGRID_HD Vec<double, D> relative(const Vec<double, D>& v_i, const Vec<double, D>& v_j, const hgrid::Image& image) const {
    Vec<double, D> v;
    for (int a = 0; a < D; ++a) v[a] = v_i[a] - v_j[a];
    v[0] -= image[1] * (shear * box.length(1));
    return v;
  }
  // [docs: end]
  /// Returns the velocity relative to the flow.
  HGRID_HD Vec<double, D> beside_flow(const Vec<double, D>& x, Vec<double, D> v) const {
    v[0] -= shear * (x[1] - box.lo[1]);
    return v;
  }
};

template <int D>
void add_wall(World<D>& world, int axis, double at, double side) {
  Plane<D>& plane = world.plane[world.planes++];
  plane.point[axis] = at, plane.normal[axis] = side;
}

/// The tangential springs of a particle and the planes.
template <int D>
struct PlaneSprings {
  Vec<double, D> spring[most_planes] = {};
};

/// A full list with one tangential spring per entry, and one per particle and plane.
template <int D>
struct Neighbours {
  const offset_t* offsets;
  const index_t* neighbours;
  const hgrid::Image* images;  // or null
  Vec<double, D>* spring;
  Vec<double, D>* plane_spring;

  HGRID_HD hgrid::Image image(offset_t k) const { return images == nullptr ? hgrid::Image{} : images[k]; }
};

/// The force of a pair in the list. Two particles that do not touch may still attract each other.
template <int D>
struct Touch {
  Vec<double, D> force{}, arm_i{}, arm_j{};  // the force on i; from the centres to the contact
};

/// Brings the spring of a pair up to date.
template <int D>
HGRID_HD Touch<D> touch(const World<D>& world, const Particles<D>& p, index_t i, index_t j, const hgrid::Image& image,
                        Vec<double, D>& spring) {
  Touch<D> t;
  const Vec<double, D> d = hgrid::separation(world.box, p.x[i], p.x[j], image);
  const double reach = p.radius[i] + p.radius[j], squared = dot(d, d);
  const bool apart = squared >= reach * reach || squared == 0;
  if (apart) spring = {};
  if (squared == 0 || (apart && world.material.attraction == 0)) return t;
  const double distance = sqrt(squared);
  if (world.material.attraction != 0) {
    const double pulled = Attraction(world.material, p.radius[i], p.radius[j]).force(distance);
    for (int a = 0; a < D; ++a) t.force[a] = -pulled * d[a] / distance;
    if (apart) return t;
  }
  Contact<D> c{d, reach - distance, {}};
  for (int a = 0; a < D; ++a) {
    c.normal[a] = d[a] / distance;
    t.arm_i[a] = -p.radius[i] * c.normal[a], t.arm_j[a] = p.radius[j] * c.normal[a];
  }
  const Vec<double, D> turn_i = turned(p.spin[i], t.arm_i), turn_j = turned(p.spin[j], t.arm_j);
  Vec<double, D> surface_i, surface_j;
  for (int a = 0; a < D; ++a) surface_i[a] = p.v[i][a] + turn_i[a], surface_j[a] = p.v[j][a] + turn_j[a];
  c.velocity = world.relative(surface_i, surface_j, image);
  const Vec<double, D> contact = contact_force(world.material, c, world.dt, spring);
  for (int a = 0; a < D; ++a) t.force[a] += contact[a];
  return t;
}

template <int D>
HGRID_HD void add(const Vec<double, D>& f, const Vec<double, D>& arm, Vec<double, D>& force, Vec<double, spins<D>>& torque) {
  const Vec<double, spins<D>> m = moment(arm, f);
  for (int a = 0; a < D; ++a) force[a] += f[a];
  for (int a = 0; a < spins<D>; ++a) torque[a] += m[a];
}

/// Adds the force of a plane to a particle.
template <int D>
HGRID_HD void touch_plane(const World<D>& world, const Particles<D>& p, offset_t i, int w, Vec<double, D>& spring,
                          Vec<double, D>& force, Vec<double, spins<D>>& torque) {
  const Plane<D>& plane = world.plane[w];
  Vec<double, D> arm;
  for (int a = 0; a < D; ++a) arm[a] = -p.radius[i] * plane.normal[a];
  const double overlap = plane.overlap(p.x[i], p.radius[i]);
  if (overlap <= 0) {
    spring = {};
    return;
  }
  Contact<D> c{plane.normal, overlap, turned(p.spin[i], arm)};
  for (int a = 0; a < D; ++a) c.velocity[a] += p.v[i][a];
  add(contact_force(world.material, c, world.dt, spring), arm, force, torque);
}

/// Gravity and planes.
template <int D>
HGRID_HD void add_world(const World<D>& world, const Particles<D>& p, offset_t i, Vec<double, D>* plane_springs,
                        Vec<double, D>& force, Vec<double, spins<D>>& torque) {
  for (int k = 0; k < D; ++k) force[k] += p.mass[i] * world.gravity[k];
  for (int w = 0; w < world.planes; ++w) touch_plane(world, p, i, w, plane_springs[i * most_planes + w], force, torque);
}

/// A bond as particle i sees it: how far it is stretched, and the force on i along the line of the centres.
template <int D>
struct Pull {
  double stretch;
  Vec<double, D> force{};
};

template <int D>
HGRID_HD Pull<D> pull(const World<D>& world, const Particles<D>& p, index_t i, index_t j, const Bond& bond) {
  Vec<double, D> away = hgrid::separation(world.box, p.x[i], p.x[j], bond.image);
  const double distance = sqrt(dot(away, away));
  Pull<D> result{distance - bond.rest, {}};
  if (distance == 0) return result;
  for (int k = 0; k < D; ++k) away[k] /= distance;
  const double parting = dot(world.relative(p.v[i], p.v[j], bond.image), away);
  const double push = -world.material.stiffness * result.stretch - world.material.damping * parting;
  for (int k = 0; k < D; ++k) result.force[k] = push * away[k];
  return result;
}

template <int D>
struct SumForces {
  World<D> world;
  Particles<D> p;
  Neighbours<D> list;
  BondLists bonds;
  offset_t lists_per_item;

  HGRID_HD void operator()(offset_t block) const {
    const offset_t end = (block + 1) * lists_per_item;
    for (offset_t i = block * lists_per_item; i < (end < p.count ? end : p.count); ++i) sum(i);
  }

 private:
  HGRID_HD void sum(offset_t i) const {
    Vec<double, D> force{};
    Vec<double, spins<D>> torque{};
    for (offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      const Touch<D> t = touch(world, p, static_cast<index_t>(i), list.neighbours[k], list.image(k), list.spring[k]);
      add(t.force, t.arm_i, force, torque);
    }
    for (offset_t k = bonds.begin_of(i); k < bonds.end_of(i); ++k) {
      const Pull<D> b = pull(world, p, static_cast<index_t>(i), bonds.partner[k], bonds.bond[k]);
      for (int a = 0; a < D; ++a) force[a] += b.force[a];
    }
    add_world(world, p, i, list.plane_spring, force, torque);
    p.force[i] = force, p.torque[i] = torque;
  }
};

}  // namespace dem
