// SPDX-License-Identifier: BSD-3-Clause
// The fast schedule for hosts: workers take one item of work after the other, and hand the hits to a sink.
#pragma once

#include <algorithm>
#include <atomic>

#include "hgrid/core/two_grids.hpp"
#include "hgrid/options.hpp"
#include "hgrid/threads/host_exec.hpp"
#include "host/search/hit_sink.hpp"
#include "host/search/work_items.hpp"

namespace hgrid::inline v0_2::detail {

/// The items of a search, from `next` on without a worker.
template <int D>
struct ItemsLeft {
  const WorkItems<D>& items;
  const Watch& watch;
  std::atomic<offset_t> next{0};
};

/// Searches items until none is left, for one worker: in OneGrid or, with Visit::all, in TwoGrids. It is compiled once for all
/// sinks, in fast_search.cpp. Throws `stopped` if the watch says so.
template <Visit visit, int D, class Grids>
void search_items(const Grids& grids, const Filter<D>& filter, ItemsLeft<D>& left, offset_t worker, HitSink<D>& sink);

/// Returns how many threads search these items.
template <int D>
offset_t workers_of(const HostExec& exec, const WorkItems<D>& items) {
  return std::min<offset_t>(exec.concurrency(), exec.useful_threads(items.size(), 128));
}

/// Searches all items on the executor's workers. `make_sink(worker)` gives each worker its sink, whose finish() comes last.
/// Throws what `search_items` throws.
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
