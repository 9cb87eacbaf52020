// SPDX-License-Identifier: BSD-3-Clause
// From searches to lists: the rules of capacity, order and waiting for host and device engines.
#pragma once

#include "hgrid/core/measured_entries.hpp"
#include "hgrid/find/list_entries.hpp"
#include "hgrid/find/packed_lists.hpp"
#include "hgrid/find/pair_filler.hpp"

namespace hgrid::inline v0_2::detail {

/// Fills the lists of one grid. The base class finds pairs; `Lists` makes neighbor lists of them (see ListsOfPairs), and sorted
/// pairs are made from lists.
template <class Exec, class Search, class Lists>
class ListFiller : public PairFiller<Exec, Search> {
 public:
  explicit ListFiller(const Exec& exec) : lists_(exec), scratch_lists_(exec) {}

  /// Fills pairs sorted by i, j, image.
  template <int D, class Check>
  void sorted_pairs(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list, const Check& check) {
    list.enqueued = 0;
    lists_.fill(exec, *this, grid, scratch_lists_, list, check);
  }

  /// Enqueues pairs. Like all members that begin with "enqueue", neither waits nor allocates.
  template <int D>
  void enqueue_pairs(const Exec& exec, const GridState<Exec, D>& grid, PairArrays<Exec>& list, Order order) {
    reserve_all(exec, Need{list.found, 1});  // gone if the list was moved from
    list.has_images = grid.view().periodic;
    list.size = 0;
    list.order = order;
    if (order == Order::sorted) {
      lists_.enqueue(exec, *this, grid, scratch_lists_, list);
    } else {
      this->enqueue(exec, grid, list);
    }
    list.enqueued = std::uint64_t{grid.generation};
  }

  template <int D, class Entry, class Check>
  void neighbours(const Exec& exec, const GridState<Exec, D>& grid, NeighbourArrays<Exec, Entry>& list, ListKind kind,
                  const Check& check) {
    require_fitting_images(list, grid);
    lists_.fill(exec, *this, grid, list, kind, check);
  }

  template <int D, class Entry>
  void enqueue_neighbours(const Exec& exec, const GridState<Exec, D>& grid, NeighbourArrays<Exec, Entry>& list, ListKind kind) {
    require_fitting_images(list, grid);
    lists_.enqueue(exec, *this, grid, list, kind);
    list.enqueued = std::uint64_t{grid.generation};
  }

  /// Reserves room to enqueue lists like this one with more pairs. Only for `Lists` that are made from pairs.
  template <int D, class Entry>
  void reserve_pairs(const Exec& exec, const GridState<Exec, D>& grid, const NeighbourArrays<Exec, Entry>& list, ListKind kind,
                     offset_t pairs) {
    lists_.reserve(exec, grid, list, kind, pairs);
  }

  /// Waits for enqueued work. Returns whether it was for the present build, and had room.
  template <int D, class List, class Check>
  static bool is_whole(const Exec& exec, const GridState<Exec, D>& grid, List& list, const Check& check) {
    if (list.enqueued != grid.generation) return false;
    const offset_t n = exec.read_back(static_cast<const offset_t*>(list.found.data()));
    check();
    if (n < 0 || n > list.room(list.has_images)) return false;
    list.size = n;
    return true;
  }

  /// Fills `list` from another filler. Sorts the pairs unless the filler finds them in order and `order` is fixed.
  template <int D, class Filler, class Check>
  void pairs_by(const Exec& exec, Filler filler, const GridState<Exec, D>& grid, PairArrays<Exec>& list, Order order,
                const Check& check) {
    if (Filler::in_order && order == Order::fixed) return filler.pairs(exec, grid.view(), grid.slots, list, check);
    lists_.of_pairs().fill(exec, filler, grid, scratch_lists_, list, check);
    list.enqueued = 0;
  }

  /// Fills neighbor lists from another filler.
  template <int D, class Filler, class Entry, class Check>
  void neighbours_by(const Exec& exec, Filler filler, const GridState<Exec, D>& grid, NeighbourArrays<Exec, Entry>& list,
                     ListKind kind, const Check& check) {
    require_fitting_images(list, grid);
    lists_.of_pairs().fill(exec, filler, grid, list, kind, check);
  }

  /// Enqueues the pairs of another filler, sorted.
  template <int D, class Filler>
  void enqueue_pairs_by(const Exec& exec, Filler filler, const GridState<Exec, D>& grid, PairArrays<Exec>& list, Order order) {
    reserve_all(exec, Need{list.found, 1});
    list.has_images = grid.view().periodic;
    list.size = 0;
    list.order = order;
    lists_.of_pairs().enqueue(exec, filler, grid, scratch_lists_, list);
    list.enqueued = std::uint64_t{grid.generation};
  }
  template <int D, class Filler, class Entry>
  void enqueue_neighbours_by(const Exec& exec, Filler filler, const GridState<Exec, D>& grid,
                             NeighbourArrays<Exec, Entry>& list, ListKind kind) {
    require_fitting_images(list, grid);
    lists_.of_pairs().enqueue(exec, filler, grid, list, kind);
    list.enqueued = std::uint64_t{grid.generation};
  }

  /// Returns lists from another filler, in scratch memory of this object.
  template <int D, class Filler, class Check>
  const NeighbourArrays<Exec>& sorted_lists_by(const Exec& exec, Filler filler, const GridState<Exec, D>& grid, ListKind kind,
                                               const Check& check) {
    neighbours_by(exec, filler, grid, scratch_lists_, kind, check);
    return scratch_lists_;
  }

  /// Returns the lists, in scratch memory of this object.
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

  /// Writes measured entries of the lists, without storing the lists. Only for `Lists` that can write entries.
  template <class Real, int D, class Check>
  offset_t write_entries(const Exec& exec, const GridState<Exec, D>& grid, ListKind kind, const WantedEntries<Real, D>& wanted,
                         const EntryOutput& out, const Check& check) {
    return lists_.write_entries(exec, *this, grid, scratch_lists_, kind, wanted, out, check);
  }

  /// Returns the length of the longest list in scratch memory.
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

  std::size_t bytes() const { return this->search.bytes() + lists_.bytes() + scratch_lists_.bytes() + longest_.bytes(); }

 private:
  Lists lists_;
  NeighbourArrays<Exec> scratch_lists_;
  typename Exec::template Buffer<LongestList> longest_;
};

}  // namespace hgrid::inline v0_2::detail
