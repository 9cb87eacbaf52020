// SPDX-License-Identifier: BSD-3-Clause
// The papers' other systems behind one call: independent oracles, baselines, and a choice where one of them
// wins.
#pragma once

#include "papers/systems/algorithm.hpp"
#include "papers/systems/cell_space.hpp"
#include "papers/systems/distance_sort.hpp"
#include "papers/systems/hgrid_2012.hpp"
#include "papers/systems/linked_cell.hpp"
#include "papers/systems/nbs.hpp"

namespace hgrid::reference {

/// What each algorithm may be told beyond the particles.
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
