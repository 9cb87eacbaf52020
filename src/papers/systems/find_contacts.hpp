// SPDX-License-Identifier: BSD-3-Clause
// The papers' other systems behind one call: independent oracles, baselines, and a choice where one of them
// wins.
#pragma once

#include <array>

#include "papers/systems/cell_space.hpp"
#include "papers/systems/distance_sort.hpp"
#include "papers/systems/hgrid_2012.hpp"
#include "papers/systems/linked_cell.hpp"
#include "papers/systems/nbs.hpp"

namespace hgrid::reference {

/// Where contacts can come from beside the grid. Each finds candidates by a method of its own.
enum class Algorithm { linked_cell, nbs, distance_sort, cell_space, hgrid_2012, all_pairs };

struct AlgorithmInfo {
  Algorithm algorithm;
  const char* name;    ///< on the command line
  const char* source;  ///< the paper
};

inline constexpr std::array<AlgorithmInfo, 6> algorithms = {{
    {Algorithm::linked_cell, "linked-cell", "Leszczynski and Ciesielski, section 2.1"},
    {Algorithm::nbs, "nbs", "Munjiza and Andrews 1998"},
    {Algorithm::distance_sort, "distance-sort", "Leszczynski and Ciesielski, section 2.2"},
    {Algorithm::cell_space, "cell-space", "Itasca, PFC, Update Spatial Searching Data Structures"},
    {Algorithm::hgrid_2012, "hgrid-2012", "Ogarko and Luding 2012"},
    {Algorithm::all_pairs, "all-pairs", "every particle against every other"},
}};

/// Options of each algorithm.
template <int D>
struct Options {
  LinkedCellOptions<D> linked_cell;
  NbsOptions<D> nbs;
  DistanceSortOptions<D> distance_sort;
  CellSpaceOptions<D> cell_space;
  Hgrid2012Options hgrid_2012;  ///< without sizes: cells that double from the smallest diameter to the largest
};

/// The contacts of bodies by an algorithm, with its counters. All algorithms give the same set, that of the
/// grid, in an order of their own. Throws what the algorithm's function throws.
template <int D>
Contacts find_contacts(Algorithm algorithm, const Bodies<D>& bodies, const Options<D>& options = {});

}  // namespace hgrid::reference
