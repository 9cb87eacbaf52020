// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "hgrid/plan/plan_bounds.hpp"
#include "host/planning/sort_codes.hpp"

namespace hgrid::inline v0_2::detail {
namespace {

/// A particle of a level may share its cell with this number of others without being crowded: islands cost a build some 20 ns
/// per particle, about as much as this number of candidates.
constexpr double most_others = 32;

/// Wider gaps are cut out; in cells.
constexpr double widest_kept_gap = 4;

// Returns the number of cells. Exact, because the keys of the next level begin after these; below 2^63, because `morton_bits`
// bounds each axis.
template <int D>
cell_key_t cells_of(const Level<D>& level) {
  cell_key_t n = 1;
  for (int k = 0; k < D; ++k) n *= static_cast<cell_key_t>(level.cells[k]);
  return n;
}

// Returns the level that `lay_out(coarsening)` makes, coarsened until each world has at most `most_cells` cells.
template <int D, class LayOut>
Level<D> coarsened(double most_cells, const LayOut& lay_out) {
  Level<D> level = lay_out(1.0);
  for (double coarsening = 1; static_cast<double>(cells_of(level)) > most_cells;) {
    coarsening *= std::max(1.05, std::pow(static_cast<double>(cells_of(level)) / most_cells, 1.0 / D));
    level = lay_out(coarsening);
  }
  return level;
}

// Lays out cells along one axis of a level on the islands of intervals, coarse enough for `limit`.
template <int D>
void lay_out_on_islands(std::span<const Interval> inhabited, int k, double size, double limit, Level<D>& level,
                        std::vector<Island>& islands) {
  std::vector<Island> own = islands_of(inhabited, size, limit);
  while (own.empty()) own = islands_of(inhabited, size *= 1.5, limit);
  level.cells[k] = own.back().cell;
  level.cell_size[k] = size;
  level.origin[k] = own.front().begin;
  level.inverse[k] = 1 / size;
  level.islands[k] = static_cast<index_t>(own.size()) - 1;
  level.first_island[k] = static_cast<index_t>(islands.size());
  islands.insert(islands.end(), own.begin(), own.end());
}

// Lays out cells of one level over the extents, with at most `limit` along an axis. Sizes are not rounded to fit the extent, so
// only a limit makes them coarser. A gap is cut out, unless few cells fill it.
template <int D>
Level<D> lay_out_on_extents(const LevelSpec& spec, const Extent<D>& extent, double coarsening, double limit,
                            std::vector<Island>& islands) {
  Level<D> level{};
  level.radius_bound = spec.radius_max;
  islands.clear();
  for (int k = 0; k < D; ++k) {
    const double asked = spec.cell_size[k] * coarsening;
    const double size = extent.hi[k] - extent.lo[k], wanted = std::max(asked, size / limit);
    if (size - extent.size(k) > widest_kept_gap * asked) {
      lay_out_on_islands<D>(extent.inhabited[k], k, asked, limit, level, islands);
      continue;
    }
    level.cells[k] = static_cast<index_t>(std::clamp(std::ceil(size / wanted), 1.0, limit));
    level.cell_size[k] = wanted;
    level.origin[k] = extent.lo[k];
    level.inverse[k] = 1 / wanted;
  }
  return level;
}

// Lays out cells of one level on the islands of coordinates.
template <int D>
Level<D> lay_out_on_clusters(const LevelSpec& spec, const std::array<std::vector<Interval>, D>& x, double coarsening,
                             double limit, std::vector<Island>& islands) {
  Level<D> level{};
  level.radius_bound = spec.radius_max;
  islands.clear();
  for (int k = 0; k < D; ++k) {
    lay_out_on_islands<D>(x[static_cast<std::size_t>(k)], k, spec.cell_size[k] * coarsening, limit, level, islands);
  }
  return level;
}

template <int D>
cell_key_t key_of(const Level<D>& level, const std::vector<Island>& islands, const double* place) {
  Vec<index_t, D> cell;
  for (int k = 0; k < D; ++k) cell[k] = cell_coordinate(level, islands.data(), k, place[k]);
  return linear_cell(level, cell);
}

// Returns how many others share a key, averaged over all keys.
double mean_others(std::vector<cell_key_t> keys) {
  sort_codes(keys, 64);
  double pairs = 0;
  for (std::size_t i = 0, first = 0; i < keys.size(); ++i) {
    if (keys[i] != keys[first]) first = i;
    pairs += static_cast<double>(i - first);
  }
  return 2 * pairs / std::max<double>(1, static_cast<double>(keys.size()));
}

// Returns how many other sampled particles share a particle's cell on average. Estimated from some particles if there are many.
template <int D>
double crowding(const Level<D>& level, const std::vector<Island>& islands, const std::vector<Vec<double, D>>& places) {
  constexpr std::size_t enough = 1 << 14;
  const std::size_t stride = 1 + (std::max<std::size_t>(1, places.size()) - 1) / enough;
  std::vector<cell_key_t> keys;
  for (std::size_t s = 0; s < places.size(); s += stride) keys.push_back(key_of(level, islands, places[s].v));
  return static_cast<double>(stride) * mean_others(std::move(keys));
}

// Moves levels to islands if their cells had to be coarser than specified, are crowded because of it, and islands halve the
// crowd.
template <int D>
void move_to_clusters(const std::vector<LevelSpec>& specs, SampledPlaces<D>& sample, double limit, double most_cells,
                      Levels<D>& levels, std::vector<std::vector<Island>>& islands) {
  bool any = false;
  for (std::size_t h = 0; h < specs.size(); ++h) {
    Level<D>& level = levels.level[h];
    const LevelSpec& spec = specs[h];
    if (std::equal(level.cell_size.v, level.cell_size.v + D, spec.cell_size)) continue;
    if (!std::exchange(any, true)) sample.use(levels);
    const std::vector<Vec<double, D>> places = sample.on(static_cast<int>(h));
    const double crowd = crowding(level, islands[h], places);
    if (!(crowd * sample.weight() > most_others)) continue;
    std::vector<Island> moved_to;
    const std::array<std::vector<Interval>, D> x = sample.axes_of(static_cast<int>(h));
    const Level<D> moved = coarsened<D>(
        most_cells, [&](double coarsening) { return lay_out_on_clusters<D>(spec, x, coarsening, limit, moved_to); });
    if (2 * crowding(moved, moved_to, places) > crowd) continue;
    level = moved, islands[h] = std::move(moved_to);
  }
}

}  // namespace

std::vector<Island> islands_of(std::span<const Interval> inhabited, double size, double limit) {
  std::vector<Island> islands;
  double cells = 0;
  for (std::size_t first = 0, last = 0; first < inhabited.size(); first = ++last) {
    while (last + 1 < inhabited.size() && inhabited[last + 1].first - inhabited[last].last <= widest_kept_gap * size) ++last;
    islands.push_back({inhabited[first].first - size, static_cast<index_t>(cells)});
    cells += std::floor((inhabited[last].last - islands.back().begin) / size) + 3;
    if (cells > limit) return {};
  }
  islands.push_back({HUGE_VAL, static_cast<index_t>(cells)});
  return islands;
}

template <int D>
void lay_out(const std::vector<LevelSpec>& specs, const Extent<D>& extent, SampledPlaces<D>& sample,
             std::optional<TableKind> table, Plan<D>& plan) {
  const index_t worlds = std::max<index_t>(1, plan.worlds);
  const double cap = most_cells_of_table(static_cast<double>(specs.size()), static_cast<double>(sample.input().particles));
  Levels<D>& levels = plan.levels;
  levels.count = static_cast<int>(specs.size());
  const double limit = most_cells_of_axis<D>(levels.count, worlds);
  std::vector<std::vector<Island>> islands(specs.size());  // of each level
  const auto lay_out_all = [&](double most_cells) {
    for (std::size_t h = 0; h < specs.size(); ++h) {
      levels.level[h] = coarsened<D>(std::max(1.0, most_cells / worlds), [&](double coarsening) {
        return lay_out_on_extents<D>(specs[h], extent, coarsening, limit, islands[h]);
      });
    }
  };
  const auto number_cells = [&] {
    levels.cells = 0;
    for (int h = 0; h < levels.count; ++h) {
      levels.level[h].first_cell = levels.cells;
      levels.cells += cells_of(levels.level[h]) * static_cast<cell_key_t>(worlds);
    }
    return static_cast<double>(levels.cells) <= cap;
  };
  double most_cells = HUGE_VAL;
  lay_out_all(most_cells);
  if (!number_cells() && table == TableKind::dense) lay_out_all(most_cells = cap / levels.count);
  if (plan.worlds == 0) {                                            // otherwise a crowd may mix worlds
    if (table == TableKind::dense) most_cells = cap / levels.count;  // also for levels that stay and had more room
    move_to_clusters(specs, sample, limit, most_cells, levels, islands);
  }
  plan.islands.clear();
  for (std::size_t h = 0; h < specs.size(); ++h) {
    for (index_t& first : levels.level[h].first_island.v) first += static_cast<index_t>(plan.islands.size());
    plan.islands.insert(plan.islands.end(), islands[h].begin(), islands[h].end());
  }
  const bool fits = number_cells();
  plan.table = table.value_or(fits ? TableKind::dense : TableKind::compacted);
  index_t most = 1;
  for (int h = 0; h < levels.count; ++h) {
    for (int k = 0; k < D; ++k) most = std::max(most, levels.level[h].cells[k]);
  }
  plan.bits = std::bit_width(static_cast<unsigned>(most));
}

template void lay_out(const std::vector<LevelSpec>&, const Extent<2>&, SampledPlaces<2>&, std::optional<TableKind>, Plan<2>&);
template void lay_out(const std::vector<LevelSpec>&, const Extent<3>&, SampledPlaces<3>&, std::optional<TableKind>, Plan<3>&);

}  // namespace hgrid::inline v0_2::detail
