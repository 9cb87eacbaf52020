// SPDX-License-Identifier: BSD-3-Clause
// The sources of contacts besides the grid.
#pragma once

#include "hgrid/core/names.hpp"

namespace hgrid::reference {

/// Each algorithm finds candidates by a method of its own.
enum class Algorithm { linked_cell, nbs, distance_sort, cell_space, hgrid_2012, all_pairs };

/// The papers, in the order of the values.
inline constexpr std::array algorithm_sources = {"Leszczynski and Ciesielski, section 2.1",
                                                 "Munjiza and Andrews 1998",
                                                 "Leszczynski and Ciesielski, section 2.2",
                                                 "Itasca, PFC, Update Spatial Searching Data Structures",
                                                 "Ogarko and Luding 2012",
                                                 "every particle against every other"};

constexpr const char* source_of(Algorithm algorithm) { return algorithm_sources[static_cast<std::size_t>(algorithm)]; }

}  // namespace hgrid::reference

template <>
inline constexpr auto hgrid::enum_names<hgrid::reference::Algorithm> =
    std::array{"linked-cell", "nbs", "distance-sort", "cell-space", "hgrid-2012", "all-pairs"};
