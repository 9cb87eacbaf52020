// SPDX-License-Identifier: BSD-3-Clause
// The runs of candidates that a worker has collected, which are tested together.
#pragma once

#include <algorithm>

#include "hgrid/core/near_runs.hpp"
#include "host/search/hit_sink.hpp"

namespace hgrid::inline v0_2::detail {

/// Collects runs, tests them when there are enough, and passes the hits to the sink. Lives on its worker's stack, some 32 KiB.
template <int D>
class RunBatch {
 public:
  /// Slots p are of `asking`, which is the grid itself or another one.
  RunBatch(const GridView<D>& asking, const GridView<D>& grid, const Filter<D>& filter, HitSink<D>& sink)
      : asking_(asking), g_(grid), filter_(filter), sink_(sink) {
    shift_[0] = {}, image_[0] = {};
    runs_.cut = filter.cut;
  }

  /// Announces that the pairs of later runs are listed at no more than this distance. The batch must be empty.
  void expect(double distance) {
    if (!filter_.columns.empty()) filter_.margin = filter_.columns.margin(distance);
  }

  /// Adds the candidates [begin, end) of slot p, under a shift unless it is null. The run may be empty.
  void add(index_t p, index_t begin, index_t end, const Shift<D>* shift) {
    if (shift == nullptr) return push(p, begin, end, 0);
    if (begin < end) push(p, begin, end, number_of(p, *shift));
  }

  /// Adds one row of a batch of slots. Under a shift, they must all be of one world.
  void add_row(const SlotBatch& slots, SearchRanges<D>& ranges, RowNumber row, const Shift<D>* shift) {
    if (shift == nullptr && shifts_ > 1) flush();
    for (index_t i = 0;;) {
      const std::int32_t number = shift == nullptr ? 0 : number_of(slots.slot[0], *shift);
      const index_t before = runs_.count;
      i = collect_row(g_, slots, ranges, row, i, runs_);
      if (number != 0 || asks_another()) std::fill(runs_.shift + before, runs_.shift + runs_.count, number);
      if (i == slots.count) return;
      flush();
    }
  }

  void flush() {
    if (g_.boxes.heights > 0) {
      RunList near;
      test_long_runs(asking_, g_, runs_, is_shifted() ? shift_ : nullptr, near, [&] { test(near); });
    }
    test(runs_);
    runs_.count = 0;
    shifts_ = 1;
  }

 private:
  void test(RunList& runs) {
    for (index_t next = 0; next < runs.count;) {
      const index_t first = next;
      const bool filtered = !filter_.columns.empty() && doubts_ == 0;
      next = test_runs(asking_, g_, filtered ? &filter_ : nullptr, runs, next, is_shifted() ? shift_ : nullptr, sink_.names(),
                       hits_);
      if (doubts_ > 0) --doubts_;
      if (filtered && hits_.asked > 8 + (next - first) / 8) doubts_ = 64;
      sink_.take(hits_, shift_, image_, is_shifted());
    }
  }

  bool asks_another() const { return &asking_ != &g_; }
  bool is_shifted() const { return shifts_ > 1 || asks_another(); }

  void push(index_t p, index_t begin, index_t end, std::int32_t shift) {
    if (runs_.count == runs_per_batch) {
      const Shift<D> kept = shift_[shift];
      flush();
      if (shift != 0) shift = number_of(p, kept);
    }
    const index_t k = runs_.count;
    runs_.p[k] = p, runs_.begin[k] = begin, runs_.length[k] = end - begin, runs_.shift[k] = shift;
    runs_.count += begin < end;  // without a branch: whether a run is empty is hard to predict
  }

  // Returns the number of a shift of slot p in this batch; 0 is no shift. Worlds may have boxes of their own, so any two of the
  // three values may be equal and the third differ.
  std::int32_t number_of(index_t p, const Shift<D>& shift) {
    const Image image = image_of(g_.box_of(asking_.world_of(p)), shift);
    for (std::int32_t s = 0; s < shifts_; ++s) {
      if (shift.m == shift_[s].m && shift.by == shift_[s].by && image == image_[s]) return s;
    }
    if (shifts_ == 1 || shifts_ == shifts_per_batch) flush();  // runs without a shift are tested faster
    shift_[shifts_] = shift, image_[shifts_] = image;
    return shifts_++;
  }

  const GridView<D>&asking_, &g_;
  Filter<D> filter_;
  HitSink<D>& sink_;
  int doubts_ = 0;  // batches to test without the filter, after it has left too many candidates to the predicate: in a lattice
                    // whose particles just touch it decides next to nothing
  std::int32_t shifts_ = 1;
  Shift<D> shift_[shifts_per_batch];
  Image image_[shifts_per_batch];
  RunList runs_;
  HitList hits_;
};

}  // namespace hgrid::inline v0_2::detail
