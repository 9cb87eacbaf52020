// SPDX-License-Identifier: BSD-3-Clause
// The input inspection: one reduction that finds bad particles and the bounds that planning needs. It never finds them through
// a maximum, which would ignore NaN.
#pragma once

#include "hgrid/core/reach.hpp"
#include "hgrid/core/world_kinds.hpp"
#include "hgrid/inputs/radius_class.hpp"

namespace hgrid::inline v0_2::detail {

/// Faults of one particle. The non-finite policy can skip some of them.
enum class Fault : int {
  none,
  position_nonfinite,
  radius_nonfinite,
  extra_nonfinite,
  radius_negative,
  extra_negative,
  position_range,
  radius_range,
  extra_range,
  image_range,
  box_too_small,
  exclusion_range,  ///< an entry of the exclusions, also for the next two
  exclusion_order,
  exclusion_begin,
  type_range,            ///< a table of cut-offs, also for the next two
  cutoff,                ///< a cut-off of the particle's type
  cutoff_beyond_radius,  ///< twice the radius is smaller than the cut-off
  world_range,
  extent_nonfinite,  ///< extents, used instead of radii
  extent_negative,
  extent_range,
  extent_too_wide,
  other_plan  ///< not of a particle: a captured build was replayed under a plan for which it was not captured
};

template <int D>
struct InputSummary {
  Vec<double, D> lo, hi;  ///< bounds of the coordinates of particles in use, wrapped on periodic axes
  double radius_max;      ///< largest radius * scale + extra
  std::int64_t used = 0, skipped = 0, bad = 0;
  std::int64_t outside = 0;  ///< coordinates of particles in use that lie outside the box on a periodic axis
  std::int64_t first_bad = INT64_MAX;
  double value = 0;           ///< offending value of the first bad particle
  Fault fault = Fault::none;  ///< its fault
  // 16 * world + 4 * coordinate of the value + axis of the box; packed into one number, because a device's threads have no
  // registers for more.
  index_t place = 0;

  HGRID_HD int axis() const { return place % 4; }
  HGRID_HD int coordinate() const { return place / 4 % 4; }
  HGRID_HD index_t world() const { return place / 16; }

  HGRID_HD static InputSummary identity() {
    InputSummary s{};
    for (int k = 0; k < D; ++k) s.lo[k] = HUGE_VAL, s.hi[k] = -HUGE_VAL;
    s.radius_max = -HUGE_VAL;
    return s;
  }

  HGRID_HD void join(const InputSummary& o) {
    for (int k = 0; k < D; ++k) {
      if (o.lo[k] < lo[k]) lo[k] = o.lo[k];
      if (o.hi[k] > hi[k]) hi[k] = o.hi[k];
    }
    if (o.radius_max > radius_max) radius_max = o.radius_max;
    used += o.used, skipped += o.skipped, bad += o.bad;
    outside += o.outside;
    if (o.first_bad < first_bad) {
      first_bad = o.first_bad, value = o.value, fault = o.fault, place = o.place;
    }
  }

  /// Adds the size and the faults of extents. Radii have no faults of their own then.
  HGRID_HD void take_extents(const InputSummary& o) {
    if (bad == 0) place = o.place;
    blame_others(o);
    radius_max = o.radius_max;
  }

  /// Adds the faults of cut-offs or exclusions, unless particles have faults.
  HGRID_HD void blame_others(const InputSummary& o) {
    if (bad == 0) bad = o.bad, first_bad = o.first_bad, value = o.value, fault = o.fault;
  }
};

/// Returns the axis of the coordinate that is largest in size. In a turned or tilted box all coordinates of the user take part
/// in one along the box; errors name the largest.
template <int D>
HGRID_HD inline int largest_coordinate(const Vec<double, D>& x) {
  int most = 0;
  double size = std::fabs(x[0]);  // not x[most]: indexed arrays do not stay in a device thread's registers
  for (int k = 1; k < D; ++k) {
    if (std::fabs(x[k]) > size) size = std::fabs(x[k]), most = k;
  }
  return most;
}

HGRID_HD inline bool is_finite(double x) { return x - x == 0; }

/// Returns whether all values of a particle, as the user passed them, are finite. A finite radius that overflows when it is
/// scaled passes; it is an error later.
template <class Real, int D>
HGRID_HD inline bool is_finite_particle(const Particles<Real, D>& p, offset_t i) {
  const auto nothing = [](double x) { return x - x; };  // or NaN
  double sum = nothing(p.extra_distance(i));
  if (p.radius != nullptr) sum += nothing(static_cast<double>(p.radius[i * p.radius_stride]));
  for (int k = 0; k < D; ++k) {
    sum += nothing(p.coordinate(i, k));
    if (p.has_extents()) sum += nothing(static_cast<double>(p.extent[k][i * p.extent_stride]));
  }
  return sum == 0;
}

/// Returns whether particle i takes part: it is active, and the policy does not skip it.
template <class Real, int D>
HGRID_HD inline bool takes_part(const Particles<Real, D>& p, offset_t i) {
  return p.is_active(i) && (p.nonfinite == NonFinite::error || is_finite_particle(p, i));
}

/// Returns a half extent in the stored form, with extra distance.
template <class Real, int D>
HGRID_HD inline double stored_extent(const Particles<Real, D>& p, offset_t i, int k) {
  return add_rn(p.scaled_extent(i, k), p.extra_distance(i));
}

template <class Boxes, class Real, int D>
HGRID_HD inline index_t world_in(const Boxes&, const Particles<Real, D>& p, offset_t i) {
  return Boxes::has_worlds ? p.world(i) : 0;
}
template <int D, class Certain, class Real>
HGRID_HD inline index_t world_in(const GridView<D, Certain>& g, const Particles<Real, D>& p, offset_t i) {
  return g.has_worlds() ? p.worlds.of[i] : 0;
}

/// Returns the class of the radius, with extra distance, of a particle that takes part.
template <class Real, int D>
HGRID_HD inline int radius_class_of(const Particles<Real, D>& p, offset_t i) {
  return radius_class(p.scaled_radius(i) + p.extra_distance(i));
}

/// 1. Folds particle i into the summary: bounds, counts, first fault. Nearly all particles pass one combined test; the few
/// others are examined in detail. For `Boxes` see core/world_kinds.hpp.
template <class Real, int D, class Boxes>
struct InspectParticle {
  Particles<Real, D> particles;
  Boxes boxes;
  double skin;

  HGRID_HD void fetch(offset_t i) const { particles.fetch(i); }
  HGRID_HD void operator()(offset_t i, InputSummary<D>& s) const {
    if (!particles.is_active(i)) return;
    const index_t world = world_in(boxes, particles, i);
    if (Boxes::has_worlds && !particles.is_world(world)) {
      s.join(of_no_world(i, world));
      return;
    }
    boxes.with_box(world, [&](const Box<D>& box) { fold(i, box, s); });
  }

 private:
  HGRID_HD void fold(offset_t i, const Box<D>& box, InputSummary<D>& s) const {
    const InBox<D> in = into_box(box, particles.position_of(i));
    bool good = true;
    int outside = 0;
    for (int k = 0; k < D; ++k) {  // every comparison is false for NaN
      good = good && std::fabs(particles.coordinate(i, k)) <= largest_length && std::fabs(in.count[k]) <= most_outside(box) &&
             std::fabs(in.inside[k]) <= largest_length;
      outside += in.count[k] != 0;
    }
    const offset_t late = known_after(outside, static_cast<index_t>(i));
    const double r = particles.scaled_radius(late), e = particles.extra_distance(late);
    good = good && r >= 0 && r <= largest_length && (r >= smallest_radius || r == 0) && e >= 0 && e <= largest_length;
    for (int k = 0; k < D; ++k) good = good && fits(box, k, r + e);
    if (!good) {
      s.join(closely(i, box, r, e));
      return;
    }
    s.outside += outside;
    for (int k = 0; k < D; ++k) {
      s.lo[k] = in.inside[k] < s.lo[k] ? in.inside[k] : s.lo[k];
      s.hi[k] = in.inside[k] > s.hi[k] ? in.inside[k] : s.hi[k];
    }
    s.radius_max = r + e > s.radius_max ? r + e : s.radius_max;
    ++s.used;
  }

  // Returns whether few enough images of a particle touch it along axis k.
  HGRID_HD bool fits(const Box<D>& box, int k, double radius) const {
    return !box.wraps[k] || has_few_images(box, k, 2 * radius + skin);
  }

  HGRID_HD static InputSummary<D> of_no_world(offset_t i, index_t world) {
    InputSummary<D> s = InputSummary<D>::identity();
    s.bad = 1, s.first_bad = i, s.fault = Fault::world_range, s.value = world;
    return s;
  }

  // Returns the summary of one particle that may be bad.
  HGRID_HD InputSummary<D> closely(offset_t i, const Box<D>& box, double r, double e) const {
    InputSummary<D> s = InputSummary<D>::identity();
    if (particles.nonfinite == NonFinite::skip && !is_finite_particle(particles, i)) {
      s.skipped = 1;
      return s;
    }
    const index_t world = world_in(boxes, particles, i);
    const auto blame = [&](Fault fault, double value, int axis = 0, int coordinate = 0) {
      if (s.bad == 0)
        s.bad = 1, s.first_bad = i, s.fault = fault, s.value = value, s.place = 16 * world + 4 * coordinate + axis;
    };
    const auto blame_along = [&](Fault fault, int axis) {
      const int most = box.turned || box.tilted ? largest_coordinate(particles.position_of(i)) : axis;
      blame(fault, particles.coordinate(i, most), axis, most);
    };
    const InBox<D> in = into_box(box, particles.position_of(i));
    for (int k = 0; k < D; ++k) {
      const double x = particles.coordinate(i, k);
      if (!is_finite(x)) {
        blame(Fault::position_nonfinite, x, k, k);
      } else if (std::fabs(x) > largest_length) {
        blame(Fault::position_range, x, k, k);
      } else if (std::fabs(in.inside[k]) > largest_length) {
        blame_along(Fault::position_range, k);
      } else if (std::fabs(in.count[k]) > most_outside(box)) {
        blame_along(Fault::image_range, k);
      }
    }
    if (!is_finite(r)) blame(Fault::radius_nonfinite, r);
    if (r < 0) blame(Fault::radius_negative, r);
    if (r > largest_length || (r > 0 && r < smallest_radius)) blame(Fault::radius_range, r);
    if (!is_finite(e)) blame(Fault::extra_nonfinite, e);
    if (e < 0) blame(Fault::extra_negative, e);
    if (e > largest_length) blame(Fault::extra_range, e);
    for (int k = 0; k < D; ++k) {
      if (!fits(box, k, r + e)) blame(Fault::box_too_small, r + e, k);
    }
    return s;
  }
};

/// The findings of a grid's builds in their input.
template <int D>
struct SeenInput {
  InputSummary<D> last;       ///< of the grid in its current state
  InputSummary<D> first_bad;  ///< first bad input since the host last checked; with a device, the host checks late
  std::uint64_t plan;         ///< Grid::plan_generation
  std::uint64_t build;        ///< Grid::generation of the build that ran last, possibly in a graph
};

/// Stores the summary as the grid's and clears its levels, once nothing can fail any more. In a captured graph `plan` is the
/// plan of the capture, and `is_new` is false. If the grid has another plan by then, the input counts as bad, so that nothing
/// is built from a mixture of both.
template <int D>
struct AcceptInput {
  const InputSummary<D>* inspected;
  const InputSummary<D>* cutoffs;  // or null, also the next two
  const InputSummary<D>* exclusions;
  const InputSummary<D>* extents;
  SeenInput<D>* seen;
  std::uint64_t plan, build;
  bool is_new;
  double* radius_max;    // [max_levels]
  index_t* level_begin;  // [max_levels + 1]

  HGRID_HD void operator()(offset_t h) const {
    if (h < max_levels) radius_max[h] = 0;
    level_begin[h] = 0;
    if (h == 0) accept();
  }

 private:
  HGRID_HD void accept() const {
    if (is_new) seen->plan = plan;
    seen->build = build;
    seen->last = *inspected;
    if (cutoffs != nullptr) seen->last.blame_others(*cutoffs);
    if (exclusions != nullptr) seen->last.blame_others(*exclusions);
    if (extents != nullptr) seen->last.take_extents(*extents);
    if (seen->plan != plan) seen->last.bad = 1, seen->last.fault = Fault::other_plan;
    if (seen->last.bad > 0 && seen->first_bad.bad == 0) seen->first_bad = seen->last;
  }
};

}  // namespace hgrid::inline v0_2::detail
