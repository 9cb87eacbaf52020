// SPDX-License-Identifier: BSD-3-Clause
// Lists of query particles.
#pragma once

#include "hgrid/queries.hpp"

namespace support {

/// Returns the list that `grid.find` fills.
template <class Exec, int D, class Asker, class... Only>
hgrid::NeighbourList<Exec> asked(hgrid::Grid<Exec, D>& grid, Asker&& asker, const Only&... only) {
  auto list = grid.make_list(hgrid::ListKind::full);
  grid.find(list, asker, only...);
  return list;
}

}  // namespace support
