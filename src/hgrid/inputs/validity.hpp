// SPDX-License-Identifier: BSD-3-Clause
// Tells whether a list is still valid (contract C5): one reduction over the particles measures how much of their margins they
// have used since the build.
#pragma once

#include <string>

#include "hgrid/core/deformation.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/inputs/built_particles.hpp"
#include "hgrid/inputs/inspect.hpp"

namespace hgrid::inline v0_2 {

/// How far particles have moved since a build. The radius that a particle needs now is a' = scaled radius + extra distance +
/// the distance it moved. In the build it had radius a, and skin / 2 is added to every radius. A particle with a' - a > skin /
/// 2 is *dirty*: a contact of it may be missing from lists of that build. If pairs do not touch by the sum of their radii, a
/// smaller radius makes no room for movement: a' then uses at least the radius of the build.
struct Validity {
  double excess = -HUGE_VAL;        ///< largest a' - a
  offset_t dirty = 0, changed = 0;  ///< particles beyond their margin; particles with another group, type or world, or gone
  offset_t present = 0;             ///< particles that take part now
  offset_t first = INT64_MAX;       ///< smallest id among dirty and changed
  double value = 0;                 ///< its a' - a
  offset_t expected = 0;            ///< particles of the build that took part; set after the reduction
  std::int64_t comparable = true;   ///< false: another number of particles, ghosts or worlds, or other periodic axes. A 64-bit
                                    ///< number like the other members, because devices copy such structs word by word

  HGRID_HD void join(const Validity& o) {
    excess = o.excess > excess ? o.excess : excess;
    dirty += o.dirty, changed += o.changed, present += o.present;
    if (o.first < first) first = o.first, value = o.value;
  }

  /// Returns whether lists of the build hold every contact of the current particles.
  HGRID_HD bool holds() const { return comparable && dirty == 0 && changed == 0 && present == expected; }
};

namespace detail {

/// The sum of the sizes of all terms in the difference between a position and a stored one. It bounds the rounding error.
template <int D>
struct RoundedTerms {
  Vec<bool, D> rounds;     // whether coordinates along the axis are computed
  double corners;          // of lo and hi
  Vec<double, D> vectors;  // for each vector with small tilts

  HGRID_HD double operator()(const Vec<double, D>& x, const Vec<double, D>& count) const {
    double sum = corners;
    for (int k = 0; k < D; ++k) sum += (rounds[k] ? std::fabs(x[k]) : 0) + std::fabs(count[k]) * vectors[k];
    return sum;
  }
};

template <int D>
HGRID_HD inline RoundedTerms<D> rounded_terms(const Box<D>& box) {
  RoundedTerms<D> terms{};
  for (int k = 0; k < D; ++k) {
    terms.rounds[k] = box.wraps[k] || box.tilted || box.turned;
    if (terms.rounds[k]) terms.corners += std::fabs(box.lo[k]) + std::fabs(box.hi[k]);
    for (int j = k + 1; j < D && box.tilted; ++j) terms.vectors[j] += std::fabs(box.tilt[Box<D>::tilt_index(k, j)]);
  }
  return terms;
}

/// A current box, and how it has changed since the build. Both wrap the same axes.
template <int D>
struct ChangedBox {
  Box<D> box;
  bool deformed;
  Deformation<D> deformation;
  RoundedTerms<D> terms;  // of the current box

  HGRID_HD static ChangedBox of(const Box<D>& before, const Box<D>& now) {
    return {now, now != before, deformation_of(before, now), rounded_terms(now)};
  }
};

/// Compares the old and the current box of a world.
template <int D>
struct CompareBoxes {
  const Box<D>* before;
  const Box<D>* now;
  ChangedBox<D>* out;

  HGRID_HD void operator()(offset_t world) const { out[world] = ChangedBox<D>::of(before[world], now[world]); }
};

/// Folds entry k of the build, and the participation of particle k, into a Validity. Rounds outwards: `slack` exceeds the
/// errors of the predicate in the build and now (C2: 10u of the interaction distance, 8u of coordinates and periods), and the
/// rounding of the distance moved. A particle that has not moved at all needs no slack, because the predicate is monotone in
/// the radii.
///
/// If the box has changed, a particle is compared with the position to which the box would have moved it. Take two particles, i
/// and j, that were D apart in the build under some image. Now they are F D + d_i - d_j apart, where F is the box's deformation
/// and d_i, d_j are the particles' differences from the moved positions. So |D| is at most |F D| + |d_i| + |d_j| plus the
/// strain times that sum. Half of this last term counts for each particle. `reach` bounds the sum while both are within their
/// margins.
///
/// If the larger radius counts, let i and j have moved by m_i and m_j, and let their radii have grown by g_i and g_j, which may
/// be negative. They touch now at most max(a_i + g_i, a_j + g_j) apart, which is at most max(a_i, a_j) + max(g_i, 0) + max(g_j,
/// 0). In the build they were at most m_i + m_j farther apart. If each particle has max(g, 0) + m <= skin / 2, this is within
/// the skin. A negative g must not offset the movement of its particle, because the other radius may be the one that counts.
/// The argument also holds for Rule::gather, where a particle's own radius counts. Cut-offs by type do not change, so growth
/// cannot offset movement there either.
///
/// Boxes touch along each axis separately. Along an axis they have come nearer by at most the distance that both have moved,
/// plus the largest growth of their half extents. So they are judged like spheres.
template <class Real, int D>
struct MeasureValidity {
  Particles<Real, D> now;
  BuiltParticles<D> built;
  ChangedBox<D> shared;
  const ChangedBox<D>* each;  // [worlds], or null

  HGRID_HD void operator()(offset_t k, Validity& v) const { measure(k, v, built.used, built.reach); }
  HGRID_HD void fetch(offset_t k) const {
    if (built.id != nullptr) return;
    now.fetch(k);
    for (int a = 0; a < D; ++a) detail::fetch(built.x[a] + k);
    detail::fetch(built.radius + k);
  }

  /// Folds entry k, with the number and reach of the build given, because a device may know better values.
  HGRID_HD void measure(offset_t k, Validity& v, offset_t used, double reach) const {
    const bool present = takes_part(now, k);
    v.present += present;
    if (built.id == nullptr) {
      if (built.radius[k] >= 0) compare(k, k, present, reach, v);
    } else if (k < used) {
      if (takes_items_in_turn() && k + ahead < used) now.fetch(built.id[k + ahead]);
      const index_t i = built.id[k];
      compare(k, i, takes_part(now, i), reach, v);
    }
  }

 private:
  static constexpr offset_t ahead = 16;  // prefetch distance: the particles of consecutive slots are scattered in memory

  HGRID_HD void compare(offset_t entry, offset_t i, bool present, double reach, Validity& v) const {
    const bool same_type = built.type == nullptr || built.type[i] == now.cutoffs.type[i];
    const bool same_world = !present || built.world == nullptr || built.world[entry] == now.world(i);
    if (!present || !same_type || !same_world || group_at(built.group, entry) != group_at(now.group, i)) {
      ++v.changed;
      return blame(v, i, 0);
    }
    const double excess = excess_of(entry, i, reach, each == nullptr ? shared : each[now.world(i)]);
    v.excess = excess > v.excess ? excess : v.excess;
    if (excess <= 0.5 * built.skin) return;  // false for NaN: such a particle is dirty
    ++v.dirty;
    blame(v, i, excess);
  }

  HGRID_HD static void blame(Validity& v, offset_t i, double value) {
    if (i < v.first) v.first = i, v.value = value;
  }

  HGRID_HD static index_t group_at(const index_t* group, offset_t i) {
    return group == nullptr || group[i] < 0 ? -1 : group[i];
  }

  // Returns by how much the radius has grown since the build, or the half extent with the largest growth.
  HGRID_HD double growth(offset_t entry, offset_t i) const {
    if (built.extent[0] == nullptr) [[likely]]
      return (now.scaled_radius(i) + now.extra_distance(i)) - built.radius[entry];
    double grown = -HUGE_VAL;
    for (int k = 0; k < D; ++k) {
      const double by = stored_extent(now, i, k) - built.extent[k][entry];
      grown = by <= grown ? grown : by;  // also if it is NaN
    }
    return grown;
  }

  HGRID_HD double excess_of(offset_t entry, offset_t i, double reach, const ChangedBox<D>& changed) const {
    double squared = 0, coordinates = 0;
    bool moved = changed.deformed;
    const Box<D>& box = changed.box;
    Vec<double, D> x = in_frame(box, now.position_of(i));
    if (box.any_periodic()) {
      const Vec<double, D> count = with_small_tilts(box, built.periods(entry));
      coordinates = changed.terms(x, count);
      for (int j = D - 1; j >= 0; --j) {
        if (!box.wraps[j]) continue;
        if (box.tilted) x = less_tilts(box, x, j, count[j]);
        x[j] = wrapped_by(x[j], count[j], box.lo[j], box.hi[j]);
      }
    }
    Vec<double, D> expected;
    for (int k = 0; k < D; ++k) expected[k] = built.x[k][entry];
    if (changed.deformed) expected = changed.deformation(expected);
    for (int k = 0; k < D; ++k) {
      const double d = x[k] - expected[k];
      moved = moved || d != 0;
      squared += d * d;
    }
    // Read late, because the positions before it need all registers of a device's thread.
    const auto after = [&](offset_t k) { return known_after(static_cast<std::int32_t>(moved), static_cast<index_t>(k)); };
    const offset_t late = after(i);
    double grown = growth(after(entry), late);
    if (grown < built.least_growth) grown = built.least_growth;  // false for NaN
    const double slack = (reach + coordinates) * 0x1p-47 + 0x1p-490;
    // The root is taken even if it is not needed: after a branch GCC calls the C library for it.
    const double most =
        grown + std::sqrt(squared) * (1 + 0x1p-48) + slack + (changed.deformed ? 0.5 * changed.deformation.strain * reach : 0);
    return !moved && grown <= 0 ? grown : most;
  }
};

/// Compares the particles with an equal number of particles of a build, in the current box, or in the worlds' boxes if `boxes`
/// is not null. `scratch` must have room for one Validity. Waits.
template <class Exec, class Real, int D>
Validity measure_validity(const Exec& exec, const Particles<Real, D>& now, const BuiltParticles<D>& built, const Box<D>& box,
                          const ChangedBox<D>* boxes, Validity* scratch) {
  const MeasureValidity<Real, D> each{now, built, ChangedBox<D>::of(built.box, box), boxes};
  exec.reduce("hgrid::measure_validity", now.count, each, Validity{}, scratch);
  Validity v = exec.read_back(scratch);
  v.expected = built.used;
  return v;
}

/// Throws `stale`, naming the first particle and how far it is beyond its margin, unless the lists are still valid.
inline void throw_if_stale(const Validity& v, double skin) {
  if (v.holds()) return;
  const auto fail = [](const std::string& what, Error::Detail detail) {
    throw Error(ErrorCode::stale, what + "; build the grid and its lists again", std::move(detail));
  };
  if (!v.comparable)
    fail("the number of particles, ghosts or worlds, or the periodic axes, changed", {.argument = "particles"});
  const std::string first = "particle " + std::to_string(v.first);
  if (v.dirty > 0) {
    fail(first + " (of " + std::to_string(v.dirty) + " dirty) needs " + std::to_string(v.value) +
             " more than in the build, half the skin is " + std::to_string(0.5 * skin),
         {.argument = "positions", .index = v.first, .value = v.value, .count = v.dirty});
  }
  if (v.changed > 0) {
    fail(first + " is of another group, type or world, or takes part no more",
         {.argument = "particles", .index = v.first, .count = v.changed});
  }
  fail(counted(v.present, "particle") + (v.present == 1 ? " takes part, " : " take part, ") + std::to_string(v.expected) +
           " did in the build",
       {.argument = "active", .value = static_cast<double>(v.present), .count = v.present - v.expected});
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
