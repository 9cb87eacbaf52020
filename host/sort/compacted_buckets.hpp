// SPDX-License-Identifier: BSD-3-Clause
// The buckets of a compacted table. They have about equal numbers of particles, judged by a sample, because their cells may be
// scattered among any number of cells. The part of all keys that a key lies in gives its bucket, or nearly. A bucket is sorted
// by the digits of its keys inside the cache, in the memory of its slots, and writes its segments where there is room for one
// per slot; at the end the segments are moved together.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "hgrid/plan.hpp"
#include "host/sort/crowded_cells.hpp"
#include "host/sort/partition.hpp"
#include "host/sort/sort_words.hpp"

namespace hgrid::inline v0_2::detail {

template <int D, class CellKey>
class CompactedBuckets {
 public:
  using Key = CellKey;

  offset_t count = 1;  ///< of buckets, a power of two

  /// Sets the number of buckets for n particles under a plan.
  void set(const HostExec& exec, offset_t n, const Plan<D>& plan) {
    cells_ = plan.levels.cells;
    const offset_t wanted = std::min({n / wanted_records, n / (least_records * exec.parts_of(n)), most_buckets});
    count = static_cast<offset_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<offset_t>(1, wanted))));
  }
  void reserve(const HostExec& exec) {
    if (!has_room()) chosen_ = 0;
    reserve_all(exec, Need{first_key_, 2 * count}, Need{sample_, sampled_each * count}, Need{segments_, count},
                Need{first_of_part_, parts_each * count + 1});
  }
  bool has_room() const { return segments_.size() >= count && first_of_part_.size() > parts_each * count; }
  std::size_t bytes() const { return first_key_.bytes() + sample_.bytes() + segments_.bytes() + first_of_part_.bytes(); }

  /// Draws the bounds of buckets from the particles, some of which may be bad.
  template <class Real>
  void choose(const InspectOnHost<Real, D>& inspect, const GridView<D>& grid) {
    const offset_t n = inspect.particles.count;
    chosen_ = count, chosen_for_ = cells_;
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
    find_parts();
  }

  /// Returns whether the bounds drawn for an earlier build under this plan still serve; `records` are of the last build.
  template <class Records>
  bool stand(const Records& records) const {
    if (chosen_ != count || chosen_for_ != cells_ || !records.filled()) return false;
    index_t most = 0;
    for (offset_t b = 0; b < count; ++b) most = std::max(most, records.starts()[b + 1] - records.starts()[b]);
    return most <= 8 * (records.starts()[count] / count + 1);
  }

  void find(const Key* key, index_t n, index_t* bucket) const {
    constexpr index_t at_once = 8;
    index_t j = 0;
    for (; j + at_once <= n; j += at_once) find_some<at_once>(key + j, bucket + j);
    for (; j < n; ++j) find_some<1>(key + j, bucket + j);
  }

  /// Sorts a bucket into its slots and segments, and orders the slots of crowded cells.
  template <class Records>
  void sort(const Records& records, offset_t bucket, const SlotArrays<D>& out, CrowdedCells<D>& crowded) {
    const index_t begin = records.starts()[bucket], n = records.starts()[bucket + 1] - begin;
    const Word* const place = sorted_places(records, bucket, out);  // writing a slot overwrites its place
    index_t segments = 0, cell = begin, last = 0;                   // slot of the last cell
    cell_key_t key = 0;
    Segment here{};
    for (index_t s = 0; s < n; ++s) {
      const auto& r = records.record(static_cast<std::uint32_t>(place[s]));
      const cell_key_t k = r.key;
      if (s == 0 || here.number != k / Segment::cells) {
        here = {k / Segment::cells, 0};
        out.segment_first[begin + segments++] = cell = begin + s;
      }
      const std::uint64_t bit = std::uint64_t{1} << (k % Segment::cells);
      if ((here.occupied & bit) == 0) {
        out.cell_begin[cell++] = begin + s;
        crowded.order(out, begin + last, begin + s, key);
        last = s, key = k;
      }
      here.occupied |= bit;
      out.segment[begin + segments - 1] = here;
      put_slot(out, begin + s, r);
    }
    segments_.data()[bucket] = segments;
    crowded.order(out, begin + last, begin + n, key);
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

  static constexpr offset_t wanted_records = 1024;  // of a bucket
  static constexpr offset_t most_buckets = 1024;    // as many as can be written to at once
  static constexpr offset_t sampled_each = 8;       // particles
  static constexpr offset_t parts_each = 8;         // parts of all keys
  static constexpr int place_bits = 32, part_bits = 64 - place_bits;

  // Cuts the range of all keys into equal parts, and finds the bucket in which each begins.
  void find_parts() {
    const Key* const first = first_key_.data();
    const offset_t parts = parts_each * count;
    std::fill_n(first_key_.data() + count, count, static_cast<Key>(no_key));  // after all buckets, where a bisection may read
    const auto width = [](auto cells_or_parts) {
      return static_cast<int>(std::bit_width(static_cast<cell_key_t>(cells_or_parts)));
    };
    part_bits_ = std::max(0, width(cells_) - width(parts - 1));
    index_t b = 0, most = 0;
    for (offset_t part = 0; part <= parts; ++part) {
      const index_t before = b;
      while (b + 1 < count && first[b + 1] <= static_cast<cell_key_t>(part) << part_bits_) ++b;
      most = std::max(most, b - before);
      first_of_part_.data()[part] = static_cast<std::uint16_t>(b);
    }
    steps_ = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(most)));
  }

  // Finds buckets by bisection from the bucket in which a key's part begins. Without branches, because half of them would be
  // mispredicted.
  template <index_t n>
  void find_some(const Key* key, index_t* bucket) const {
    const Key* const first = first_key_.data();
    std::uint32_t found[n];
    for (index_t j = 0; j < n; ++j) found[j] = first_of_part_.data()[key[j] >> part_bits_];
    for (int bit = steps_ - 1; bit >= 0; --bit) {
      for (index_t j = 0; j < n; ++j) {
        found[j] += static_cast<std::uint32_t>(first[found[j] + (1u << bit)] <= key[j]) << bit;
      }
    }
    for (index_t j = 0; j < n; ++j) bucket[j] = static_cast<index_t>(found[j]);
  }

  // Returns where the records of a bucket are, in the order of their keys: the low bits of words in the memory of x[0] or x[1].
  // Keys with more bits than fit in a word besides are sorted part by part.
  template <class Records>
  Word* sorted_places(const Records& records, offset_t bucket, const SlotArrays<D>& out) const {
    const index_t begin = records.starts()[bucket], n = records.starts()[bucket + 1] - begin;
    const Key low = first_key_.data()[bucket];
    const Key behind = bucket + 1 < count ? first_key_.data()[bucket + 1] : static_cast<Key>(cells_);
    const int bits = static_cast<int>(std::bit_width(static_cast<cell_key_t>(behind - low)));
    auto* words = reinterpret_cast<std::uint64_t*>(out.x[0] + begin);
    auto* other = reinterpret_cast<std::uint64_t*>(out.x[1] + begin);
    const auto word = [&](const auto& r, int shift) {
      return static_cast<std::uint64_t>(r.key - low) >> shift << place_bits | records.place(r);
    };
    index_t k = 0;
    records.for_each_in(bucket, [&](const auto& r) { words[k++] = word(r, 0); });
    SortWords<std::uint32_t> sort;
    for (int shift = 0; shift < bits; shift += part_bits) {
      for (k = 0; k < n && shift > 0; ++k) words[k] = word(records.record(static_cast<std::uint32_t>(words[k])), shift);
      const std::uint64_t* const sorted = sort(words, other, n, place_bits, place_bits + std::min(bits - shift, part_bits));
      if (sorted != words) std::swap(words, other);
    }
    return reinterpret_cast<Word*>(words);
  }

  HostBuffer<Key> first_key_;                // [2 * count] of each bucket, ascending; 0 the first
  HostBuffer<std::uint16_t> first_of_part_;  // [parts + 1] the bucket in which each part of all keys begins
  int part_bits_ = 0, steps_ = 0;            // of the keys of a part; of the bisection from a part's bucket to the next part's
  HostBuffer<Key> sample_;
  HostBuffer<index_t> segments_;  // of each bucket
  cell_key_t cells_ = 0;
  offset_t chosen_ = 0;        // number of bounds
  cell_key_t chosen_for_ = 0;  // number of cells
};

}  // namespace hgrid::inline v0_2::detail
