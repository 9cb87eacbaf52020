// SPDX-License-Identifier: BSD-3-Clause
// The limits of every plan. Planning uses them as bounds; restoring a plan from a checkpoint uses them as checks.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "hgrid/core/cell_key.hpp"
#include "hgrid/plan.hpp"

namespace hgrid::inline v0_2::detail {

/// for a dense table
inline constexpr double cells_per_particle = 8;

/// Returns the most cells along an axis of a level. The cells of all worlds lie one after the other.
template <int D>
double most_cells_of_axis(int levels, index_t worlds) {
  const double most_layers = worlds > 1 ? 0x1p30 / worlds : HUGE_VAL;
  return std::min(std::ldexp(1.0, morton_bits<D>(levels * std::max<index_t>(1, worlds))) - 1, most_layers);
}

/// Returns the most cells that a plan aims at for a dense table. Islands of a level have at least 27 cells.
inline double most_cells_of_table(double levels, double particles) {
  return std::max(64 * levels, cells_per_particle * particles);
}

/// Returns whether a dense table has more cells than a plan for that number of particles may have. A plan may exceed its aim
/// twofold, because levels with islands count in addition to the others, and each world has at least one cell on each level.
template <int D>
bool has_more_cells(const Plan<D>& plan, offset_t particles) {
  const double levels = plan.levels.count, most = most_cells_of_table(levels, static_cast<double>(particles));
  return plan.table == TableKind::dense && static_cast<double>(plan.levels.cells) > 2 * std::max(most, levels * plan.worlds);
}

/// Returns whether a length computed from user lengths is plausible: some cells are far larger than any extent.
inline bool is_length_of_plan(double x) { return std::fabs(x) <= 1e100; }

/// Returns whether islands, and the one that closes them, hold the cells of an axis one after the other.
inline bool are_islands(const Island* first, index_t islands, index_t cells) {
  if (first->cell != 0 || first[islands].cell != cells) return false;
  for (index_t n = 0; n < islands; ++n) {
    if (!is_length_of_plan(first[n].begin) || (n > 0 && !(first[n].begin >= first[n - 1].begin))) return false;
    if (first[n + 1].cell <= first[n].cell) return false;
  }
  return true;
}

/// Returns whether planning may have made this plan: all derived values are consistent. Searches of such a plan find all
/// contacts, whatever its sizes are.
template <int D>
bool is_whole(const Plan<D>& plan) {
  const Levels<D>& all = plan.levels;
  if (all.count < 0 || all.count > max_levels || plan.worlds < 0 || plan.worlds > most_worlds) return false;
  if (plan.origins.size() != static_cast<std::size_t>(plan.worlds) || !(plan.skin >= 0 && plan.skin <= largest_length))
    return false;
  if (all.count == 0) return plan.worlds == 0 && plan.islands.empty() && all.cells == 0;
  if (!plan.extents.empty() && plan.extents.size() != static_cast<std::size_t>(all.count)) return false;
  for (const Vec<double, D>& bound : plan.extents) {
    for (int k = 0; k < D; ++k) {
      if (!(bound[k] >= 0) || !is_length_of_plan(bound[k])) return false;
    }
  }
  for (const Vec<double, D>& origin : plan.origins) {
    for (int k = 0; k < D; ++k) {
      if (!is_length_of_plan(origin[k])) return false;
    }
  }
  const double limit = most_cells_of_axis<D>(all.count, plan.worlds);
  cell_key_t first_cell = 0;
  std::size_t island = 0;
  index_t most = 1;
  for (int h = 0; h < all.count; ++h) {
    const Level<D>& level = all.level[h];
    if (!(level.radius_bound >= 0 && level.radius_bound <= largest_length) || level.first_cell != first_cell) return false;
    if (h > 0 && !(level.radius_bound > all.level[h - 1].radius_bound)) return false;
    auto cells = static_cast<cell_key_t>(std::max<index_t>(1, plan.worlds));
    for (int k = 0; k < D; ++k) {
      const double size = level.cell_size[k];
      if (!(size >= smallest_radius) || !is_length_of_plan(size) || level.inverse[k] != 1 / size) return false;
      if (!is_length_of_plan(level.origin[k]) || level.cells[k] < 1 || level.cells[k] > limit) return false;
      cells *= static_cast<cell_key_t>(level.cells[k]);
      most = std::max(most, level.cells[k]);
      if (level.islands[k] == 0) continue;
      const std::size_t left = plan.islands.size() - island;
      if (level.islands[k] < 0 || static_cast<std::size_t>(level.islands[k]) >= left || plan.worlds > 0) return false;
      if (level.first_island[k] < 0 || static_cast<std::size_t>(level.first_island[k]) != island) return false;
      if (!are_islands(&plan.islands[island], level.islands[k], level.cells[k])) return false;
      if (plan.islands[island].begin != level.origin[k]) return false;
      island += static_cast<std::size_t>(level.islands[k]) + 1;
    }
    first_cell += cells;
  }
  return all.cells == first_cell && island == plan.islands.size() &&
         plan.bits == static_cast<int>(std::bit_width(static_cast<unsigned>(most)));
}

}  // namespace hgrid::inline v0_2::detail
