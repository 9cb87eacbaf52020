// SPDX-License-Identifier: BSD-3-Clause
// The buckets of a compacted table: as many particles each, as far as a sample of them tells, for their cells may lie anywhere
// among any number. A bucket is sorted by the digits of its keys inside the cache, in the memory of its slots, and writes its
// segments where there is room for as many as it has slots; in the end they move together.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "hgrid/plan.hpp"
#include "host/sort/partition.hpp"

namespace hgrid::inline v0_1::detail {

template <int D, class CellKey>
class CompactedBuckets {
 public:
  using Key = CellKey;

  offset_t count = 1;  ///< of buckets, a power of two

  /// For n particles under a plan.
  void set(const HostExec& exec, offset_t n, const Plan<D>& plan) {
    cells_ = plan.levels.cells;
    const offset_t wanted = std::min({n / wanted_records, n / (least_records * exec.parts_of(n)), most_buckets});
    count = static_cast<offset_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<offset_t>(1, wanted))));
  }
  void reserve(const HostExec& exec) {
    if (count > first_key_.size()) chosen_ = 0;
    reserve_all(exec, Need{first_key_, count}, Need{sample_, sampled_each * count}, Need{segments_, count});
  }
  bool has_room() const { return segments_.size() >= count; }
  std::size_t bytes() const { return first_key_.bytes() + sample_.bytes() + segments_.bytes(); }

  /// Draws the bounds of buckets from the particles, which need not be good ones.
  template <class Real>
  void choose(const InspectOnHost<Real, D>& inspect, const GridView<D>& grid) {
    const offset_t n = inspect.particles.count;
    chosen_ = count;
    const offset_t wanted = std::min(n, sampled_each * count);
    offset_t sampled = 0;
    for (offset_t s = 0; s < wanted && count > 1; ++s) {
      const offset_t i = n * s / wanted;
      InputSummary<D> found = InputSummary<D>::identity();
      inspect(i, found);
      if (found.used == 0) continue;
      int level;
      sample_.data()[sampled++] = static_cast<Key>(key_of(grid, stored(inspect.particles, inspect.boxes, i), level));
    }
    std::sort(sample_.data(), sample_.data() + sampled);
    for (offset_t b = 0; b < count; ++b) {  // whole segments
      const Key key = b == 0 || sampled == 0 ? 0 : sample_.data()[sampled * b / count];
      first_key_.data()[b] = static_cast<Key>(key - key % Segment::cells);
    }
  }

  /// Whether the bounds still do that were drawn for an earlier build, under the same plan; `records` are of the last.
  template <class Records>
  bool stand(const Records& records) const {
    if (chosen_ != count || !records.filled()) return false;
    index_t most = 0;
    for (offset_t b = 0; b < count; ++b) most = std::max(most, records.starts()[b + 1] - records.starts()[b]);
    return most <= 8 * (records.starts()[count] / count + 1);
  }

  /// The bucket of each of some keys, which are searched for side by side, so that none waits for another's steps.
  void find(const Key* key, index_t n, index_t* bucket) const {
    const Key* const first = first_key_.data();
    std::fill_n(bucket, n, 0);
    for (auto step = static_cast<index_t>(count / 2); step > 0; step /= 2) {
      for (index_t j = 0; j < n; ++j) bucket[j] += first[bucket[j] + step] <= key[j] ? step : 0;
    }
  }

  /// Sorts a bucket into its slots and segments.
  template <class Records>
  void sort(const Records& records, offset_t bucket, const SlotArrays<D>& out) {
    const index_t begin = records.starts()[bucket], n = records.starts()[bucket + 1] - begin;
    const Key low = first_key_.data()[bucket];
    Word* const key = sorted_keys(records, bucket, low, out);  // which a slot that is written overwrites, as the next
    const Place* const place = reinterpret_cast<const Place*>(out.id + begin);
    index_t segments = 0, cell = begin;
    Segment here{};
    for (index_t s = 0; s < n; ++s) {
      const cell_key_t k = low + key[s];
      const auto& r = records.record(place[s]);
      if (s == 0 || here.number != k / Segment::cells) {
        here = {k / Segment::cells, 0};
        out.segment_first[begin + segments++] = cell = begin + s;
      }
      const std::uint64_t bit = std::uint64_t{1} << (k % Segment::cells);
      if ((here.occupied & bit) == 0) out.cell_begin[cell++] = begin + s;
      here.occupied |= bit;
      out.segment[begin + segments - 1] = here;
      put_slot(out, begin + s, r);
    }
    segments_.data()[bucket] = segments;
  }

  /// After all buckets: moves their segments together, closes the table, and finds where levels begin.
  template <class Records>
  void close(const Records& records, const Plan<D>& plan, const GridView<D>& grid, const SlotArrays<D>& out) const {
    index_t sum = 0;
    for (offset_t b = 0; b < count; sum += segments_.data()[b++]) {
      const index_t from = records.starts()[b];
      if (from == sum) continue;
      std::copy_n(out.segment + from, segments_.data()[b], out.segment + sum);
      std::copy_n(out.segment_first + from, segments_.data()[b], out.segment_first + sum);
    }
    out.segment[sum] = {~cell_key_t{0}, 0};
    out.segment_first[sum] = records.starts()[count];
    *out.segments = sum;
    index_t hint = 0;
    for (int h = 0; h < plan.levels.count; ++h) {
      const cell_key_t first = plan.levels.level[h].first_cell;
      out.level_begin[h] = grid.run_of_keys(first, first, hint).begin;
    }
  }

 private:
  using Word = std::uint64_t __attribute__((may_alias));
  using Place = std::uint32_t __attribute__((may_alias));

  static constexpr offset_t wanted_records = 1024;  // of a bucket
  static constexpr offset_t most_buckets = 1024;    // as many as can be written to at once
  static constexpr offset_t sampled_each = 8;       // particles
  static constexpr int least_digit_bits = 4, most_digit_bits = 11;

  // The keys of a bucket, less `low`, in order, in the place of x[0]; in that of `id` where their records are. Each pass
  // sorts by one digit, from these places to others or back, so that the last ends here.
  template <class Records>
  Word* sorted_keys(const Records& records, offset_t bucket, Key low, const SlotArrays<D>& out) const {
    const index_t begin = records.starts()[bucket], n = records.starts()[bucket + 1] - begin;
    Word* const key[2] = {reinterpret_cast<Word*>(out.x[0] + begin), reinterpret_cast<Word*>(out.x[1] + begin)};
    Place* const place[2] = {reinterpret_cast<Place*>(out.id + begin), reinterpret_cast<Place*>(out.radius + begin)};
    const Key behind = bucket + 1 < count ? first_key_.data()[bucket + 1] : static_cast<Key>(cells_);
    const int bits = static_cast<int>(std::bit_width(static_cast<cell_key_t>(behind - low)));
    const int most =
        std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint32_t>(n))), least_digit_bits, most_digit_bits);
    const int passes = (bits + most - 1) / most, width = passes == 0 ? 0 : (bits + passes - 1) / passes;
    const cell_key_t mask = (cell_key_t{1} << width) - 1;
    index_t k = 0;
    records.for_each_in(bucket, [&](const auto& r) {
      key[passes % 2][k] = r.key - low;
      place[passes % 2][k++] = records.place(r);
    });
    for (int pass = 0; pass < passes; ++pass) {
      const int from = (passes - pass) % 2, to = 1 - from, shift = pass * width;
      std::array<index_t, 1 << most_digit_bits> next;
      std::fill_n(next.data(), mask + 1, 0);
      for (index_t s = 0; s < n; ++s) ++next[key[from][s] >> shift & mask];
      index_t sum = 0;
      for (cell_key_t d = 0; d <= mask; ++d) sum += std::exchange(next[d], sum);
      for (index_t s = 0; s < n; ++s) {
        const index_t at = next[key[from][s] >> shift & mask]++;
        key[to][at] = key[from][s], place[to][at] = place[from][s];
      }
    }
    return key[0];
  }

  HostBuffer<Key> first_key_;  // of each bucket, ascending; 0 the first
  HostBuffer<Key> sample_;
  HostBuffer<index_t> segments_;  // of each bucket
  cell_key_t cells_ = 0;
  offset_t chosen_ = 0;  // bounds
};

}  // namespace hgrid::inline v0_1::detail
