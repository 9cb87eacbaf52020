// SPDX-License-Identifier: BSD-3-Clause
// The input inspection: one reduction that finds bad particles (any-bad, never through a maximum, which skips NaN)
// and the bounds that planning needs.
#pragma once

#include "hgrid/core/reach.hpp"
#include "hgrid/core/world_kinds.hpp"
#include "hgrid/inputs/radius_class.hpp"

namespace hgrid::inline v0_2::detail {

/// Faults of one particle. Skippable ones are those of the non-finite policy.
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
  exclusion_range,  ///< of an entry of the exclusions, as the next two
  exclusion_order,
  exclusion_begin,
  type_range,            ///< of a table of cut-offs, as the next two
  cutoff,                ///< one of the particle's type
  cutoff_beyond_radius,  ///< twice the radius is less
  world_range,
  extent_nonfinite,  ///< of extents, which go before radii
  extent_negative,
  extent_range,
  extent_too_wide,
  other_plan  ///< of the grid and not of a particle: a captured build was replayed under a plan that it does not know
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
  // 16 * its world + 4 * the coordinate of the value + the axis of the box; one number, because a device's threads have no
  // room for more.
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

  /// Takes over the size and the faults of extents, in whose place radii said nothing.
  HGRID_HD void take_extents(const InputSummary& o) {
    if (bad == 0) place = o.place;
    blame_others(o);
    radius_max = o.radius_max;
  }

  /// Takes over the faults of cut-offs or exclusions, unless particles have some.
  HGRID_HD void blame_others(const InputSummary& o) {
    if (bad == 0) bad = o.bad, first_bad = o.first_bad, value = o.value, fault = o.fault;
  }
};

HGRID_HD inline bool is_finite(double x) { return x - x == 0; }

/// The policy applied to one particle: whether its numbers can be used at all, as they were passed. A finite radius that
/// scales beyond all doubles is an error.
template <class Real, int D>
HGRID_HD inline bool is_finite_particle(const Particles<Real, D>& p, offset_t i) {
  const auto nothing = [](double x) { return x - x; };  // or no number
  double sum = nothing(p.extra_distance(i));
  if (p.radius != nullptr) sum += nothing(static_cast<double>(p.radius[i * p.radius_stride]));
  for (int k = 0; k < D; ++k) {
    sum += nothing(p.coordinate(i, k));
    if (p.has_extents()) sum += nothing(static_cast<double>(p.extent[k][i * p.extent_stride]));
  }
  return sum == 0;
}

/// Whether particle i takes part: active, and not left out by the policy.
template <class Real, int D>
HGRID_HD inline bool takes_part(const Particles<Real, D>& p, offset_t i) {
  return p.is_active(i) && (p.nonfinite == NonFinite::error || is_finite_particle(p, i));
}

/// A half extent as the grid stores it, with extra distance.
template <class Real, int D>
HGRID_HD inline double stored_extent(const Particles<Real, D>& p, offset_t i, int k) {
  return add_rn(p.scaled_extent(i, k), p.extra_distance(i));
}

/// The world of particle i.
template <class Boxes, class Real, int D>
HGRID_HD inline index_t world_in(const Boxes&, const Particles<Real, D>& p, offset_t i) {
  return Boxes::has_worlds ? p.world(i) : 0;
}
template <int D, class Certain, class Real>
HGRID_HD inline index_t world_in(const GridView<D, Certain>& g, const Particles<Real, D>& p, offset_t i) {
  return g.has_worlds() ? p.worlds.of[i] : 0;
}

/// The class of the radius, with extra distance, of a particle that takes part.
template <class Real, int D>
HGRID_HD inline int radius_class_of(const Particles<Real, D>& p, offset_t i) {
  return radius_class(p.scaled_radius(i) + p.extra_distance(i));
}

/// 1. Folds particle i into the summary: bounds, counts, first fault. Nearly all particles pass one test; the few
/// that do not are looked at closely. `Boxes` as in core/world_kinds.hpp.
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

  // Whether the images of a particle that touch it, on axis k, are few enough.
  HGRID_HD bool fits(const Box<D>& box, int k, double radius) const {
    return !box.wraps[k] || has_few_images(box, k, 2 * radius + skin);
  }

  HGRID_HD static InputSummary<D> of_no_world(offset_t i, index_t world) {
    InputSummary<D> s = InputSummary<D>::identity();
    s.bad = 1, s.first_bad = i, s.fault = Fault::world_range, s.value = world;
    return s;
  }

  // The summary of one particle that may be bad.
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

/// Findings of a grid's builds in their input.
template <int D>
struct SeenInput {
  InputSummary<D> last;       ///< of the grid as it is
  InputSummary<D> first_bad;  ///< of the first build since the host looked whose input was bad; on a device it looks late
  std::uint64_t plan;         ///< Grid::plan_generation
  std::uint64_t build;        ///< Grid::generation of the build that has run last, maybe in a graph
};

/// Once nothing can fail any more, the summary becomes that of the grid, whose levels are empty. In a captured graph `plan` is
/// of the capture, and `is_new` false: if the grid has another plan by then, the input counts as bad, and nothing is built by
/// half of each.
template <int D>
struct AcceptInput {
  const InputSummary<D>* inspected;
  const InputSummary<D>* cutoffs;  // or null, as the next
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
