// SPDX-License-Identifier: BSD-3-Clause
// From searches to lists: the rules of capacity, order and waiting that both engines keep.
#pragma once

#include <string>

#include "hgrid/engine/grid_state.hpp"
#include "hgrid/engine/list_entries.hpp"
#include "hgrid/lists.hpp"

namespace hgrid::inline v0_1::detail {

/// Fills the lists of one grid. `Search` finds contacts (see PlainSearch), `ListSort` sorts them into lists (see ScatterEntries);
/// `check` waits for the build and throws what was wrong with its input.
template <class Exec, class Search, class ListSort>
class ListFiller {
 public:
  explicit ListFiller(const Exec& exec) : scratch_(exec), scratch_lists_(exec) {}

  Search search;

  /// As found.
  template <int D, class Check>
  void pairs(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list, const Check& check) {
    const GridView<D> g = grid.view();
    const auto fill = [&] {
      return search.list(exec, g, grid.slots, list.pairs.data(), g.periodic ? list.images.data() : nullptr,
                         list.room(g.periodic));
    };
    list.size = 0;  // the first pass may overwrite it and then find too little room
    list.enqueued = 0;
    offset_t n = fill();
    check();
    if (make_room(exec, g.periodic, list, n)) n = fill();
    list.size = n;
  }

  /// By i, j, image.
  template <int D, class Check>
  void sorted_pairs(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list, const Check& check) {
    const NeighbourArrays<Exec>& sorted = sorted_lists(exec, grid, ListKind::half, check);
    const offset_t n = sorted.size;
    make_room(exec, grid.view().periodic, list, n);
    list.enqueued = 0;
    if (n == 0) return;
    index_t* const first = reinterpret_cast<index_t*>(list.pairs.data());
    write_sorted_pairs(exec, sorted,
                       PairColumns<index_t>{first, first + 1, 2, list.has_images ? list.images.data() : nullptr, n});
    list.size = n;
  }

  /// Without waiting or allocating.
  template <int D>
  void enqueue_pairs(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list) {
    const GridView<D> g = grid.view();
    reserve_all(exec, Need{list.found, 1});  // gone if the list was moved from
    list.has_images = g.periodic;
    list.size = 0;
    search.enqueue(exec, g, grid.slots, list.pairs.data(), g.periodic ? list.images.data() : nullptr, list.room(g.periodic),
                   list.found.data());
    list.enqueued = std::uint64_t{grid.generation};
  }

  template <int D, class Check>
  void wait(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list, const Check& check) {
    if (list.enqueued != grid.generation) return pairs(exec, grid, list, check);
    const offset_t n = exec.read_back(static_cast<const offset_t*>(list.found.data()));
    check();
    if (n < 0 || n > list.room(list.has_images)) return pairs(exec, grid, list, check);
    list.size = n;
  }

  template <int D, class Check>
  void neighbours(const Exec& exec, const GridState<Exec, D>& grid, NeighbourArrays<Exec>& list, ListKind kind,
                  const Check& check) {
    pairs(exec, grid, scratch_, check);
    const bool images = scratch_.has_images;
    const ListInput in{scratch_.pairs.data(),  images ? scratch_.images.data() : nullptr,
                       scratch_.size,          static_cast<index_t>(grid.count),
                       kind == ListKind::full, grid.view().is_one_sided()};
    if (in.entries() > list.room(images)) require_room(exec, in.entries(), sizeof(index_t), images);
    const offset_t room = with_margin(in.entries(), list.neighbours.size());
    list_sort_.reserve(exec, in);
    reserve_all(exec, Need{list.offsets, in.lists + 1}, Need{list.neighbours, room}, Need{list.images, images ? room : 0});
    list_sort_.run(exec, in, {list.offsets.data(), {list.neighbours.data(), images ? list.images.data() : nullptr}});
    list.has_images = images;
    list.lists = in.lists;
    list.size = in.one_sided ? exec.read_back(static_cast<const offset_t*>(list.offsets.data() + in.lists)) : in.entries();
  }

  /// The lists, in memory of their own.
  template <int D, class Check>
  const NeighbourArrays<Exec>& sorted_lists(const Exec& exec, const GridState<Exec, D>& grid, ListKind kind,
                                            const Check& check) {
    neighbours(exec, grid, scratch_lists_, kind, check);
    return scratch_lists_;
  }

  /// The entries of the longest of those lists.
  offset_t longest_list(const Exec& exec) {
    reserve_all(exec, Need{longest_, 1});
    exec.reduce("hgrid::longest_list", scratch_lists_.lists, MeasureList{scratch_lists_.offsets.data()}, LongestList{},
                longest_.data());
    return exec.read_back(longest_.data()).entries;
  }

  std::size_t bytes() const {
    return search.bytes() + scratch_.bytes() + scratch_lists_.bytes() + longest_.bytes() + list_sort_.bytes();
  }

 private:
  // Empties the list and makes room for n contacts; true if it had too little.
  static bool make_room(const Exec& exec, bool images, PairArrays<Exec>& list, offset_t n) {
    const bool grows = n > list.room(images);
    if (grows) {
      require_room(exec, n, sizeof(Pair), images);
      const offset_t room = n + n / 8;  // counts fluctuate from step to step
      reserve_all(exec, Need{list.pairs, room}, Need{list.images, images ? room : 0});
    }
    list.size = 0;  // until they are there: filling may fail
    list.has_images = images;
    return grows;
  }

  PairArrays<Exec> scratch_;
  NeighbourArrays<Exec> scratch_lists_;
  typename Exec::template Buffer<LongestList> longest_;
  ListSort list_sort_;
};

}  // namespace hgrid::inline v0_1::detail
