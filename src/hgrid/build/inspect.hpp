// SPDX-License-Identifier: BSD-3-Clause
// The input inspection: one reduction that finds bad particles (any-bad, never through a maximum, which skips NaN)
// and the bounds that planning needs.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid {

/// What can be wrong with one particle. Skippable ones are those of the non-finite policy.
enum class Fault : int {
  none, position_nonfinite, radius_nonfinite, extra_nonfinite, radius_negative, extra_negative, position_range,
  radius_range, extra_range, image_range, box_too_small
};

template <int D>
struct InputSummary {
  Vec<double, D> lo, hi;             ///< bounds of the coordinates of particles in use, wrapped on periodic axes
  double radius_max;                 ///< largest radius * scale + extra
  std::int64_t used = 0, skipped = 0, bad = 0;
  std::int64_t first_bad = INT64_MAX;
  double value = 0;                  ///< offending value of the first bad particle
  Fault fault = Fault::none;         ///< its fault
  int axis = 0;

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
    if (o.first_bad < first_bad) first_bad = o.first_bad, value = o.value, fault = o.fault, axis = o.axis;
  }
};

HGRID_HD inline bool is_finite(double x) { return x - x == 0; }

/// The policy applied to one particle: whether its numbers can be used at all.
template <class Real, int D>
HGRID_HD inline bool is_finite_particle(const Particles<Real, D>& p, offset_t i) {
  double sum = p.scaled_radius(i) - p.scaled_radius(i) + (p.extra_distance(i) - p.extra_distance(i));
  for (int k = 0; k < D; ++k) sum += p.coordinate(i, k) - p.coordinate(i, k);
  return sum == 0;
}

/// Whether particle i takes part: active, and not left out by the policy.
template <class Real, int D>
HGRID_HD inline bool takes_part(const Particles<Real, D>& p, offset_t i) {
  return p.is_active(i) && (p.nonfinite == NonFinite::error || is_finite_particle(p, i));
}

}  // namespace hgrid
