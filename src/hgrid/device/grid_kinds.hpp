// SPDX-License-Identifier: BSD-3-Clause
// The kinds of grid that search kernels are compiled for apart. What the host knows at a launch and a thread
// need not ask costs no registers: 40 instead of 64 to 72.
#pragma once

#include <bit>

#include "hgrid/core/world_kinds.hpp"

namespace hgrid::inline v0_1::detail {

/// The common case.
struct PlainGrid : OneWorld {
  static constexpr bool open = true, dense_rows = true, unselective = true, radii_add = true, top_down = true, even = true;
};

/// The registers that a thread of a search kernel may have.
template <class View>
constexpr int registers_of(int plain, int any) {
  return View::Known::open ? plain : View::Known::one_world ? any : 72;
}

/// f(view), the view being of the kind that the grid is of.
template <int D, class F>
void for_kind(const GridView<D>& g, const F& f) {
  const bool plain = !g.periodic && g.keys == KeyOrder::row_major && g.table.kind == TableKind::dense && !g.is_selective() &&
                     g.direction == Direction::top_down && g.islands == nullptr && g.adds_radii() && g.world == nullptr;
  plain ? f(std::bit_cast<GridView<D, PlainGrid>>(g)) : for_worlds(g, f);  // the same members
}

}  // namespace hgrid::inline v0_1::detail
