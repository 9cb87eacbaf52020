// SPDX-License-Identifier: BSD-3-Clause
// From searches to lists: the rules of capacity, order and waiting that both engines keep.
#pragma once

#include <string>

#include "hgrid/engine/grid_state.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/lists/list_entries.hpp"

namespace hgrid::inline v0_1::detail {

/// Fills the lists of one grid. `Search` finds contacts (see PlainSearch), `ListSort` sorts them into lists (see
/// ScatterEntries); `check` waits for the build and throws what was wrong with its input.
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
      return search.list(exec, g, grid.slots, list.entries.data(), g.periodic ? list.images.data() : nullptr,
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
    write_pairs(exec, sorted, list, n);
    list.size = n;
  }

  /// Without waiting or allocating, as all that begins with "enqueue".
  template <int D>
  void enqueue_pairs(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list, Order order) {
    const GridView<D> g = grid.view();
    reserve_all(exec, Need{list.found, 1});  // gone if the list was moved from
    list.has_images = g.periodic;
    list.size = 0;
    list.order = order;
    if (order == Order::sorted) {
      enqueue_sorted(exec, grid, list);
    } else {
      search.enqueue(exec, g, grid.slots, list.entries.data(), g.periodic ? list.images.data() : nullptr, list.room(g.periodic),
                     list.found.data());
    }
    list.enqueued = std::uint64_t{grid.generation};
  }

  template <int D, class Check>
  void wait(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list, const Check& check) {
    if (!is_whole(exec, grid, list, check)) {
      list.order == Order::sorted ? sorted_pairs(exec, grid, list, check) : pairs(exec, grid, list, check);
    }
  }

  template <int D, class Check>
  void neighbours(const Exec& exec, const GridState<Exec, D>& grid, NeighbourArrays<Exec>& list, ListKind kind,
                  const Check& check) {
    pairs(exec, grid, scratch_, check);
    const bool images = scratch_.has_images;
    const ListInput in = listed(grid, kind, scratch_.size);
    list.enqueued = 0;
    if (in.entries() > list.room(images)) require_room(exec, in.entries(), sizeof(index_t), images);
    const offset_t room = with_margin(in.entries(), list.entries.size());
    list_sort_.reserve(exec, Exec::on_host ? in : listed(grid, kind, scratch_.room(images)));  // as enqueue_neighbours will
    reserve_all(exec, Need{list.offsets, in.lists + 1}, Need{list.entries, room}, Need{list.images, images ? room : 0},
                Need{list.found, 1}, Need{admitted_, 1});
    list_sort_.run(exec, in, {list.offsets.data(), {list.entries.data(), images ? list.images.data() : nullptr}});
    list.has_images = images;
    list.lists = in.lists;
    list.size = in.one_sided ? exec.read_back(static_cast<const offset_t*>(list.offsets.data() + in.lists)) : in.entries();
  }

  template <int D>
  void enqueue_neighbours(const Exec& exec, const GridState<Exec, D>& grid, NeighbourArrays<Exec>& list, ListKind kind) {
    enqueue_pairs(exec, grid, scratch_, Order::fixed);
    const bool images = list.has_images = scratch_.has_images;
    ListInput in = listed(grid, kind, scratch_.room(images));
    reserve_all(exec, Need{list.offsets, in.lists + 1}, Need{list.found, 1}, Need{admitted_, 1});
    const offset_t room = list.room(images);
    exec.for_each("hgrid::admit_pairs", 1,
                  AdmitPairs{scratch_.found.data(), in.count, in.full ? 2 : 1, room, list.found.data(), admitted_.data()});
    if constexpr (Exec::on_host) {
      in.count = *admitted_.data();
    } else {
      in.admitted = admitted_.data();
    }
    list_sort_.reserve(exec, in);
    list_sort_.run(exec, in, {list.offsets.data(), {list.entries.data(), images ? list.images.data() : nullptr}});
    if (in.one_sided) {
      exec.for_each("hgrid::keep_number", 1, KeepNumber{list.offsets.data() + in.lists, room, list.found.data()});
    }
    list.lists = in.lists;
    list.size = 0;
    list.enqueued = std::uint64_t{grid.generation};
  }

  template <int D, class Check>
  void wait(const Exec& exec, const GridState<Exec, D>& grid, NeighbourArrays<Exec>& list, ListKind kind, const Check& check) {
    if (!is_whole(exec, grid, list, check)) neighbours(exec, grid, list, kind, check);
  }

  /// The lists, in memory of their own.
  template <int D, class Check>
  const NeighbourArrays<Exec>& sorted_lists(const Exec& exec, const GridState<Exec, D>& grid, ListKind kind,
                                            const Check& check) {
    neighbours(exec, grid, scratch_lists_, kind, check);
    return scratch_lists_;
  }

  template <int D>
  const NeighbourArrays<Exec>& enqueue_sorted_lists(const Exec& exec, const GridState<Exec, D>& grid, ListKind kind) {
    enqueue_neighbours(exec, grid, scratch_lists_, kind);
    return scratch_lists_;
  }

  /// The entries of the longest of those lists.
  offset_t longest_list(const Exec& exec) {
    reserve_all(exec, Need{longest_, 1});
    exec.reduce("hgrid::longest_list", scratch_lists_.lists, MeasureList{scratch_lists_.offsets.data()}, LongestList{},
                longest_.data());
    return exec.read_back(longest_.data()).entries;
  }

  void enqueue_longest_list(const Exec& exec, offset_t* longest) {
    reserve_all(exec, Need{longest_, 1});
    exec.reduce("hgrid::longest_list", scratch_lists_.lists, MeasureList{scratch_lists_.offsets.data()}, LongestList{},
                longest_.data());
    exec.for_each(
        "hgrid::keep_longest", 1,
        KeepLongest{longest_.data(), scratch_lists_.found.data(), scratch_lists_.room(scratch_lists_.has_images), longest});
  }

  std::size_t bytes() const {
    return search.bytes() + scratch_.bytes() + scratch_lists_.bytes() + admitted_.bytes() + longest_.bytes() +
           list_sort_.bytes();
  }

 private:
  // Waits for what was enqueued; true if it was for the grid as it is, and all of it had room.
  template <int D, class List, class Check>
  static bool is_whole(const Exec& exec, const GridState<Exec, D>& grid, List& list, const Check& check) {
    if (list.enqueued != grid.generation) return false;
    const offset_t n = exec.read_back(static_cast<const offset_t*>(list.found.data()));
    check();
    if (n < 0 || n > list.room(list.has_images)) return false;
    list.size = n;
    return true;
  }

  // The first `count` pairs in scratch, as what lists are made of.
  template <int D>
  ListInput listed(const GridState<Exec, D>& grid, ListKind kind, offset_t count) {
    return {scratch_.entries.data(),
            scratch_.has_images ? scratch_.images.data() : nullptr,
            count,
            static_cast<index_t>(grid.count),
            kind == ListKind::full,
            grid.view().is_one_sided()};
  }

  template <int D>
  void enqueue_sorted(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list) {
    const NeighbourArrays<Exec>& lists = enqueue_sorted_lists(exec, grid, ListKind::half);
    const offset_t room = list.room(list.has_images);
    exec.for_each("hgrid::admit_pairs", 1,
                  AdmitPairs{lists.found.data(), lists.room(list.has_images), 1, room, list.found.data(), admitted_.data()});
    write_pairs(exec, lists, list, room);
  }

  // As many as there is room for.
  static void write_pairs(const Exec& exec, const NeighbourArrays<Exec>& lists, PairArrays<Exec>& list, offset_t room) {
    if (room == 0) return;
    index_t* const first = reinterpret_cast<index_t*>(list.entries.data());
    write_sorted_pairs(exec, lists,
                       PairColumns<index_t>{first, first + 1, 2, list.has_images ? list.images.data() : nullptr, room});
  }

  // Empties the list and makes room for n contacts; true if it had too little.
  static bool make_room(const Exec& exec, bool images, PairArrays<Exec>& list, offset_t n) {
    const bool grows = n > list.room(images);
    if (grows) {
      require_room(exec, n, sizeof(Pair), images);
      const offset_t room = n + n / 8;  // counts fluctuate from step to step
      reserve_all(exec, Need{list.entries, room}, Need{list.images, images ? room : 0});
    }
    list.size = 0;  // until they are there: filling may fail
    list.has_images = images;
    return grows;
  }

  PairArrays<Exec> scratch_;
  NeighbourArrays<Exec> scratch_lists_;
  typename Exec::template Buffer<offset_t> admitted_;
  typename Exec::template Buffer<LongestList> longest_;
  ListSort list_sort_;
};

}  // namespace hgrid::inline v0_1::detail
