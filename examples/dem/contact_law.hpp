// SPDX-License-Identifier: BSD-3-Clause
// Two bodies that touch: a linear spring and dashpot along the normal, a spring and dashpot with Coulomb's limit across.
// Two that attract each other, also from afar.
#pragma once

#include "particles.hpp"

namespace dem {

struct Material {
  double stiffness = 1e4, damping = 0;                  // along the normal
  double tangential_stiffness = 0, tangential_damping = 0;
  double friction = 0;
  double attraction = 0;
};

// [docs: attraction]
/// The range of attraction in radii of a particle, from its centre: large particles reach farther, as with magnets and charges.
inline constexpr double attraction_range = 2.5;

/// Two particles attract each other if either reaches the centre of the other: along the line between them, in proportion to
/// the reduced radius, as forces between nearly flat surfaces are (Derjaguin). Full where they touch, it ends at the range.
struct Attraction {
  double touching, range, full;

  HGRID_HD Attraction(const Material& m, double r_i, double r_j)
      : touching(r_i + r_j), range(attraction_range * (r_i > r_j ? r_i : r_j)), full(m.attraction * r_i * r_j / touching) {}
  HGRID_HD double force(double distance) const {
    if (distance >= range) return 0;
    return distance <= touching ? full : full * (range - distance) / (range - touching);
  }
  HGRID_HD double energy(double distance) const {
    const double outside = range - (distance > touching ? distance : touching);
    if (outside <= 0) return 0;
    const double inside = distance < touching ? touching - distance : 0;
    return -full * (outside * outside / (2 * (range - touching)) + inside);
  }
};
// [docs: end]

template <int N>
HGRID_HD double dot(const Vec<double, N>& a, const Vec<double, N>& b) {
  double sum = 0;
  for (int k = 0; k < N; ++k) sum += a[k] * b[k];
  return sum;
}

/// The velocity that a spin gives to a point at `arm` from the centre.
HGRID_HD inline Vec<double, 2> turned(const Vec<double, 1>& s, const Vec<double, 2>& arm) {
  return {-s[0] * arm[1], s[0] * arm[0]};
}
HGRID_HD inline Vec<double, 3> turned(const Vec<double, 3>& s, const Vec<double, 3>& arm) {
  return {s[1] * arm[2] - s[2] * arm[1], s[2] * arm[0] - s[0] * arm[2], s[0] * arm[1] - s[1] * arm[0]};
}
HGRID_HD inline Vec<double, 1> moment(const Vec<double, 2>& arm, const Vec<double, 2>& f) {
  return {arm[0] * f[1] - arm[1] * f[0]};
}
HGRID_HD inline Vec<double, 3> moment(const Vec<double, 3>& arm, const Vec<double, 3>& f) { return turned(arm, f); }

/// A contact as particle i sees it.
template <int D>
struct Contact {
  Vec<double, D> normal;    // unit, towards i
  double overlap;
  Vec<double, D> velocity;  // velocity of i's surface relative to the other's
};

/// The force on i. `spring` is the tangential displacement of this contact, which it brings up to date.
template <int D>
HGRID_HD Vec<double, D> contact_force(const Material& m, const Contact<D>& c, double dt, Vec<double, D>& spring) {
  const double approach = dot(c.velocity, c.normal), push = m.stiffness * c.overlap - m.damping * approach;
  Vec<double, D> force;
  for (int k = 0; k < D; ++k) force[k] = push * c.normal[k];
  if (m.friction == 0) return force;

  const double out_of_plane = dot(spring, c.normal);
  Vec<double, D> across;
  double squared = 0;
  for (int k = 0; k < D; ++k) {
    const double sliding = c.velocity[k] - approach * c.normal[k];
    spring[k] += dt * sliding - out_of_plane * c.normal[k];
    across[k] = -m.tangential_stiffness * spring[k] - m.tangential_damping * sliding;
    squared += across[k] * across[k];
  }
  const double limit = m.friction * (push > 0 ? push : 0), size = sqrt(squared);
  const double share = size > limit ? limit / size : 1;
  for (int k = 0; k < D; ++k) {
    if (share < 1) spring[k] = -share * across[k] / m.tangential_stiffness;  // it slides
    force[k] += share * across[k];
  }
  return force;
}

/// The energy in the springs of a contact.
template <int D>
HGRID_HD double stored(const Material& m, double overlap, const Vec<double, D>& spring) {
  return 0.5 * m.stiffness * overlap * overlap + 0.5 * m.tangential_stiffness * dot(spring, spring);
}

}  // namespace dem
