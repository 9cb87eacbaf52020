// SPDX-License-Identifier: BSD-3-Clause
// Levels from a file.
#pragma once

#include <string>
#include <vector>

#include "host/planning/plan.hpp"

namespace hgrid::tool {

/// Reads {"levels": [{"radius_max": r, "cell_size": [x, y, z]}, ...], "direction": "top-down" | "bottom-up",
/// "keys": "row" | "morton"}; the last two may be missing, and what else there is does not matter. A report of --json
/// serves as well: its "radius_bound", which has half the skin in it, then counts instead of "radius_max". In 2-D cell
/// sizes may have two numbers. Throws Error(io), Error(format).
GridOptions read_plan(const std::string& path, int dimension);

/// Levels of cubic cells: each takes the radii up to half of its cell size, the last one also all others.
std::vector<LevelSpec> levels_of_cells(const std::vector<double>& cell_sizes);

}  // namespace hgrid::tool
