// SPDX-License-Identifier: BSD-3-Clause
// The levels of the grid, and the one function that says in which cell a coordinate lies.
#pragma once

#include <algorithm>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2 {

/// A part of an axis where particles are, with far gaps around it: cells of the level's size from `begin` on. The last of
/// them holds the gap too, and ends where the next island begins.
struct Island {
  double begin;
  index_t cell;  ///< number of its first cell
};

/// One level: cells of one size over an extent. Particles outside the extent clamp into its border cells, which
/// costs time, never pairs.
template <int D>
struct Level {
  double radius_bound;  ///< largest radius (with extra and half the skin) that is inserted here
  Vec<double, D> cell_size;
  Vec<double, D> origin;         ///< lower corner of cell 0
  Vec<double, D> inverse;        ///< 1 / cell_size
  Vec<index_t, D> cells;         ///< cells along each axis; of each world
  cell_key_t first_cell;         ///< number of cells on all finer levels: the base of this level's linear index
  Vec<index_t, D> islands;       ///< their number, or 0 where cells are even: without gaps
  Vec<index_t, D> first_island;  ///< among those of the plan, the one behind the last closing them
};

/// All levels, finest first. A copy has those that there are, because room for all that there may be takes 8 kB.
template <int D>
struct Levels {
  int count = 0;
  Level<D> level[max_levels];
  cell_key_t cells = 0;  ///< cells on all levels together, of all worlds

  Levels() = default;
  Levels(const Levels& o) { *this = o; }
  Levels& operator=(const Levels& o) {
    if (this != &o) std::copy_n(o.level, std::clamp(o.count, 0, max_levels), level);  // a wrong count is refused later
    count = o.count, cells = o.cells;
    return *this;
  }
};

namespace detail {

/// t truncated and clamped to [0, last]. Devices convert with saturation and clamp the whole number, which is the same because
/// both steps are monotone and keep whole numbers. On hosts the conversion would be undefined, so t is clamped before it; of
/// this text compilers make two vector instructions. `last` is a whole number, of any type.
template <class Last>
HGRID_HD inline index_t clamped_cell(double t, Last last) {
#if HGRID_DEVICE_CODE
  const index_t cell = __double2int_rz(t);
  return cell < 0 ? 0 : cell > last ? last : cell;
#else
  const double from_zero = t < 0 ? 0 : t;
  return static_cast<index_t>(from_zero > last ? last : from_zero);
#endif
}

HGRID_HD inline index_t clamped_cell(float t, index_t last) {
#if HGRID_DEVICE_CODE
  const index_t cell = __float2int_rz(t);
  return cell < 0 ? 0 : cell > last ? last : cell;
#else
  return clamped_cell(static_cast<double>(t), last);
#endif
}

/// The cell of coordinate x along axis k. Contract, rule 1: each rounded operation is monotone, so is the clamp;
/// hence a <= b implies cell(a) <= cell(b) whatever the accuracy of origin and inverse, and a search that scans
/// cell(x - b) .. cell(x + b) misses nothing. Clamping before truncation keeps the cast defined and makes
/// truncation equal to floor.
template <int D>
HGRID_HD inline index_t cell_coordinate(const Level<D>& level, int k, double x) {
  const double t = mul_rn(sub_rn(x, level.origin[k]), level.inverse[k]);
  return clamped_cell(t, level.cells[k] - 1);
}

/// The island that holds coordinate x of axis k: the last that begins at x or before it, else the first.
template <int D>
HGRID_HD inline const Island* island_of(const Level<D>& level, const Island* islands, int k, double x) {
  const Island* at = islands + level.first_island[k];
  for (index_t n = level.islands[k]; n > 1;) {
    const index_t half = n / 2;
    if (x >= at[half].begin) at += half;
    n -= half;
  }
  return at;
}

/// The same where cells may lie on islands. It is monotone, because it is so on each island, and ends in its last cell.
template <int D>
HGRID_HD inline index_t cell_coordinate(const Level<D>& level, const Island* islands, int k, double x) {
  if (islands == nullptr || level.islands[k] == 0) return cell_coordinate(level, k, x);
  const Island* const island = island_of(level, islands, k, x);
  const double t = mul_rn(sub_rn(x, island->begin), level.inverse[k]);
  return island->cell + clamped_cell(t, island[1].cell - island->cell - 1);
}

/// Level of insertion: the finest one whose bound is not below the radius; the top level takes all others.
template <int D>
HGRID_HD inline int level_of_radius(const Level<D>* level, int count, double radius) {
  int h = 0;
  while (h < count - 1 && radius > level[h].radius_bound) ++h;
  return h;
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
