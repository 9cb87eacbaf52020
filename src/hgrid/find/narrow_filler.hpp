// SPDX-License-Identifier: BSD-3-Clause
// Pairs that a client's predicate confirms inside the search: on devices.
#pragma once

#include "hgrid/engine/grid_state.hpp"
#include "hgrid/find/packed_lists.hpp"
#include "hgrid/find/pair_filler.hpp"

namespace hgrid::inline v0_2::detail {

/// Stores the contacts for which touches(i, j, image) is true, in any order. Contacts beyond the capacity are only counted.
template <class Exec, class Touches>
struct KeepTouching {
  Touches touches;
  Pair* pairs;
  Image* images;  // or null
  offset_t capacity;
  offset_t* found;
  const Image* periods;  // periods of each id, to subtract from images; or null
  bool one_sided;        // contacts are partners of i: each pair is only for the list of i

  HGRID_HD void operator()(index_t i, index_t j, const Image& image) const {
    const bool in_order = is_oriented(i, j, image);
    if (!touches(in_order ? i : j, in_order ? j : i, in_order ? image : -image)) return;
    const offset_t k = Exec::atomic_add(found, offset_t{1});
    if (k >= capacity) return;
    pairs[k] = {i, one_sided ? marked(j) : j};
    if (images == nullptr) return;
    Image kept = image;
    for (int axis = 0; axis < 3 && periods != nullptr; ++axis) kept[axis] -= periods[i][axis] - periods[j][axis];
    images[k] = kept;
  }
};

/// Finds pairs for lists, like PairFiller. If they have no room, the predicate is called again.
template <class Exec, int D, class Touches>
struct TouchingFiller {
  static constexpr bool in_order = false;

  using Search = typename Exec::template Search<D>;
  const Search& search;
  GridView<D> grid;
  offset_t particles;  // number of particles of the build
  const Touches& touches;
  typename Exec::template Buffer<Image>& periods;  // memory for periods

  /// Fills `list`. `seen` is the grid as the list sees it: for a packed list, without wraps.
  template <class Check>
  void pairs(const Exec& exec, const GridView<D>& seen, offset_t slots, PairArrays<Exec>& list, const Check& check) {
    reserve_all(exec, Need{list.found, 1});
    const auto fill = [&] { return run(exec, slots, keep(exec, seen, slots, list)); };
    list.size = 0;
    list.enqueued = 0;
    offset_t n = fill();
    check();
    if (list.make_room(exec, grid.periodic, n)) n = fill();
    list.size = n;
  }

  /// Enqueues the pairs without waiting, like PairFiller.
  void enqueue(const Exec& exec, const GridView<D>& seen, offset_t slots, PairArrays<Exec>& list) const {
    reserve_all(exec, Need{list.found, 1});
    exec.for_each("hgrid::clear_counts", 1, Fill<offset_t>{list.found.data(), 0});
    search_by(exec, slots, keep(exec, seen, slots, list));
  }

  /// Returns only the number of pairs. Uses one number in the executor's memory.
  offset_t count(const Exec& exec, offset_t slots, offset_t* found) const {
    return run(exec, slots, {touches, nullptr, nullptr, 0, found, nullptr, false});
  }

 private:
  KeepTouching<Exec, Touches> keep(const Exec& exec, const GridView<D>& seen, offset_t slots, PairArrays<Exec>& list) const {
    const bool inside = grid.has_wraps() && !seen.has_wraps();
    reserve_all(exec, Need{periods, inside ? particles : 0});
    if (inside) exec.for_each("hgrid::note_periods", slots, PeriodsOfIds<D>{grid, periods.data()});
    return {touches,
            list.entries.data(),
            grid.periodic ? list.images.data() : nullptr,
            list.room(grid.periodic),
            list.found.data(),
            inside ? periods.data() : nullptr,
            grid.is_one_sided()};
  }
  void search_by(const Exec& exec, offset_t slots, const KeepTouching<Exec, Touches>& keep) const {
    keep.one_sided ? search.partners(exec, grid, slots, keep) : search.contacts(exec, grid, slots, keep);
  }
  offset_t run(const Exec& exec, offset_t slots, const KeepTouching<Exec, Touches>& keep) const {
    const offset_t none = 0;
    exec.copy_in(keep.found, &none, 1);
    search_by(exec, slots, keep);
    return exec.read_back(static_cast<const offset_t*>(keep.found));
  }
};

}  // namespace hgrid::inline v0_2::detail
