// SPDX-License-Identifier: BSD-3-Clause
// The particles of a build, with which checks compare the current particles.
#pragma once

#include <cmath>
#include <cstdint>

#include "hgrid/core/grid_view.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// Returns how far apart two particles of a list may be, from the first slots and the largest radii of the levels. If the
/// largest extents are not null, they are used in place of radii: the distance is at most the sum of the distances along the
/// axes.
template <int D>
HGRID_HD double reach_of_build(const index_t* level_begin, const double* radius_max, const Vec<double, D>* extent_max,
                               int levels, double skin) {
  if (extent_max != nullptr) {
    double largest = 0;
    HGRID_KEEP_ROLLED
    for (int h = 0; h < levels; ++h) {
      HGRID_KEEP_ROLLED
      for (int k = 0; k < D; ++k) largest = extent_max[h][k] > largest ? extent_max[h][k] : largest;
    }
    return D * 2 * (largest + skin);
  }
  int coarsest = levels - 1;  // the coarsest level with particles has the largest radius, because radii ascend with levels
  while (coarsest > 0 && level_begin[coarsest] == level_begin[coarsest + 1]) --coarsest;
  return 2 * (radius_max[coarsest] + skin);
}

/// Positions and radii of 256 consecutive particles of a build, each rounded to one of 65,536 steps from the least to the
/// largest of them. A check on hosts reads these in place of four times as many bytes, and decides by the exact ones where
/// rounding leaves a doubt. It writes them when it first finds the particles within their margins.
template <int D>
struct RoundedParticles {
  static constexpr index_t particles = 256;

  double least[D + 1], step[D + 1];  // of each coordinate, and of the radii
  double lost;                       // bounds by how much more of a margin may be used up than these say
  std::uint16_t steps[D + 1][particles];

  static constexpr double not_made = -1, useless = HUGE_VAL;  // values of `lost`
  bool usable() const { return lost >= 0 && lost < useless; }
};

}  // namespace detail

/// The particles of a build in the stored form, and other facts that a check needs. Arrays are in slot order, or by id if a
/// client keeps them that way (RememberedBuild), and in the executor's memory.
template <int D>
struct BuiltParticles {
  const double* x[D];       ///< wrapped
  const double* radius;     ///< with extra distance; by id, -1 for a particle that took no part
  const double* extent[D];  ///< half extents, used instead of radii, with extra distance and the same -1; or null
  const index_t* group;     ///< or null
  const Image* wraps;       ///< or null
  const index_t* world;     ///< or null
  const index_t* id;        ///< of each slot; null: entry i belongs to particle i
  Box<D> box;               ///< unused if worlds have boxes of their own
  double skin;
  double least_growth;                             ///< 0 if a smaller radius makes no room for movement, else -HUGE_VAL
  const index_t* type;                             ///< of each particle, or null
  double reach;                                    ///< no pair of a list is farther apart
  offset_t used;                                   ///< number of particles that took part
  detail::RoundedParticles<D>* rounded = nullptr;  ///< for a check on hosts: each 256 consecutive particles; or null

  /// Returns the slots of a grid. Waits.
  template <class Exec>
  static BuiltParticles of(const Exec& exec, const GridView<D>& g) {
    index_t begin[max_levels + 1];
    double largest[max_levels];
    exec.copy_out(begin, g.level_begin, g.level_count + 1);
    exec.copy_out(largest, g.radius_max, g.level_count);
    Vec<double, D> extents[max_levels];
    if (g.has_extents()) exec.copy_out(extents, g.extent_max, g.level_count);
    const double reach = detail::reach_of_build(begin, largest, g.has_extents() ? extents : nullptr, g.level_count, g.skin);
    const index_t* const type = g.pair_filter.cutoffs.type;
    const double least_growth = g.rule == Rule::sum && type == nullptr ? -HUGE_VAL : 0;
    BuiltParticles b{{},           g.radius, {},    g.pair_filter.group, g.wraps, g.world, g.id, g.box, g.skin,
                     least_growth, type,     reach, begin[g.level_count]};
    for (int k = 0; k < D; ++k) b.x[k] = g.x[k], b.extent[k] = g.extent[k];
    return b;
  }

  /// Returns the periods by which entry k was outside the box.
  HGRID_HD Vec<double, D> periods(offset_t k) const {
    Vec<double, D> count{};
    for (int axis = 0; axis < D && wraps != nullptr; ++axis) count[axis] = wraps[k][axis];
    return count;
  }
};

}  // namespace hgrid::inline v0_2
