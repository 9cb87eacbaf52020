// SPDX-License-Identifier: BSD-3-Clause
// The schedules of host executors behind one door: fast by default, plain on request.
#pragma once

#include "hgrid/build/plain_search.hpp"
#include "hgrid/build/stages.hpp"
#include "hgrid/host/search/fast_search.hpp"
#include "hgrid/host/search/sinks.hpp"

namespace hgrid {

/// The interface of PlainSearch, for executors whose memory the host can read.
template <class Exec, int D>
class HostSearch {
 public:
  void use(Schedule schedule) { schedule_ = schedule; }

  offset_t count(const Exec& exec, const GridView<D>& g, offset_t slots) {
    if (schedule_ == Schedule::plain) return plain_.count(exec, g, slots);
    std::atomic<offset_t> total{0};
    fast_search<Visit::once>(exec, g, WorkItems<D>(g, Visit::once),
                             [&](offset_t) { return CountSink<D>(g, total); });
    return total;
  }

  /// One pass: what does not fit is counted, not written.
  offset_t list(const Exec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images,
                offset_t capacity) {
    if (schedule_ == Schedule::plain) return plain_.list(exec, g, slots, pairs, images, capacity);
    if (capacity == 0) return count(exec, g, slots);
    const WorkItems<D> items(g, Visit::once);
    scratch_.reserve(exec, exec.concurrency(), items.size(), images != nullptr);
    offset_t* counts = scratch_.counts.data();
    exec.for_each("hgrid::clear_counts", items.size(), Fill<offset_t>{counts, -1});
    const OrderedList list{pairs, images, capacity, counts, items.size()};
    fast_search<Visit::once>(exec, g, items, [&](offset_t worker) {
      const offset_t at = worker * pairs_pending;
      return ListSink<D>(g, list, scratch_.pairs.data() + at, images == nullptr ? nullptr : scratch_.images.data() + at);
    });
    offset_t total = 0;
    for (offset_t item = 0; item < items.size(); ++item) total += counts[item];
    return total;
  }

  void enqueue(const Exec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images, offset_t capacity,
               offset_t* found) {
    *found = list(exec, g, slots, pairs, images, capacity);
  }

  template <class F>
  void contacts(const Exec& exec, const GridView<D>& g, offset_t slots, const F& f) const {
    if (schedule_ == Schedule::plain) return plain_.contacts(exec, g, slots, f);
    const auto report = [&](index_t p, index_t q, const Shift<D>& shift) { report_contact(g, p, q, shift, f); };
    fast_search<Visit::once>(exec, g, WorkItems<D>(g, Visit::once),
                             [&](offset_t) { return FunctorSink<D, decltype(report)>(g, report); });
  }

  template <class F>
  void partners(const Exec& exec, const GridView<D>& g, offset_t slots, const F& f) const {
    if (schedule_ == Schedule::plain) return plain_.partners(exec, g, slots, f);
    const auto report = [&](index_t p, index_t q, const Shift<D>& shift) {
      f(g.id[p], g.id[q], user_image(g, p, q, shift));
    };
    fast_search<Visit::all>(exec, g, WorkItems<D>(g, Visit::all),
                            [&](offset_t) { return FunctorSink<D, decltype(report)>(g, report); });
  }

  std::size_t bytes() const { return plain_.bytes() + scratch_.bytes(); }

 private:
  Schedule schedule_ = Schedule::fast;
  PlainSearch<Exec, D> plain_;
  ListScratch scratch_;
};

}  // namespace hgrid
