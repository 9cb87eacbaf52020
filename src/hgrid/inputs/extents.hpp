// SPDX-License-Identifier: BSD-3-Clause
// Particles with extents in a build. The stages read radii only, and use them only to find the level of a particle. So a
// particle with extents gets a number in place of a radius, which tells the level of its extents. Searches read the extents
// themselves.
#pragma once

#include <algorithm>
#include <cmath>

#include "hgrid/core/error.hpp"
#include "hgrid/inputs/inspect.hpp"
#include "hgrid/memory/storage.hpp"
#include "hgrid/options.hpp"
#include "hgrid/plan.hpp"

namespace hgrid::inline v0_2::detail {

/// Throws `invalid_argument` for cut-offs by type, or extents, under a rule for which radii do not add; `unsupported` for
/// extents in a turned box, with cut-offs, or on levels that the user chose.
template <class Real, int D>
void require_rule_for(const Particles<Real, D>& p, const GridOptions& options, bool turned) {
  const auto fail = [](ErrorCode code, const char* why, const char* argument, double value = 0) {
    throw Error(code, why, {.argument = argument, .value = value});
  };
  const bool adds = options.rule == Rule::sum;
  if (p.cutoffs.types > 0 && !adds)
    fail(ErrorCode::invalid_argument, "a table of cut-offs takes the place of the rule, which must be sum", "cutoffs",
         p.cutoffs.types);
  if (!p.has_extents()) return;
  if (!adds)
    fail(ErrorCode::invalid_argument, "particles with extents touch where they overlap: the rule must be sum", "extents");
  if (p.cutoffs.types > 0) fail(ErrorCode::unsupported, "particles with extents have no cut-offs by type", "cutoffs");
  if (!options.levels.empty())
    fail(ErrorCode::unsupported, "levels of particles with extents are planned; give none", "levels");
  if (turned) fail(ErrorCode::unsupported, "extents are along the axes, and the box is turned", "extents");
}

/// Returns the number that stands for the radius of particles on level h. Doubles and floats represent it exactly. It is at
/// least the smallest valid radius, and hardly larger, so no box is too small for it.
HGRID_HD inline double radius_of_level(int h) { return (1280 + h) * 0x1p-60; }

/// Returns the skin for the stages of a build: 0 with extents, because radii are then only numbers of levels.
template <class Real, int D>
double skin_of_stages(const Particles<Real, D>& p, double skin) {
  return p.has_extents() ? 0 : skin;
}

/// Folds the extents of particle i, with its extra distance, into a summary of extents: faults, and the largest extent as
/// `radius_max`.
template <class Real, int D, class Boxes>
struct InspectExtents {
  Particles<Real, D> particles;
  Boxes boxes;
  double skin;

  HGRID_HD void operator()(offset_t i, InputSummary<D>& s) const {
    const index_t world = world_in(boxes, particles, i);
    if (!takes_part(particles, i) || (Boxes::has_worlds && !particles.is_world(world))) return;
    const double e = particles.extra_distance(i);
    if (!(e >= 0) || e > largest_length) return blame(s, i, 0, fault_of_extra(e), e, world);
    for (int k = 0; k < D; ++k) {
      const double h = particles.scaled_extent(i, k), stored = stored_extent(particles, i, k);
      const bool in_range = h >= 0 && h <= largest_length && (h >= smallest_radius || h == 0);
      const bool fits =
          boxes.with_box(world, [&](const Box<D>& box) { return !box.wraps[k] || has_few_images(box, k, 2 * stored + skin); });
      if (!in_range || !fits) return blame(s, i, k, fault_of(h), in_range ? stored : h, world);
      s.radius_max = stored > s.radius_max ? stored : s.radius_max;
    }
  }

 private:
  HGRID_HD static Fault fault_of(double h) {
    if (!is_finite(h)) return Fault::extent_nonfinite;
    if (h < 0) return Fault::extent_negative;
    return h > largest_length || (h > 0 && h < smallest_radius) ? Fault::extent_range : Fault::extent_too_wide;
  }
  HGRID_HD static Fault fault_of_extra(double e) {
    return !is_finite(e) ? Fault::extra_nonfinite : e < 0 ? Fault::extra_negative : Fault::extra_range;
  }

  HGRID_HD static void blame(InputSummary<D>& s, offset_t i, int k, Fault fault, double value, index_t world) {
    ++s.bad;
    if (i < s.first_bad) s.first_bad = i, s.value = value, s.fault = fault, s.place = 16 * world + 4 * k + k;
  }
};

/// The bounds of the levels' half extents.
template <int D>
struct ExtentBounds {
  int levels = 0;
  Vec<double, D> bound[max_levels];

  ExtentBounds() = default;
  explicit ExtentBounds(const Plan<D>& plan) : levels(static_cast<int>(plan.extents.size())) {
    std::copy(plan.extents.begin(), plan.extents.end(), bound);
  }

  /// Returns the first level whose bounds are at least the extents. The last level takes all larger particles.
  template <class ExtentOf>
  HGRID_HD int level_of(const ExtentOf& extent) const {
    for (int h = 0; h < levels - 1; ++h) {
      bool fits = true;
      for (int k = 0; k < D; ++k) fits = fits && extent(k) <= bound[h][k];
      if (fits) return h;
    }
    return levels > 0 ? levels - 1 : 0;
  }
};

/// Writes the number that stands for the radius of particle i: NaN if the particle is left out because a value is not finite.
template <class Real, int D>
struct WriteLevelRadius {
  Particles<Real, D> particles;
  ExtentBounds<D> bounds;
  Real* radius;

  HGRID_HD void operator()(offset_t i) const {
    const int level = bounds.level_of([&](int k) { return stored_extent(particles, i, k); });
    const bool stays = particles.nonfinite == NonFinite::error || is_finite_particle(particles, i);
    radius[i] = static_cast<Real>(stays ? radius_of_level(level) : NAN);
  }
};

/// Classes of extents along each axis, from which levels are planned, the largest first. Some classes are for the few particles
/// that are larger than nearly all others, some are steps from there down to nearly the smallest, and one is for the rest. So a
/// few odd particles do not change the steps of the others.
struct ExtentClasses {
  static constexpr int per_axis = 16, of_large = 5;
  double bound[per_axis];  ///< upper bound of each class; the extents of the next class are smaller

  template <int D>
  static constexpr int count() {
    return D == 2 ? per_axis * per_axis : per_axis * per_axis * per_axis;
  }

  HGRID_HD int of(double extent) const {
    int c = 0;
    while (c < per_axis - 1 && extent <= bound[c + 1]) ++c;
    return c;
  }

  template <class Real, int D>
  HGRID_HD int class_of(const Particles<Real, D>& p, offset_t i) const {
    int number = 0;
    for (int k = D - 1; k >= 0; --k) number = number * per_axis + of(stored_extent(p, i, k));
    return number;
  }
};

/// When levels are planned: counts particle i in the class of its extents.
template <class Exec, class Real, int D>
struct CountExtents {
  Particles<Real, D> particles;
  ExtentClasses classes;
  offset_t* counts;  // [ExtentClasses::count<D>()]

  HGRID_HD void operator()(offset_t i) const {
    if (takes_part(particles, i)) Exec::atomic_add(&counts[classes.class_of(particles, i)], offset_t{1});
  }
};

/// After the sort: gathers the extents of each slot, and the largest of each level.
template <class Exec, class Real, int D>
struct GatherExtents {
  Particles<Real, D> particles;
  GridView<D> grid;
  const std::int64_t* bad;
  SlotArrays<D> out;

  HGRID_HD void operator()(offset_t slot) const {
    if (*bad > 0 || slot >= grid.slots()) return;
    constexpr offset_t ahead = 16;  // prefetch distance: the particles of consecutive slots are scattered in memory
    if (takes_items_in_turn() && slot + ahead < grid.slots())
      fetch(particles.extent[0] + grid.id[slot + ahead] * particles.extent_stride);
    const index_t i = grid.id[slot];
    const int level = grid.level_of_slot(static_cast<index_t>(slot));
    for (int k = 0; k < D; ++k) {
      const double extent = out.extent[k][slot] = stored_extent(particles, i, k);
      Exec::atomic_max(&out.extent_max[level][k], extent);
    }
  }
};

/// Holds numbers of levels in place of radii, in the executor's memory.
template <class Exec>
class LevelRadii {
 public:
  /// Returns the particles for the stages of a build, with levels of the plan. Without a plan for extents, all are on one
  /// level. The result is valid until the next call.
  template <class Real, int D>
  Particles<Real, D> give(const Exec& exec, Particles<Real, D> p, const Plan<D>& plan) {
    static_assert(sizeof(Real) <= sizeof(double));
    reserve_all(exec, Need{radii_, p.count});
    Real* const radii = reinterpret_cast<Real*>(radii_.data());
    exec.for_each("hgrid::write_level_radii", p.count, WriteLevelRadius<Real, D>{p, ExtentBounds<D>(plan), radii});
    p.radius = radii, p.radius_stride = 1, p.radius_scale = 1, p.extra = nullptr;
    return p;
  }

  std::size_t bytes() const { return radii_.bytes(); }

 private:
  typename Exec::template Buffer<double> radii_;
};

}  // namespace hgrid::inline v0_2::detail
