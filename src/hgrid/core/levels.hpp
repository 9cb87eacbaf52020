// SPDX-License-Identifier: BSD-3-Clause
// The levels of the grid, and the one function that finds the cell of a coordinate.
#pragma once

#include <algorithm>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2 {

/// A part of an axis where particles are, with large gaps around it: cells of the level's size from `begin` on. The last cell
/// also holds the gap, and ends where the next island begins.
struct Island {
  double begin;
  index_t cell;  ///< number of its first cell
};

/// One level: cells of one size over an extent. Particles outside the extent clamp into its border cells, which costs time but
/// never loses a pair.
template <int D>
struct Level {
  double radius_bound;  ///< largest radius (including extra distance and half the skin) that is inserted here
  Vec<double, D> cell_size;
  Vec<double, D> origin;         ///< lower corner of cell 0
  Vec<double, D> inverse;        ///< 1 / cell_size
  Vec<index_t, D> cells;         ///< cells along each axis; with worlds, in each world
  cell_key_t first_cell;         ///< number of cells on all finer levels: the base of this level's linear index
  Vec<index_t, D> islands;       ///< number of islands, or 0 if cells are even: without gaps
  Vec<index_t, D> first_island;  ///< index into the islands of the plan; an entry after the last closes them
};

/// All levels, finest first. Copies only the levels in use, because the whole array takes 8 kB.
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

/// Returns t truncated and clamped to [0, last]. Devices convert with saturation and then clamp the whole number. Hosts clamp t
/// first, because their conversion would be undefined. Results are equal, since both steps are monotone and keep whole numbers.
/// Compilers turn this text into two vector instructions. `last` is a whole number, of any type.
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

/// Returns the cell of coordinate x along axis k. Contract, rule 1: each rounded operation is monotone, and so is the clamp;
/// hence a <= b implies cell(a) <= cell(b) for any accuracy of origin and inverse, and a search that scans cell(x - b) ..
/// cell(x + b) misses nothing. Clamping before truncation keeps the cast defined and makes truncation equal to floor.
template <int D>
HGRID_HD inline index_t cell_coordinate(const Level<D>& level, int k, double x) {
  const double t = mul_rn(sub_rn(x, level.origin[k]), level.inverse[k]);
  return clamped_cell(t, level.cells[k] - 1);
}

/// Returns the island that holds coordinate x of axis k: the last one that begins at or before x, or else the first.
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

/// Returns the cell of coordinate x if the level may have islands. The result is monotone: it is so within each island, and an
/// island ends with its last cell.
template <int D>
HGRID_HD inline index_t cell_coordinate(const Level<D>& level, const Island* islands, int k, double x) {
  if (islands == nullptr || level.islands[k] == 0) return cell_coordinate(level, k, x);
  const Island* const island = island_of(level, islands, k, x);
  const double t = mul_rn(sub_rn(x, island->begin), level.inverse[k]);
  return island->cell + clamped_cell(t, island[1].cell - island->cell - 1);
}

/// Returns the level of insertion: the finest level whose bound is at least the radius. The top level takes all larger
/// particles.
template <int D>
HGRID_HD inline int level_of_radius(const Level<D>* level, int count, double radius) {
  int h = 0;
  while (h < count - 1 && radius > level[h].radius_bound) ++h;
  return h;
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
