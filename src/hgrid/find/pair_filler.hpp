// SPDX-License-Identifier: BSD-3-Clause
// From searches to pairs in the order found: the rules of capacity and waiting for host and device engines.
#pragma once

#include "hgrid/engine/grid_state.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// `Search` finds contacts (see PlainSearch). `check` waits for the build and throws if its input was bad.
template <class Exec, class Search>
class PairFiller {
 public:
  Search search;

  template <int D, class Check>
  void pairs(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list, const Check& check) {
    pairs(exec, grid.view(), grid.slots, list, check);
  }

  /// Fills the pairs of a view. A view without wraps gives images between wrapped positions.
  template <int D, class Check>
  void pairs(const Exec& exec, const GridView<D>& g, offset_t slots, PairArrays<Exec>& list, const Check& check) {
    const auto fill = [&] {
      return search.list(exec, g, slots, list.entries.data(), g.periodic ? list.images.data() : nullptr, list.room(g.periodic));
    };
    list.size = 0;  // the first pass may overwrite the list and then find too little room
    list.enqueued = 0;
    offset_t n = fill();
    check();
    if (list.make_room(exec, g.periodic, n)) n = fill();
    list.size = n;
  }

  /// Enqueues the pairs. Like all members that begin with "enqueue", neither waits nor allocates.
  template <int D>
  void enqueue(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list) {
    enqueue(exec, grid.view(), grid.slots, list);
  }
  template <int D>
  void enqueue(const Exec& exec, const GridView<D>& g, offset_t slots, PairArrays<Exec>& list) {
    search.enqueue(exec, g, slots, list.entries.data(), g.periodic ? list.images.data() : nullptr, list.room(g.periodic),
                   list.found.data());
  }
};

}  // namespace hgrid::inline v0_2::detail
