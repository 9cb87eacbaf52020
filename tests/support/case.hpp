// SPDX-License-Identifier: BSD-3-Clause
// A random system with the configuration in which it is searched.
#pragma once

#include "hgrid/grid.hpp"
#include "support/drawn_exclusions.hpp"
#include "support/random_system.hpp"

namespace support {

struct Case {
  std::uint64_t seed = 0;
  Choice choice{};
  oracle::System warm_up;  ///< built first, so that the plan is the one that was aimed at; may be empty
  oracle::System system;
  std::vector<hgrid::LevelSpec> levels;
};

/// Returns the case without extents.
inline Case of_spheres(Case c) {
  c.system.extended = c.warm_up.extended = false;
  return c;
}

/// Returns the case for the other systems of the papers: in an orthogonal box, by the sum of radii, without cut-offs and
/// exclusions.
inline Case case_for_papers(Case c) {
  c.system.rule = c.warm_up.rule = oracle::Rule::sum;
  c.system.types = c.warm_up.types = 0;
  c.system.extended = c.warm_up.extended = false;
  c.system.worlds = c.warm_up.worlds = 0;
  c.system.boxes.clear(), c.warm_up.boxes.clear();
  for (double& tilt : c.system.tilt) tilt = 0;
  for (oracle::Particle& p : c.system.particles) {
    const std::array<double, 3> x = oracle::along_axes(c.system, p.x);
    for (std::size_t k = 0; k < 3 && c.system.turned; ++k) p.x[k] = c.choice[real] == 1 ? as_stored<float>(x[k]) : x[k];
  }
  c.system.turned = false;
  c.system.excluded.clear(), c.warm_up.excluded.clear();
  return c;
}

inline hgrid::GridOptions options_of(const Case& c) {
  hgrid::GridOptions options;
  options.rule = static_cast<hgrid::Rule>(c.system.rule);
  options.levels = c.levels;
  options.direction = c.choice[direction] == 0 ? hgrid::Direction::top_down : hgrid::Direction::bottom_up;
  options.keys = c.choice[keys] == 0 ? hgrid::KeyOrder::row_major : hgrid::KeyOrder::morton;
  if (c.choice[table] == 1) options.table = hgrid::TableKind::dense;
  if (c.choice[table] == 2) options.table = hgrid::TableKind::compacted;
  if (c.choice[cell_sort] == 1) options.sort = hgrid::SortKind::radix;
  if (c.choice[cell_sort] == 2) options.sort = hgrid::SortKind::counting;
  // Plans for expensive candidates have several cells even for a few particles; one in eight plans of spheres is for usual
  // costs.
  if (c.seed % 8 != 0 || c.system.extended)
    options.costs = {
        .setup = 1, .row = 0.5, .candidate = 60, .cell = 0.5, .compacted_row = 0.5, .compacted_slot = 1, .island = 0.5};
  options.schedule = c.choice[schedule] == 0 ? hgrid::Schedule::fast : hgrid::Schedule::plain;
  return options;
}

/// Levels as a user might state them: fitting the radii, wrong for them, or with far too many cells.
inline std::vector<hgrid::LevelSpec> draw_levels(const oracle::System& s, int kind, Random& random) {
  double smallest = HUGE_VAL, largest = 0;
  for (const oracle::Particle& p : s.particles) {
    const double a = s.radius_scale * p.radius + p.extra + 0.5 * s.skin;
    if (!std::isfinite(a)) continue;
    if (a > 0) smallest = std::fmin(smallest, a);
    largest = std::fmax(largest, a);
  }
  std::vector<hgrid::LevelSpec> levels;
  if (kind == values::planned || s.extended || !(largest > 0)) return levels;
  const int count = random.integer(1, 6);
  const double from = kind == values::wrong ? largest * random.log_real(1e-3, 1e3) : smallest;
  const double to = kind == values::wrong ? from * random.log_real(2, 1e3) : std::fmax(largest, 1.01 * smallest);
  const double fineness = kind == values::fine ? random.log_real(1e-8, 1e-2) : 1;
  for (int h = 0; h < count; ++h) {
    const double bound = count == 1 ? to : from * std::pow(to / from, h / (count - 1.0));
    hgrid::LevelSpec spec{bound, {}};
    for (double& size : spec.cell_size) {
      const double fitting = 2 * bound * (random.chance(0.3) ? 1 : random.real(0.2, 2));
      size = std::fmax(1e-12, fineness * (kind == values::wrong ? largest * random.log_real(0.02, 6) : fitting));
    }
    if (h == 0 || spec.radius_max > levels.back().radius_max) levels.push_back(spec);
  }
  return levels;
}

}  // namespace support
