// SPDX-License-Identifier: BSD-3-Clause
// The SIMD path on hosts: workers take items of work one by one, and pass the hits to a sink.
#pragma once

#include <algorithm>
#include <atomic>

#include "hgrid/core/two_grids.hpp"
#include "hgrid/options.hpp"
#include "hgrid/plan/planning.hpp"
#include "hgrid/threads/host_exec.hpp"
#include "host/search/hit_sink.hpp"
#include "host/search/work_items.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns whether a search tests all pairs in the order of slots: few are in one cell, which only image 0 reaches.
template <int D>
bool tests_all_pairs(const GridView<D>& g) {
  return g.table.cells == 1 && g.slots() <= most_in_one_cell && !g.periodic && !g.has_worlds();
}

/// The items of a search; items from `next` on have no worker yet.
template <int D>
struct ItemsLeft {
  const WorkItems<D>& items;
  const Watch& watch;
  std::atomic<offset_t> next{0};
};

/// Searches items until none is left, for one worker: in OneGrid or, with Visit::all, in TwoGrids. Compiled once for all sinks,
/// in fast_search.cpp. Throws `stopped` if the watch says so.
template <Visit visit, int D, class Grids>
void search_items(const Grids& grids, const Filter<D>& filter, ItemsLeft<D>& left, offset_t worker, HitSink<D>& sink);

/// Returns how many threads search these items.
template <int D>
offset_t workers_of(const HostExec& exec, const WorkItems<D>& items) {
  return std::min<offset_t>(exec.concurrency(), exec.useful_threads(items.size(), 128));
}

/// Searches all items on the executor's workers. `make_sink(worker)` makes a sink for each worker, whose finish() is called
/// last. Throws the errors of `search_items`.
template <Visit visit, int D, class Grids, class MakeSink>
void fast_search(const HostExec& exec, const Grids& grids, const Filter<D>& filter, const WorkItems<D>& items,
                 const Watch& watch, const MakeSink& make_sink) {
  ItemsLeft<D> left{items, watch};
  exec.for_each_worker("hgrid::fast_search", workers_of(exec, items), [&](offset_t worker) {
    auto sink = make_sink(worker);
    search_items<visit>(grids, filter, left, worker, sink);
    sink.finish();
  });
}

}  // namespace hgrid::inline v0_2::detail
