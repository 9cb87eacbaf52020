// SPDX-License-Identifier: BSD-3-Clause
// A single-precision filter before the predicate: four floats per slot, inflated so that no contact fails it. The predicate
// decides the pairs that pass. Only devices keep such records; they read one record as 16 bytes at a time.
#pragma once

#include "hgrid/core/grid_view.hpp"

namespace hgrid::inline v0_2::detail {

/// A slot in the filter: its position relative to the grid's filter origin, and its enlarged radius. The radius is enlarged by
/// half the skin (by all of it if the larger radius counts), and by the rounding errors of the record.
///
/// Soundness, with v = 2^-24 and M the largest coordinate of the record: each stored coordinate errs by at most v M.
/// For a contact, |d| <= R (1 + 4u), so the rounded differences have a norm of at most (R + sqrt(3) v (M_p + M_q)) (1 + v), and
/// their rounded square sum adds at most 5 v relative. Each inflated radius adds 4 v M, which exceeds sqrt(3) v M with room for
/// the rounding of `centre - origin`, and 2^-20 = 16 v relative, which exceeds the rest. Exact records hold the coordinates
/// themselves, and need nothing for v M. A centre under a periodic shift is itself rounded, by u of its size: 8 u of it are
/// added. The predicate errs by more, by 3 u of the shift, only if the centre lies outside the box; then M is about as large as
/// the period. The floor of 1e-18 keeps the relevant squares in the normal range.
///
/// If the larger of two radii counts, one record must make up for the errors of both. Two particles that touch have M_q <= M_p
/// + R, so sqrt(3) v (M_p + M_q) is at most 3.5 v M + 1.8 v R for the M of either. 4 v M exceeds the first part; the second
/// part leaves half of 16 v R for the rest.
struct alignas(16) FilterRecord {
  float x, y, z, r;
};

/// Returns the origin of records that are not exact: the middle of the box, and along open axes the middle of the levels.
template <int D>
Vec<double, D> middle_of(const Box<D>& box, const Level<D>& finest) {
  Vec<double, D> middle;
  for (int k = 0; k < D; ++k) {
    middle[k] = box.wraps[k] ? 0.5 * (box.lo[k] + box.hi[k]) : finest.origin[k] + 0.5 * finest.cells[k] * finest.cell_size[k];
  }
  return middle;
}

/// Number of records after the last slot that a search may read. They hold `nowhere`.
inline constexpr index_t records_behind_last = 8;
static_assert(records_behind_last <= slot_padding);

HGRID_HD constexpr FilterRecord nowhere() { return {1e18f, 1e18f, 1e18f, 0}; }

/// Returns the radius of a record whose coordinates err by at most `error`.
template <int D, class Certain>
HGRID_HD inline float inflated(const GridView<D, Certain>& g, double radius, double error) {
  const double inflated = (radius + (g.adds_radii() ? 0.5 : 1.0) * g.skin) * (1 + 0x1p-20) + error + 1e-18;
  return static_cast<float>(inflated) * (1 + 0x1p-22f);
}

template <int D, class Certain>
HGRID_HD inline FilterRecord filter_record(const GridView<D, Certain>& g, const Vec<double, D>& centre, double radius) {
  double most = 0, far = 0;
  Vec<float, 3> at{};
  for (int k = 0; k < D; ++k) {
    const double relative = centre[k] - g.filter_origin[k];
    at[k] = static_cast<float>(relative);
    most = larger_of(most, std::fabs(relative));
    far = larger_of(far, std::fabs(centre[k]));
  }
  const double error = (g.exact_records ? 0 : most * 0x1p-22) + far * 0x1p-50;
  return {at[0], at[1], at[2], inflated(g, radius, error)};
}

/// Returns |d|^2 - s^2 of two records. It is negative for every contact by the sum of radii, and for few other pairs.
HGRID_HD inline float excess_of(const FilterRecord& p, const FilterRecord& q) {
  const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, s = p.r + q.r;
  return fma_any(-s, s, fma_any(z, z, fma_any(y, y, x * x)));
}

/// Returns true for every contact, and for few other pairs. `radii_add` means the same as in GridView::adds_radii.
HGRID_HD inline bool may_touch(const FilterRecord& p, const FilterRecord& q, bool radii_add = true) {
  const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, r = radii_add ? p.r + q.r : p.r < q.r ? q.r : p.r;
  return fma_any(z, z, fma_any(y, y, x * x)) <= r * r;
}

}  // namespace hgrid::inline v0_2::detail
