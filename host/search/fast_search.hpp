// SPDX-License-Identifier: BSD-3-Clause
// The fast schedule for hosts: the same geometry and predicate as core/search.hpp in two phases. For a block of
// slots and a target level, first collect the runs of candidates into a list that stays in the first-level cache,
// then test all of them with vector instructions. Workers take one item of work after the other.
#pragma once

#include <atomic>

#include "hgrid/host/search/run_kernels.hpp"
#include "hgrid/host/search/work_items.hpp"

namespace hgrid {

inline constexpr index_t runs_per_batch = 1024;
inline constexpr index_t candidates_per_batch = 4096;
inline constexpr index_t shifts_per_batch = 32;
inline constexpr unsigned hints = 16;

/// Collects runs, tests them when enough are there, and hands the hits to the sink as
/// sink.take(runs, shifts, hit_run, hit_slot, hits). Lives on its worker's stack, some 64 KiB.
template <int D, class Sink>
class RunBatch {
 public:
  RunBatch(const GridView<D>& grid, Sink& sink) : g_(grid), sink_(sink) { shift_[0] = {}; }

  /// Adds the candidates [begin, end) of slot p; an empty run is fine.
  void add(index_t p, index_t begin, index_t end) { push(p, begin, end, 0); }

  void add(index_t p, index_t begin, index_t end, const Shift<D>& shift) {
    if (begin < end) push(p, begin, end, number_of(shift));
  }

  void flush() {
    const index_t hits = test_runs(g_, run_, runs_, shifts_ > 1 ? shift_ : nullptr, hit_run_, hit_slot_);
    sink_.take(run_, shift_, hit_run_, hit_slot_, hits);
    runs_ = candidates_ = 0;
    shifts_ = 1;
  }

 private:
  void push(index_t p, index_t begin, index_t end, std::int32_t shift) {
    const index_t length = end > begin ? end - begin : 0;
    if (candidates_ + length > candidates_per_batch || runs_ == runs_per_batch) {
      push_in_pieces(p, begin, end, shift);
      return;
    }
    run_[runs_] = {p, begin, end, shift};
    runs_ += length > 0;  // without a branch: whether a run is empty is hard to predict
    candidates_ += length;
  }

  void push_in_pieces(index_t p, index_t begin, index_t end, std::int32_t shift) {
    const Shift<D> kept = shift_[shift];
    while (begin < end) {
      flush();
      const index_t length = end - begin < candidates_per_batch ? end - begin : candidates_per_batch;
      push(p, begin, begin + length, shift == 0 ? 0 : number_of(kept));
      begin += length;
    }
  }

  // The number under which runs of this batch refer to a shift; 0 is no shift.
  std::int32_t number_of(const Shift<D>& shift) {
    for (std::int32_t s = 0; s < shifts_; ++s) {
      bool same = true;
      for (int k = 0; k < D; ++k) same = same && shift_[s].m[k] == shift.m[k];
      if (same) return s;
    }
    if (shifts_ == shifts_per_batch) flush();
    shift_[shifts_] = shift;
    return shifts_++;
  }

  const GridView<D>& g_;
  Sink& sink_;
  index_t runs_ = 0, candidates_ = 0;
  std::int32_t shifts_ = 1;
  Shift<D> shift_[shifts_per_batch];
  Run run_[runs_per_batch];
  index_t hit_run_[candidates_per_batch + slot_padding];
  index_t hit_slot_[candidates_per_batch + slot_padding];
};

/// Phase one for slots [first, last) of level `own` and one target level.
template <Visit visit, int D, class Batch>
void collect_runs(const GridView<D>& g, int own, int target, index_t first, index_t last, SearchRanges<D>& ranges,
                  Batch& batch) {
  const index_t level_begin = g.level_begin[target], level_end = g.level_begin[target + 1];
  if (level_begin == level_end) return;
  const bool once = visit == Visit::once && own == target;
  const bool ascending = once && g.keys == KeyOrder::row_major;  // later slots are in no earlier layer or row
  find_ranges(g, target, ascending, first, last - first, ranges);
  index_t hint[hints] = {};  // consecutive slots look up neighbouring rows, so each finds its rows near the last's
  for (index_t p = first; p < last; ++p) {
    const index_t i = p - first;
    if (ranges.crosses[i]) {  // the few particles near a periodic face
      for_each_run<visit>(g, p, own, target,
                          [&](index_t b, index_t e, const Shift<D>& shift) { batch.add(p, b, e, shift); });
      continue;
    }
    const index_t from = once ? p + 1 : level_begin;
    const auto add = [&](index_t begin, index_t end) { batch.add(p, begin < from ? from : begin, end); };
    CellRange<D> range;
    for (int k = 0; k < D; ++k) range.first[k] = ranges.low[k][i], range.last[k] = ranges.high[k][i];
    if (g.look_ups(range) > level_end - level_begin) {
      add(level_begin, level_end);
      continue;
    }
    Vec<index_t, D> row = range.first;
    if (ascending) row[1] = ranges.own[i];
    for (unsigned number = 0;; ++number) {
      g.for_each_run(target, row, range.last[0], hint[number % hints], add);
      if (++row[1] <= range.last[1]) continue;
      row[1] = range.first[1];
      if (D == 2 || ++row[D - 1] > range.last[D - 1]) break;
    }
  }
}

/// Both phases for one item.
template <Visit visit, int D, class Batch>
void search_item(const GridView<D>& g, const WorkItem& item, SearchRanges<D>& ranges, Batch& batch) {
  const int begin = item.target < 0 ? 0 : item.target, end = item.target < 0 ? g.level_count : item.target + 1;
  for (int target = begin; target < end; ++target) {
    collect_runs<visit>(g, item.own, target, item.first, item.last, ranges, batch);
  }
  batch.flush();
}

/// Searches all items on the executor's workers. `make_sink(worker)` gives each worker its sink, told of each item
/// by begin(item) and end(item) and of the last by finish().
template <Visit visit, class Exec, int D, class MakeSink>
void fast_search(const Exec& exec, const GridView<D>& g, const WorkItems<D>& items, const MakeSink& make_sink) {
  std::atomic<offset_t> next{0};
  exec.for_each_worker("hgrid::fast_search", items.size() / 4 + 1, [&](offset_t worker) {
    auto sink = make_sink(worker);
    SearchRanges<D> ranges;
    RunBatch<D, decltype(sink)> batch(g, sink);
    for (offset_t item; (item = next.fetch_add(1, std::memory_order_relaxed)) < items.size();) {
      sink.begin(item);
      search_item<visit>(g, items[item], ranges, batch);
      sink.end(item);
    }
    sink.finish();
  });
}

}  // namespace hgrid
