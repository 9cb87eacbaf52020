// SPDX-License-Identifier: BSD-3-Clause
// Reports of a grid: its plan, its levels, and the work of its searches.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/levels.hpp"

namespace hgrid::inline v0_2 {

/// The decisions of planning.
template <int D>
struct Plan {
  Levels<D> levels;
  std::vector<Island> islands;          ///< of all levels; empty if cells are even
  int bits = 1;                         ///< Morton bits per axis
  index_t worlds = 0;                   ///< number of worlds that were requested
  std::vector<Vec<double, D>> origins;  ///< of the worlds: coordinates of levels are relative to them
  std::vector<Vec<double, D>> extents;  ///< [levels] bounds of half extents, used instead of radii; empty for spheres
  Direction direction = Direction::top_down;
  KeyOrder keys = KeyOrder::row_major;
  TableKind table = TableKind::dense;
  std::optional<SortKind> sort = {};
  double skin = 0;      ///< the skin for which the plan was made
  bool weighed = true;  ///< false: costs are not finite, so all levels hold equal numbers of particles
  double dense_cost = HUGE_VAL,
         compacted_cost = HUGE_VAL;  ///< by the model, of the best levels with either table; for compacted a lower bound
};

/// One level of a built grid.
struct LevelReport {
  double radius_max;    ///< largest radius inserted (with extra distance)
  double radius_bound;  ///< largest radius, with half the skin, that would be inserted
  double cell_size[3];
  index_t particles;
  double extent_max[3];  ///< largest half extents, and `radius_max` is the largest of them; 0 for spheres
};

namespace detail {

template <int D>
void report_extents(const Vec<double, D>& largest, const Vec<double, D>& bound, LevelReport& r) {
  r.radius_max = r.radius_bound = 0;
  for (int k = 0; k < D; ++k) {
    r.extent_max[k] = largest[k];
    r.radius_max = std::fmax(r.radius_max, largest[k]), r.radius_bound = std::fmax(r.radius_bound, bound[k]);
  }
}

/// Returns a report on each level of a built grid, finest first. Waits.
template <class Exec, int D>
std::vector<LevelReport> level_reports(const Exec& exec, const GridView<D>& g, const Plan<D>& plan) {
  std::vector<LevelReport> report;
  for (int h = 0; h < g.level_count; ++h) {
    const Level<D>& level = plan.levels.level[h];
    const auto particles = exec.read_back(g.level_begin + h + 1) - exec.read_back(g.level_begin + h);
    LevelReport r{exec.read_back(g.radius_max + h), level.radius_bound, {}, particles, {}};
    for (int k = 0; k < D; ++k) r.cell_size[k] = level.cell_size[k];
    if (g.has_extents()) report_extents(exec.read_back(g.extent_max + h), plan.extents[static_cast<std::size_t>(h)], r);
    report.push_back(r);
  }
  return report;
}

}  // namespace detail

/// Counts of a search's work: candidates tested, runs found, and boxes over slots tested.
struct WorkCount {
  offset_t candidates = 0, rows = 0, boxes = 0;
  HGRID_HD void join(const WorkCount& o) { candidates += o.candidates, rows += o.rows, boxes += o.boxes; }
};

}  // namespace hgrid::inline v0_2
