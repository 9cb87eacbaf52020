// SPDX-License-Identifier: BSD-3-Clause
// The kinds of grid for which search kernels are compiled separately. Facts that the host knows at a launch then cost a thread
// neither registers nor instructions.
#pragma once

#include <bit>
#include <type_traits>

#include "hgrid/core/world_kinds.hpp"

namespace hgrid::inline v0_2::detail {

/// The common case in a periodic box, the common case there without images (in place), and in an open box. An index_t is large
/// enough to number the cells.
struct PeriodicGrid : OneWorld {
  static constexpr bool dense_rows = true, unselective = true, radii_add = true, top_down = true, even = true, upright = true;
};
struct InPlaceGrid : PeriodicGrid {
  static constexpr bool in_place = true;
};
struct OpenGrid : InPlaceGrid {
  static constexpr bool open = true;
};

/// Returns how many registers a thread of a search kernel may have, by the kind of grid.
template <class View>
constexpr int registers_of(int in_place, int periodic, int any) {
  using Known = typename View::Known;
  return Known::in_place ? in_place : Known::upright ? periodic : Known::one_world ? any : 72;
}

/// Returns whether a grid is of the common kind.
template <int D>
bool is_common(const GridView<D>& g) {
  return !g.has_extents() && g.keys == KeyOrder::row_major && g.table.kind == TableKind::dense && g.table.cells < 0x7fffffff &&
         !g.is_selective() && g.direction == Direction::top_down && g.islands == nullptr && g.adds_radii() &&
         g.world == nullptr && !g.box.tilted && !g.box.turned;
}

/// Calls f(view) with a view of the grid's kind. With `one_world`, no grid has worlds.
template <bool one_world = false, int D, class F>
void for_kind(const GridView<D>& g, const F& f) {
  if constexpr (!one_world) {
    if (g.world != nullptr && g.has_extents()) return f(std::bit_cast<GridView<D, ExtendedWorlds>>(g));
    if (g.world != nullptr) return f(std::bit_cast<GridView<D, ManyWorlds>>(g));
  }
  if (g.has_extents()) return f(std::bit_cast<GridView<D, ExtendedGrid>>(g));
  if (!is_common(g)) return f(std::bit_cast<GridView<D, OneWorld>>(g));
  g.periodic ? f(std::bit_cast<GridView<D, PeriodicGrid>>(g)) : f(std::bit_cast<GridView<D, OpenGrid>>(g));  // equal members
}

/// Returns the view of a search within levels, in place. The strip queue has the other images.
template <int D, class Known>
auto in_place(const GridView<D, Known>& g) {
  if constexpr (std::is_same_v<Known, PeriodicGrid>) {
    return std::bit_cast<GridView<D, InPlaceGrid>>(g);
  } else {
    return g;
  }
}

}  // namespace hgrid::inline v0_2::detail
