// SPDX-License-Identifier: BSD-3-Clause
// The papers' other systems behind one call: independent oracles, baselines, and a choice if one of them is faster.
#pragma once

#include "papers/systems/algorithm.hpp"
#include "papers/systems/cell_space.hpp"
#include "papers/systems/distance_sort.hpp"
#include "papers/systems/hgrid_2012.hpp"
#include "papers/systems/linked_cell.hpp"
#include "papers/systems/nbs.hpp"

namespace hgrid::reference {

/// The options of each algorithm besides the particles.
template <int D>
struct Options {
  LinkedCellOptions<D> linked_cell;
  NbsOptions<D> nbs;
  DistanceSortOptions<D> distance_sort;
  CellSpaceOptions<D> cell_space;
  Hgrid2012Options hgrid_2012;  ///< without sizes: cells that double from the smallest diameter to the largest
};

/// Returns the contacts of bodies by an algorithm, with its counters. All algorithms give the set of the grid, each in its own
/// order. Throws the errors of the algorithm's function.
template <int D>
Contacts find_contacts(Algorithm algorithm, const Bodies<D>& bodies, const Options<D>& options = {});

}  // namespace hgrid::reference
