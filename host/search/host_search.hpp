// SPDX-License-Identifier: BSD-3-Clause
// The schedules of the host engine behind one interface: the SIMD path by default, the scalar path on request.
#pragma once

#include "hgrid/cells/stages.hpp"
#include "hgrid/find/plain_search.hpp"
#include "host/search/entry_sink.hpp"
#include "host/search/fast_search.hpp"
#include "host/search/list_sink.hpp"
#include "host/search/sinks.hpp"
#include "host/search/sinks_of_two.hpp"

namespace hgrid::inline v0_2::detail {

/// Has the interface of PlainSearch; functors get batches of contacts.
template <int D>
class HostSearch {
  static constexpr offset_t plain_work = 16;  // of a slot, in items of `parts_of`

 public:
  void use(Schedule schedule) { schedule_ = schedule; }
  /// Sets the columns of a build. They also set the length of runs, and with it the order of contacts, which stay when the
  /// columns are gone.
  void use(const FilterColumns<D>& columns) { filter_ = {columns, std::max(4, candidates_at_once(!columns.empty()))}; }
  void lose_columns() { filter_.columns = {}; }
  void watch(const Watch& watch) { watch_ = watch; }
  const Watch& watch() const { return watch_; }
  Schedule schedule() const { return schedule_; }

  offset_t count(const HostExec& exec, const GridView<D>& g, offset_t slots) {
    watch_.ask();
    if (schedule_ == Schedule::plain) return plain_.count(exec, g, slots);
    std::atomic<offset_t> total{0};
    fast_search<Visit::once>(exec, OneGrid<D>(g), filter_, WorkItems<D>(g, Visit::once), watch_,
                             [&](offset_t) { return CountSink<D>(g, total); });
    return total;
  }

  /// Lists contacts in one pass. Contacts that do not fit are counted, not written.
  offset_t list(const HostExec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images, offset_t capacity) {
    watch_.ask();
    if (schedule_ == Schedule::plain) return plain_.list(exec, g, slots, pairs, images, capacity);
    if (capacity == 0) return count(exec, g, slots);
    if (tests_all_pairs(g) && is_plain(g)) return list_few(g, pairs, capacity);
    const WorkItems<D> items(g, Visit::once);
    const offset_t workers = workers_of(exec, items);
    const index_t pending = pairs_pending(slots, std::max<offset_t>(workers, 1));
    scratch_.reserve(exec, pending * workers, items.size(), images != nullptr);
    offset_t* counts = scratch_.counts.data();
    exec.for_each("hgrid::clear_counts", items.size(), Fill<offset_t>{counts, -1});
    const OrderedList list{pairs, images, capacity, counts, items.size(), pending};
    fast_search<Visit::once>(exec, OneGrid<D>(g), filter_, items, watch_, [&](offset_t worker) {
      const offset_t at = worker * pending;
      return ListSink<D>(g, list, watch_, scratch_.pairs.data() + at,
                         images == nullptr ? nullptr : scratch_.images.data() + at);
    });
    offset_t total = 0;
    for (offset_t item = 0; item < items.size(); ++item) total += counts[item];
    return total;
  }

  void enqueue(const HostExec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images, offset_t capacity,
               offset_t* found) {
    *found = list(exec, g, slots, pairs, images, capacity);
  }

  /// Passes the entries of lists on, to a writer for each worker (EntrySink).
  template <class MakeWriter>
  void entries(const HostExec& exec, const OneGrid<D>& grids, ListKind kind, const MakeWriter& make_writer,
               std::atomic<bool>& no_code) {
    const GridView<D>& g = grids.asked;
    search_once(
        exec, g, g.slots(), [](offset_t) {}, [&](offset_t worker) { return EntrySink(g, kind, make_writer(worker), no_code); });
  }
  /// Passes on the entries of lists between two grids (EntrySinkOfTwo).
  template <class MakeWriter>
  void entries(const HostExec& exec, const AskedBy<D>& grids, ListKind, const MakeWriter& make_writer,
               std::atomic<bool>& no_code) {
    search_for(exec, grids, [&](offset_t worker) { return EntrySinkOfTwo(grids, make_writer(worker), no_code); });
  }

  /// Finds the contacts between two grids, with a sink for each worker.
  template <class MakeSink>
  void search_for(const HostExec& exec, const AskedBy<D>& grids, const MakeSink& make_sink) {
    watch_.ask();
    if (schedule_ == Schedule::fast) {
      const WorkItems<D> items(grids.asking, grids.asked, Visit::all);
      Filter<D> filter = filter_;
      if (!grids.columns) filter.columns = {};
      filter.columns.extent += 0x1p-24 * farthest_shift(grids.asked);
      return fast_search<Visit::all, D, TwoGrids<D>>(exec, grids, filter, items, watch_, make_sink);
    }
    const offset_t slots = grids.asking.slots(), parts = exec.parts_of(plain_work * slots);
    exec.for_each_worker("hgrid::plain_search", parts, [&](offset_t part) {
      auto sink = make_sink(part);
      take_plainly(slots, part, parts, sink, [&](index_t p, Partner take) { grids.for_each_partner(p, take); });
      sink.finish();
    });
  }

  /// Finds each contact once, with a sink for each worker. Calls `begin(n)` first, with the number of items.
  template <class Begin, class MakeSink>
  void search_once(const HostExec& exec, const GridView<D>& g, offset_t slots, const Begin& begin, const MakeSink& make_sink) {
    watch_.ask();
    if (schedule_ == Schedule::fast) {
      const WorkItems<D> items(g, Visit::once);
      begin(items.size());
      return fast_search<Visit::once>(exec, OneGrid<D>(g), filter_, items, watch_, make_sink);
    }
    const offset_t parts = exec.parts_of(plain_work * slots);
    begin(parts);
    exec.for_each_worker("hgrid::plain_search", parts, [&](offset_t part) {
      auto sink = make_sink(part);
      sink.begin(part);
      take_plainly(slots, part, parts, sink, [&](index_t p, Partner take) { for_each_partner_slot<Visit::once>(g, p, take); });
      sink.end(part);
      sink.finish();
    });
  }

  /// Passes each contact on once, or with Visit::all the partners of every particle i.
  template <Visit visit>
  void visit_batches(const HostExec& exec, const GridView<D>& g, offset_t slots, ContactBatch batch) const {
    watch_.ask();
    if (schedule_ == Schedule::fast) {
      return fast_search<visit>(exec, OneGrid<D>(g), filter_, WorkItems<D>(g, visit), watch_,
                                [&](offset_t) { return BatchSink<D, visit>(g, batch); });
    }
    const auto one = [&](index_t i, index_t j, const Image& image) {
      const Contact contact{i, j, image};
      batch(&contact, 1);
    };
    if constexpr (visit == Visit::once) {
      plain_.contacts(exec, g, slots, one);
    } else {
      plain_.partners(exec, g, slots, one);
    }
  }

  std::size_t bytes() const { return plain_.bytes() + scratch_.bytes(); }

 private:
  // Lists the contacts of few slots, in the order of a search.
  static offset_t list_few(const GridView<D>& g, Pair* pairs, offset_t capacity) {
    RunList runs;
    HitList hits;
    for (const index_t n = g.slots(); runs.count + 1 < n; ++runs.count) {
      const index_t p = runs.count;
      runs.p[p] = p, runs.begin[p] = p + 1, runs.length[p] = n - p - 1;
    }
    test_runs<D>(g, g, nullptr, runs, 0, nullptr, g.id, hits);
    if (g.is_selective()) drop_unreported(g.pair_filter, hits, false);
    write_pairs(hits, 0, static_cast<index_t>(std::min<offset_t>(hits.count, capacity)), pairs);
    return hits.count;
  }

  using Partner = FunctionRef<void(index_t, const Shift<D>&)>;  // so one search serves all sinks

  // Passes the partners of a part of the slots to a sink.
  template <class Sink, class ForEachPartner>
  static void take_plainly(offset_t slots, offset_t part, offset_t parts, Sink& sink, const ForEachPartner& for_each_partner) {
    index_t p;
    const auto take = [&](index_t q, const Shift<D>& shift) { sink.take(p, q, shift); };
    for (offset_t slot = slots * part / parts; slot < slots * (part + 1) / parts; ++slot) {
      for_each_partner(p = static_cast<index_t>(slot), Partner(take));
    }
  }

  // Returns a bound of the shifts of images in the box of any world.
  static double farthest_shift(const GridView<D>& g) {
    double farthest = 0;
    for (index_t w = 0; w < (g.has_worlds() && g.world_box_step > 0 ? g.worlds : 1); ++w) {
      for (int k = 0; k < D; ++k) farthest = std::max(farthest, shift_scale(g.box_of(w), k));
    }
    return farthest;
  }

  Schedule schedule_ = Schedule::fast;
  Filter<D> filter_;
  Watch watch_;
  PlainSearch<HostExec, D> plain_;
  ListScratch scratch_;
};

}  // namespace hgrid::inline v0_2::detail
