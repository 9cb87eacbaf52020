// SPDX-License-Identifier: BSD-3-Clause
// A level as the search in place sees it: in single precision, with margins that make up for it.
#pragma once

#include "hgrid/core/filter.hpp"

namespace hgrid::inline v0_2::detail {

/// Let v = 2^-24 and c be a coordinate of a slot's record. Its place in cells, t = c * inverse + offset, errs by at most
/// v (3 |c * inverse| + |offset| + |t|): c, inverse and offset err by v of themselves where they were rounded, and product and
/// sum round. So t and the ends t -+ half-width err by at most 5 v |t| + 4 v |offset|, and 8 v of each are allowed for. Taking
/// origins off in double precision rounds by 2^-53 of them; 2^-48 of them are in the margin. Partners lie within own.r + reach,
/// 16 v of the interaction distance farther than they can be (FilterRecord), and the roundings of the half-width are 5 v of it.
/// Floor and clamp are monotone, so the cells from one end to the other hold all partners (contract, rule 1).
template <int D>
struct alignas(16) LevelInPlace {
  Vec<float, D> inverse, offset, margin;
  float reach;        ///< of partners: the largest radius, enlarged as those of records are
  float blur, grain;  ///< of `doubtful`
  index_t end;        ///< the level's last slot is before it
  Vec<index_t, D> cells;
  const index_t* cell_begin;  ///< where the slots of its cells begin

  /// How far |d|^2 - s^2 of the record and another must be from 0 for its sign to be that of the predicate. Let M be the
  /// record's largest coordinate, and S the largest s. Coordinates err by v M, and those of others by v (M + S), unless
  /// records are exact. So |d| errs by E <= 1.8 v (2 M + S), its square by 6 v of itself besides, and s exceeds the
  /// interaction distance R by e <= 23 v S + 4.1 v (2 M + S) + 2^-49 far + 2e-18, far being the largest coordinate. Where
  /// particles touch or nearly do, |d| >= R (1 - 8 * 2^-53), so |d|^2 - s^2 >= -2 R (E + e) - e^2 - 8 v S^2, which is at
  /// least -3 S (E + e) - 8 v S^2 >= -S (98 v S + 36 v M + 2^-47 far + 6e-18).
  HGRID_HD float doubtful(const FilterRecord& own) const {
    const float most = std::fmax(std::fabs(own.x), std::fmax(std::fabs(own.y), std::fabs(own.z)));
    const float s = own.r + reach + most * 0x1p-21f;  // records of others are larger than `reach` by up to 4.1 v (M + S)
    return s * (s * 0x1p-17f + (most * grain + blur));
  }
};

template <int D, class Certain>
HGRID_HD inline LevelInPlace<D> level_in_place(const GridView<D, Certain>& g, int h) {
  const Level<D>& level = g.level[h];
  LevelInPlace<D> l{};
  double far = 0;
  for (int k = 0; k < D; ++k) {
    const double inverse = level.inverse[k], offset = (g.filter_origin[k] - level.origin[k]) * inverse;
    const double origins = std::fabs(g.filter_origin[k]) + std::fabs(level.origin[k]);
    far = larger_of(far, std::fabs(g.filter_origin[k]));
    l.margin[k] = HUGE_VALF;
    if (inverse >= 1e20) continue;  // single precision may have no number for a place, so all cells are in reach
    l.inverse[k] = static_cast<float>(inverse), l.offset[k] = static_cast<float>(offset);
    l.margin[k] = static_cast<float>(std::fabs(offset) * 0x1p-21 + origins * inverse * 0x1p-48);
  }
  l.reach = inflated(g, g.radius_max[h], 0);
  l.blur = static_cast<float>(far * 0x1p-46 + 1e-17);
  l.grain = g.exact_records ? 0x1p-46f : 0x1p-18f;
  l.end = g.level_begin[h + 1];
  l.cells = level.cells;
  l.cell_begin = g.table.begin + level.first_cell;
  return l;
}

}  // namespace hgrid::inline v0_2::detail
