// SPDX-License-Identifier: BSD-3-Clause
// Neighbour lists on hosts: the search puts entries into buckets of lists, and these are sorted.
#pragma once

#include "hgrid/lists/lists_of_pairs.hpp"
#include "host/search/host_search.hpp"
#include "host/sort/sort_buckets.hpp"

namespace hgrid::inline v0_1::detail {

template <int D>
class HostLists {
 public:
  explicit HostLists(const HostExec& exec) : by_pairs_(exec) {}

  template <class Check>
  void fill(const HostExec& exec, PairFiller<HostExec, HostSearch<D>>& filler, const GridState<HostExec, D>& grid,
            NeighbourArrays<HostExec>& list, ListKind kind, const Check& check) {
    const GridView<D> g = grid.view();
    const auto lists = static_cast<index_t>(grid.count);
    list.enqueued = 0;
    bool coded = search(exec, filler.search, g, grid, kind, guess(lists));
    if (coded && !buckets_.has_all()) coded = search(exec, filler.search, g, grid, kind, buckets_.entries());
    if (!coded) return by_pairs_.fill(exec, filler, grid, list, kind, check);
    const offset_t entries = buckets_.entries();
    if (entries > list.room(g.periodic)) require_room(exec, entries, sizeof(index_t), g.periodic);
    const offset_t room = with_margin(entries, list.entries.size());
    buckets_.settle();
    sort_.reserve(exec, buckets_);
    reserve_all(exec, Need{list.offsets, lists + 1}, Need{list.entries, room}, Need{list.images, g.periodic ? room : 0},
                Need{list.found, 1}, Need{wraps_, g.has_wraps() ? lists : 0});
    sort(exec, g, list);
    list.lists = lists;
    list.size = entries;
  }

  void enqueue(const HostExec& exec, PairFiller<HostExec, HostSearch<D>>& filler, const GridState<HostExec, D>& grid,
               NeighbourArrays<HostExec>& list, ListKind kind) {
    const GridView<D> g = grid.view();
    const auto lists = static_cast<index_t>(grid.count);
    if (!search(exec, filler.search, g, grid, kind, guess(lists))) return by_pairs_.enqueue(exec, filler, grid, list, kind);
    reserve_all(exec, Need{list.offsets, lists + 1}, Need{list.found, 1});
    list.lists = lists;
    list.size = 0;
    list.has_images = g.periodic;
    const offset_t entries = buckets_.entries();
    bool fits = entries <= list.room(g.periodic);
    *list.found.data() = entries;
    if (fits) {
      fits = buckets_.has_all();
      if (fits) buckets_.settle(), fits = sort_.has_room(exec, buckets_) && (!g.has_wraps() || wraps_.size() >= lists);
      if (!fits) *list.found.data() = -1;
    }
    if (fits) {
      sort(exec, g, list);
    } else {
      std::fill_n(list.offsets.data(), lists + 1, 0);
    }
  }

  std::size_t bytes() const { return buckets_.bytes() + sort_.bytes() + wraps_.bytes() + by_pairs_.bytes(); }

 private:
  // Some eight a particle, or as many as there were.
  offset_t guess(index_t lists) const { return buckets_.entries() > 0 ? buckets_.entries() : offset_t{8} * lists; }

  // False if some image has no code.
  bool search(const HostExec& exec, HostSearch<D>& search, GridView<D> g, const GridState<HostExec, D>& grid, ListKind kind,
              offset_t room) {
    buckets_.begin(exec, static_cast<index_t>(grid.count), room);
    g.wraps = nullptr;
    std::atomic<bool> no_code{false};
    search.entries(exec, g, grid.slots, kind, [&](offset_t worker) { return ListBuckets::Writer(buckets_, worker); }, no_code);
    return !no_code;
  }

  void sort(const HostExec& exec, const GridView<D>& g, NeighbourArrays<HostExec>& list) {
    const index_t lists = buckets_.lists();
    if (g.has_wraps()) {
      Image* const wraps = wraps_.data();
      exec.for_each("hgrid::wraps_of_ids", g.slots(), [&](offset_t slot) { wraps[g.id[slot]] = g.wraps[slot]; });
    }
    list.offsets.data()[lists] = buckets_.entries();
    sort_.run(exec, buckets_, {list.offsets.data(), {list.entries.data(), g.periodic ? list.images.data() : nullptr}},
              g.has_wraps() ? wraps_.data() : nullptr);
    list.has_images = g.periodic;
  }

  ListBuckets buckets_;
  SortBuckets sort_;
  HostBuffer<Image> wraps_;  // of ids
  ListsOfPairs<HostExec> by_pairs_;  // of boxes whose images have no codes
};

}  // namespace hgrid::inline v0_1::detail
