// SPDX-License-Identifier: BSD-3-Clause
// Neighbour lists on hosts: the search puts entries into buckets of lists, and these are sorted.
#pragma once

#include "hgrid/lists/lists_of_pairs.hpp"
#include "host/search/host_search.hpp"
#include "host/sort/sort_buckets.hpp"

namespace hgrid::inline v0_1::detail {

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
    const bool images = grid.view().periodic;
    const offset_t n = buckets_.entries();
    list.make_room(exec, buckets_.lists(), n, images, grid.view().has_wraps());
    note_periods(exec, grid, list);
    sort(exec, grid, list);
    list.size = n;
  }

  template <class Entry>
  void enqueue(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec, Entry>& list, ListKind kind) {
    const bool images = grid.view().periodic;
    if (!collect(exec, filler, grid, kind, guess(grid), false)) return by_pairs_.enqueue(exec, filler, grid, list, kind);
    reserve_all(exec, Need{list.offsets, buckets_.lists() + 1}, Need{list.found, 1});
    list.size = 0;
    if (admit(exec, grid, list.room(images), list.found.data())) {
      if (note_periods(exec, grid, list)) return sort(exec, grid, list);
      *list.found.data() = -1;
    }
    std::fill_n(list.offsets.data(), buckets_.lists() + 1, 0);
    list.lists = buckets_.lists();
    list.has_images = images;
  }

  /// Pairs by i, j, image.
  template <class Check>
  void fill(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec>& scratch,
            PairArrays<HostExec>& list, const Check& check) {
    if (!collect_all(exec, filler, grid, ListKind::half)) return by_pairs_.fill(exec, filler, grid, scratch, list, check);
    const offset_t n = buckets_.entries();
    filler.make_room(exec, grid.view().periodic, list, n);
    sort_.run(exec, buckets_, ToPairs(list.first_columns(n)), wraps_of_ids(exec, grid));
    list.size = n;
  }

  void enqueue(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec>& scratch,
               PairArrays<HostExec>& list) {
    if (!collect(exec, filler, grid, ListKind::half, guess(grid), false)) {
      return by_pairs_.enqueue(exec, filler, grid, scratch, list);
    }
    const offset_t n = buckets_.entries();
    if (!admit(exec, grid, list.room(list.has_images), list.found.data())) return;
    sort_.run(exec, buckets_, ToPairs(list.first_columns(n)), wraps_of_ids(exec, grid));
  }

  std::size_t bytes() const { return buckets_.bytes() + sort_.bytes() + wraps_.bytes() + by_pairs_.bytes(); }

 private:
  // Some eight entries a particle, or as many as there were.
  offset_t guess(const State& grid) const { return buckets_.entries() > 0 ? buckets_.entries() : 8 * grid.count; }

  // Puts all entries, perhaps so many, into buckets, as far as there is room. False if some image has no code.
  bool collect(const HostExec& exec, Filler& filler, const State& grid, ListKind kind, offset_t entries, bool may_grow) {
    GridView<D> g = grid.view();
    g.wraps = nullptr;
    buckets_.begin(exec, static_cast<index_t>(grid.count), entries, may_grow);
    std::atomic<bool> no_code{false};
    const auto make_writer = [&](offset_t worker) { return ListBuckets::Writer(buckets_, worker); };
    filler.search.entries(exec, g, grid.slots, kind, make_writer, no_code);
    return !no_code;
  }

  // The same of all of them, with all memory that the sort needs.
  bool collect_all(const HostExec& exec, Filler& filler, const State& grid, ListKind kind) {
    if (!collect(exec, filler, grid, kind, guess(grid), true)) return false;
    if (!buckets_.has_all() && !collect(exec, filler, grid, kind, buckets_.entries(), true)) return false;
    buckets_.settle();
    sort_.reserve(exec, buckets_);
    reserve_all(exec, Need{wraps_, grid.view().has_wraps() ? grid.count : 0});
    return true;
  }

  // Whether the collected entries, of which *found receives the number, fit into `room` and can be sorted without more memory;
  // if only the latter is missing, -1.
  bool admit(const HostExec& exec, const State& grid, offset_t room, offset_t* found) {
    *found = buckets_.entries();
    if (*found > room) return false;
    if (buckets_.has_all()) {
      buckets_.settle();
      if (sort_.has_room(exec, buckets_) && (!grid.view().has_wraps() || wraps_.size() >= grid.count)) return true;
    }
    *found = -1;
    return false;
  }

  template <class Entry>
  void sort(const HostExec& exec, const State& grid, NeighbourArrays<HostExec, Entry>& list) {
    const bool images = grid.view().periodic;
    const ListArrays out{list.offsets.data(), list.to_fill(images)};
    if constexpr (std::is_same_v<Entry, PackedNeighbour>) {
      sort_.run(exec, buckets_, ToPackedLists(out, images), nullptr);
    } else {
      sort_.run(exec, buckets_, ToLists(out), wraps_of_ids(exec, grid));
    }
    out.offsets[buckets_.lists()] = buckets_.entries();
    list.lists = buckets_.lists();
    list.has_images = images;
  }

  // The periods by which each particle was wrapped, or null.
  const Image* wraps_of_ids(const HostExec& exec, const State& grid) {
    const GridView<D> g = grid.view();
    if (!g.has_wraps()) return nullptr;
    exec.for_each("hgrid::wraps_of_ids", g.slots(), PeriodsOfIds<D>{g, wraps_.data()});
    return wraps_.data();
  }

  ListBuckets buckets_;
  SortBuckets sort_;
  HostBuffer<Image> wraps_;          // of ids
  ListsOfPairs<HostExec> by_pairs_;  // of boxes whose images have no codes
};

}  // namespace hgrid::inline v0_1::detail
