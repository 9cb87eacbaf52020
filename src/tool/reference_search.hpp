// SPDX-License-Identifier: BSD-3-Clause
// contacts --algorithm: the papers' other systems in the place of the grid.
#pragma once

#include "search.hpp"

namespace hgrid::tool {

/// As `search`, by the algorithm that the options name; serially, in double precision.
void reference_search(const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write, Progress& progress,
                      Report& report);

}  // namespace hgrid::tool
