// SPDX-License-Identifier: BSD-3-Clause
// Neighbor lists from pairs that were found before. Independent of how the search works.
#pragma once

#include "hgrid/find/list_entries.hpp"
#include "hgrid/find/packed_lists.hpp"
#include "hgrid/find/pair_filler.hpp"

namespace hgrid::inline v0_2::detail {

/// Makes neighbor lists from a filler's pairs. `ListSort` sorts pairs into lists (see ScatterEntries). Fillers: PairFiller;
/// with a client's predicate, NarrowFiller on hosts and TouchingFiller on devices.
template <class Exec, class ListSort = ScatterEntries<Exec>>
class ListsOfPairs {
 public:
  explicit ListsOfPairs(const Exec& exec) : pairs_(exec) {}

  template <int D, class Filler, class Entry, class Check>
  void fill(const Exec& exec, Filler& filler, const GridState<Exec, D>& grid, NeighbourArrays<Exec, Entry>& list, ListKind kind,
            const Check& check) {
    if constexpr (can_list<D, Filler>) {
      if (kind == ListKind::full && filler.search.lists_in_place(grid.view()))
        return fill_whole(exec, filler, grid, list, check);
    }
    filler.pairs(exec, seen_by(list, grid), grid.slots, pairs_, check);
    const bool images = pairs_.has_images;
    const ListInput in = listed(grid, kind, pairs_.size);
    list.enqueued = 0;
    list_sort_.reserve(exec, Exec::on_host ? in : listed(grid, kind, pairs_.room(images)));  // as in `enqueue`
    reserve_all(exec, Need{admitted_, 1});
    list.make_room(exec, in.lists, in.entries(), images, grid.view().has_wraps());
    note_periods(exec, grid, list);
    list_sort_.run(exec, in, ListArrays{list.offsets.data(), list.to_fill(images)});
    list.has_images = images;
    list.lists = in.lists;
    list.size = in.one_sided ? exec.read_back(static_cast<const offset_t*>(list.offsets.data() + in.lists)) : in.entries();
  }

  /// Reserves room for lists of that number of pairs, for `enqueue`.
  template <int D, class Entry>
  void reserve(const Exec& exec, const GridState<Exec, D>& grid, const NeighbourArrays<Exec, Entry>& list, ListKind kind,
               offset_t pairs) {
    const bool images = seen_by(list, grid).periodic;
    if (pairs > pairs_.room(images)) reserve_all(exec, Need{pairs_.entries, pairs}, Need{pairs_.images, images ? pairs : 0});
    reserve_all(exec, Need{pairs_.found, 1}, Need{admitted_, 1});
    list_sort_.reserve(exec, listed(grid, kind, pairs_.room(images)));
    exec.reserve_lists(grid.count, list.room(images));
  }

  template <int D, class Filler, class Entry>
  void enqueue(const Exec& exec, Filler& filler, const GridState<Exec, D>& grid, NeighbourArrays<Exec, Entry>& list,
               ListKind kind) {
    reserve_all(exec, Need{pairs_.found, 1});  // a moved-from object has no memory
    if constexpr (can_list<D, Filler>) {
      if (kind == ListKind::full && filler.search.lists_in_place(grid.view())) return enqueue_whole(exec, filler, grid, list);
    }
    const GridView<D> g = seen_by(list, grid);
    pairs_.has_images = g.periodic;
    filler.enqueue(exec, g, grid.slots, pairs_);
    const bool images = list.has_images = pairs_.has_images;
    ListInput in = listed(grid, kind, pairs_.room(images));
    reserve_all(exec, Need{list.offsets, in.lists + 1}, Need{list.found, 1}, Need{admitted_, 1});
    const offset_t room = list.room(images), pair_room = note_periods(exec, grid, list) ? in.count : -1;
    exec.for_each("hgrid::admit_pairs", 1,
                  AdmitPairs{pairs_.found.data(), pair_room, in.full ? 2 : 1, room, list.found.data(), admitted_.data()});
    if constexpr (Exec::on_host) {
      in.count = *admitted_.data();
    } else {
      in.admitted = admitted_.data();
    }
    list_sort_.reserve(exec, in);
    list_sort_.run(exec, in, ListArrays{list.offsets.data(), list.to_fill(images)});
    if (in.one_sided) {
      exec.for_each("hgrid::keep_number", 1, KeepNumber{list.offsets.data() + in.lists, room, list.found.data()});
    }
    list.lists = in.lists;
    list.size = 0;
  }

  /// Fills pairs sorted by i, j, image, by way of lists in `scratch`.
  template <int D, class Filler, class Check>
  void fill(const Exec& exec, Filler& filler, const GridState<Exec, D>& grid, NeighbourArrays<Exec>& scratch,
            PairArrays<Exec>& list, const Check& check) {
    fill(exec, filler, grid, scratch, ListKind::half, check);
    const offset_t n = scratch.size;
    list.make_room(exec, grid.view().periodic, n);
    if (n > 0) write_sorted_pairs(exec, scratch, list.first_columns(n));
    list.size = n;
  }

  template <int D, class Filler>
  void enqueue(const Exec& exec, Filler& filler, const GridState<Exec, D>& grid, NeighbourArrays<Exec>& scratch,
               PairArrays<Exec>& list) {
    enqueue(exec, filler, grid, scratch, ListKind::half);
    const offset_t room = list.room(list.has_images);
    exec.for_each(
        "hgrid::admit_pairs", 1,
        AdmitPairs{scratch.found.data(), scratch.room(scratch.has_images), 1, room, list.found.data(), admitted_.data()});
    if (room > 0) write_sorted_pairs(exec, scratch, list.first_columns(room));
  }

  /// Returns the part of an executor's lists that is made of pairs: this object.
  ListsOfPairs& of_pairs() { return *this; }

  std::size_t bytes() const { return pairs_.bytes() + admitted_.bytes() + list_sort_.bytes(); }

 private:
  // Returns the search of a filler that finds all contacts. Fillers with a predicate have no overload.
  template <class Search>
  static Search& search_of(PairFiller<Exec, Search>& filler) {
    return filler.search;
  }
  template <int D, class Filler>
  static constexpr bool can_list = requires(Filler& filler, const GridView<D>& g) {
    search_of(filler).lists_in_place(g);
  };
  template <class Filler>
  static auto across(Filler& filler) {
    using Search = std::decay_t<decltype(filler.search)>;
    return PairFiller<Exec, typename Search::Across>{{filler.search}};
  }

  // Fills full lists, most entries directly by the search. Only contacts across levels and faces are found as pairs first.
  template <int D, class Filler, class Entry, class Check>
  void fill_whole(const Exec& exec, Filler& filler, const GridState<Exec, D>& grid, NeighbourArrays<Exec, Entry>& list,
                  const Check& check) {
    const GridView<D> g = seen_by(list, grid);
    across(filler).pairs(exec, g, grid.slots, pairs_, check);
    const bool images = pairs_.has_images;
    const ListInput in = listed(grid, ListKind::full, pairs_.size);
    list.enqueued = 0, list.size = 0, list.lists = 0;                             // until they are filled
    list_sort_.reserve(exec, listed(grid, ListKind::full, pairs_.room(images)));  // as in `enqueue`
    reserve_all(exec, Need{admitted_, 1}, Need{list.offsets, offset_t{in.lists} + 1});
    list_sort_.count(exec, in, list.offsets.data(), [&] { filler.search.count_in_place(exec, g, list.offsets.data()); });
    const offset_t n = exec.read_back(static_cast<const offset_t*>(list.offsets.data() + in.lists));
    list.make_room(exec, in.lists, n, images, grid.view().has_wraps());
    exec.reserve_lists(in.lists, list.room(images));
    note_periods(exec, grid, list);
    write_whole(exec, filler, g, in, ListArrays{list.offsets.data(), list.to_fill(images)}, n, {});
    list.has_images = images;
    list.lists = in.lists;
    list.size = n;
  }

  template <int D, class Filler, class Entry>
  void enqueue_whole(const Exec& exec, Filler& filler, const GridState<Exec, D>& grid, NeighbourArrays<Exec, Entry>& list) {
    const GridView<D> g = seen_by(list, grid);
    const bool images = list.has_images = pairs_.has_images = g.periodic;
    across(filler).enqueue(exec, g, grid.slots, pairs_);
    ListInput in = listed(grid, ListKind::full, pairs_.room(images));
    const offset_t room = list.room(images);
    reserve_all(exec, Need{list.offsets, in.lists + 1}, Need{list.found, 1}, Need{admitted_, 1});
    list_sort_.reserve(exec, in);
    exec.reserve_lists(in.lists, room);
    const offset_t pair_room = note_periods(exec, grid, list) ? in.count : -1;
    in.admitted = admitted_.data();
    exec.for_each("hgrid::admit_pairs", 1,
                  AdmitPairs{pairs_.found.data(), pair_room, 2, INT64_MAX, list.found.data(), admitted_.data()});
    offset_t* const offsets = list.offsets.data();
    list_sort_.count(exec, in, offsets, [&] { filler.search.count_in_place(exec, g, offsets); });
    exec.for_each("hgrid::admit_lists", 1, AdmitLists{offsets + in.lists, room, list.found.data(), admitted_.data()});
    const ListsHaveRoom have_room{list.found.data(), room};
    exec.for_each("hgrid::empty_lists", offset_t{in.lists} + 1, EmptyLists{have_room, offsets});
    write_whole(exec, filler, g, in, ListArrays{offsets, list.to_fill(images)}, room, have_room);
    list.lists = in.lists;
    list.size = 0;
  }

  template <int D, class Filler, class Entries>
  void write_whole(const Exec& exec, Filler& filler, const GridView<D>& g, const ListInput& in, const ListArrays<Entries>& out,
                   offset_t most, const ListsHaveRoom& have_room) {
    list_sort_.write(exec, in, out, most, [&](offset_t* ends) { filler.search.fill_in_place(exec, g, out, ends, have_room); });
  }

  // Returns the first `count` pairs as input for lists.
  template <int D>
  ListInput listed(const GridState<Exec, D>& grid, ListKind kind, offset_t count) {
    return {pairs_.entries.data(),
            pairs_.has_images ? pairs_.images.data() : nullptr,
            count,
            static_cast<index_t>(grid.count),
            kind == ListKind::full,
            grid.view().is_one_sided()};
  }

  PairArrays<Exec> pairs_;
  typename Exec::template Buffer<offset_t> admitted_;
  ListSort list_sort_;
};

}  // namespace hgrid::inline v0_2::detail
