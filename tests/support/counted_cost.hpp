// SPDX-License-Identifier: BSD-3-Clause
// The cost of a search by its counted steps, independent of the clock.
#pragma once

#include "hgrid/hgrid.hpp"
#include "host/planning/calibration.hpp"
#include "support/oracle.hpp"
#include "support/user_arrays.hpp"

namespace support {

template <int D>
hgrid::Grid<hgrid::SerialExec, D> built_in(const oracle::System& s, const hgrid::GridOptions& options = {}) {
  hgrid::Grid<hgrid::SerialExec, D> grid(hgrid::SerialExec{}, box_of<D>(s), options);
  grid.build(UserArrays<double, D>(s).view());
  return grid;
}

/// Returns the cost per particle of a built grid, by the shipped costs: candidates, rows and the table.
template <int D>
double cost_of(hgrid::Grid<hgrid::SerialExec, D>& grid) {
  const hgrid::WorkCount count = grid.work();
  const double n = static_cast<double>(grid.particle_count()), rows = static_cast<double>(count.rows);
  const hgrid::Plan<D>& plan = grid.plan();
  hgrid::detail::SearchWork work{n, 0, static_cast<double>(count.candidates)};
  if (plan.table == hgrid::TableKind::dense) {
    work.rows = rows, work.cells = static_cast<double>(plan.levels.cells);
  } else {
    work.compacted_rows = rows, work.compacted_slots = n;
  }
  return work.cost({}) / n;
}

template <int D>
double cost_of(const oracle::System& s, const hgrid::GridOptions& options = {}) {
  auto grid = built_in<D>(s, options);
  return cost_of(grid);
}

}  // namespace support
