// SPDX-License-Identifier: BSD-3-Clause
// Neighbor lists on hosts, and outputs made from them: sorted pairs and measured entries.
#pragma once

#include "hgrid/find/lists_of_pairs.hpp"
#include "host/neighbours/collected_lists.hpp"
#include "host/neighbours/measured_rows.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
class HostLists {
  using Filler = PairFiller<HostExec, HostSearch<D>>;
  using State = GridState<HostExec, D>;

 public:
  explicit HostLists(const HostExec& exec) : by_pairs_(exec) {}

  template <class Entry, class Check>
  void fill(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec, Entry>& list, ListKind kind,
            const Check& check) {
    list.enqueued = 0;
    if (!collect_all(exec, filler, grid, kind)) return by_pairs_.fill(exec, filler, grid, list, kind, check);
    fill_collected(exec, grid, list);
  }

  template <class Entry>
  void enqueue(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec, Entry>& list, ListKind kind) {
    const bool images = grid.view().periodic;
    const auto lists = static_cast<index_t>(grid.count);
    if (!collect(exec, filler, grid, kind, false)) return by_pairs_.enqueue(exec, filler, grid, list, kind);
    reserve_all(exec, Need{list.offsets, offset_t{lists} + 1}, Need{list.found, 1});
    list.size = 0;
    if (collected_.admit(exec, list.room(images), wrapped(grid), list.found.data())) {
      if (note_periods(exec, grid, list)) return write(exec, grid, list);
      *list.found.data() = -1;
    }
    std::fill_n(list.offsets.data(), offset_t{lists} + 1, 0);
    list.lists = lists;
    list.has_images = images;
  }

  /// Fills pairs, sorted by i, j, image.
  template <class Check>
  void fill(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec>& scratch,
            PairArrays<HostExec>& list, const Check& check) {
    if (!collect_all(exec, filler, grid, ListKind::half)) return by_pairs_.fill(exec, filler, grid, scratch, list, check);
    const offset_t n = collected_.entries();
    list.make_room(exec, grid.view().periodic, n);
    collected_.write(exec, ToPairs(list.first_columns(n)), wraps_of_ids(exec, grid));
    list.size = n;
  }

  void enqueue(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec>& scratch,
               PairArrays<HostExec>& list) {
    if (!collect(exec, filler, grid, ListKind::half, false)) return by_pairs_.enqueue(exec, filler, grid, scratch, list);
    const offset_t n = collected_.entries();
    if (!collected_.admit(exec, list.room(list.has_images), wrapped(grid), list.found.data())) return;
    collected_.write(exec, ToPairs(list.first_columns(n)), wraps_of_ids(exec, grid));
  }

  /// Writes measured entries. Rows are measured directly. If entries are in buckets, lists are first made of them in `scratch`.
  template <class Real, class Check>
  offset_t write_entries(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec>& scratch,
                         ListKind kind, const WantedEntries<Real, D>& wanted, const EntryOutput& out, const Check& check) {
    scratch.enqueued = 0;
    if (!collect_all(exec, filler, grid, kind)) {
      by_pairs_.fill(exec, filler, grid, scratch, kind, check);
    } else if (collected_.by_rows()) {
      collected_.rows().settle(exec);
      const bool by_slots = grid.count >= least_by_slots && grid.slots == grid.count;
      const Wraps wraps = wraps_of_ids(exec, grid);
      const RowsAsFound rows{collected_.rows(), wraps.of_list, by_slots ? grid.view().id : nullptr};
      return write_measured(exec, rows, wanted, out);
    } else {
      fill_collected(exec, grid, scratch);
    }
    return write_measured(exec, RowsOfLists{ListView(scratch)}, wanted, out);
  }

  /// Returns the lists that are made of pairs.
  ListsOfPairs<HostExec>& of_pairs() { return by_pairs_; }

  std::size_t bytes() const { return collected_.bytes() + by_pairs_.bytes(); }

 private:
  // From this number of particles on, whose positions exceed the caches, rows are measured in the order of slots: consecutive
  // particles have common neighbors. With fewer particles, writing entries at scattered places takes longer than this saves.
  static constexpr offset_t least_by_slots = 1 << 18;

  bool collect(const HostExec& exec, Filler& filler, const State& grid, ListKind kind, bool may_grow) {
    GridView<D> g = grid.view();
    g.wraps = nullptr;
    return collected_.collect(exec, filler.search, OneGrid<D>(g), grid.count, grid.count, kind, may_grow);
  }
  bool collect_all(const HostExec& exec, Filler& filler, const State& grid, ListKind kind) {
    GridView<D> g = grid.view();
    g.wraps = nullptr;
    if (!collected_.collect_all(exec, filler.search, OneGrid<D>(g), grid.count, grid.count, kind)) return false;
    collected_.reserve_wraps(exec, wrapped(grid));
    return true;
  }

  // Returns the number of particles whose periods are needed.
  static offset_t wrapped(const State& grid) { return grid.view().has_wraps() ? grid.count : 0; }

  Wraps wraps_of_ids(const HostExec& exec, const State& grid) {
    const Image* const of_ids = collected_.wraps_of_lists(exec, grid.view());
    return {of_ids, of_ids};
  }

  template <class Entry>
  void fill_collected(const HostExec& exec, const State& grid, NeighbourArrays<HostExec, Entry>& list) {
    const offset_t n = collected_.entries();
    list.make_room(exec, static_cast<index_t>(grid.count), n, grid.view().periodic, grid.view().has_wraps());
    note_periods(exec, grid, list);
    write(exec, grid, list);
    list.size = n;
  }

  template <class Entry>
  void write(const HostExec& exec, const State& grid, NeighbourArrays<HostExec, Entry>& list) {
    const bool images = grid.view().periodic;
    const ListArrays out{list.offsets.data(), list.to_fill(images)};
    if constexpr (std::is_same_v<Entry, PackedNeighbour>) {
      collected_.write(exec, ToPackedLists(out, images), {});
    } else {
      collected_.write(exec, ToLists(out), wraps_of_ids(exec, grid));
    }
    out.offsets[grid.count] = collected_.entries();
    list.lists = static_cast<index_t>(grid.count);
    list.has_images = images;
  }

  CollectedLists<D> collected_;
  ListsOfPairs<HostExec> by_pairs_;  // for boxes whose images have no codes, and for a client's predicate
};

}  // namespace hgrid::inline v0_2::detail
