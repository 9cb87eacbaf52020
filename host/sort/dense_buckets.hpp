// SPDX-License-Identifier: BSD-3-Clause
// The buckets of a dense table, with equal numbers of cells. A counting sort inside the cache writes slots and cell starts in
// place.
#pragma once

#include <algorithm>
#include <bit>

#include "hgrid/plan.hpp"
#include "host/sort/crowded_cells.hpp"
#include "host/sort/partition.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
class DenseBuckets {
 public:
  using Key = std::uint32_t;

  offset_t count = 1;  ///< number of buckets

  /// Sets the number of buckets for n particles under a plan.
  void set(const HostExec& exec, offset_t n, const Plan<D>& plan) {
    cells_ = plan.levels.cells;
    const auto buckets = [&] { return static_cast<offset_t>((cells_ - 1) >> cell_bits_) + 1; };
    cell_bits_ = std::clamp(static_cast<int>(std::bit_width(cells_)) - wanted_bucket_bits, least_cell_bits, most_cell_bits);
    while (cell_bits_ < most_cell_bits && n < least_records * exec.parts_of(n) * buckets()) ++cell_bits_;
    count = buckets();
  }
  void reserve(const HostExec&) {}
  bool has_room() const { return true; }
  template <class Real>
  void choose(const InspectOnHost<Real, D>&, const GridView<D>&) {}
  template <class Records>
  bool stand(const Records&) const {
    return true;
  }

  void find(const Key* key, index_t n, index_t* bucket) const {
    for (index_t j = 0; j < n; ++j) bucket[j] = static_cast<index_t>(key[j] >> cell_bits_);
  }

  /// Sorts a bucket into its slots, and orders the slots of crowded cells.
  template <class Records>
  void sort(const Records& records, offset_t bucket, const SlotArrays<D>& out, CrowdedCells<D>& crowded) const {
    const cell_key_t first_cell = static_cast<cell_key_t>(bucket) << cell_bits_;
    const auto cells = static_cast<index_t>(std::min(cells_ - first_cell, cell_key_t{1} << cell_bits_));
    index_t next[1 << most_cell_bits];
    for (index_t c = 0; c < cells; ++c) next[c] = 0;
    index_t slot_behind = records.starts()[bucket];
    records.for_each_in(bucket, [&](const auto& r) {
      ++next[r.key - first_cell];
      if (++slot_behind % 8 != 0) return;  // cache lines of the slots, which the second pass writes in scattered order
      for (int k = 0; k < D; ++k) __builtin_prefetch(out.x[k] + slot_behind, 1);
      __builtin_prefetch(out.radius + slot_behind, 1);
      __builtin_prefetch(out.id + slot_behind, 1);
    });
    index_t sum = records.starts()[bucket], most = 0;
    for (index_t c = 0; c < cells; ++c) {
      const index_t here = next[c];
      most = std::max(most, here);
      out.cell_begin[first_cell + static_cast<cell_key_t>(c)] = next[c] = sum;
      sum += here;
    }
    records.for_each_in(bucket, [&](const auto& r) { put_slot(out, next[r.key - first_cell]++, r); });
    for (index_t c = 0; c < cells && most > CrowdedCells<D>::least; ++c)
      crowded.order(out, out.cell_begin[first_cell + static_cast<cell_key_t>(c)], next[c],
                    first_cell + static_cast<cell_key_t>(c));
  }

  /// After all buckets: writes where the table and its levels end.
  template <class Records>
  void close(const Records& records, const Plan<D>& plan, const GridView<D>&, const SlotArrays<D>& out) const {
    out.cell_begin[cells_] = records.starts()[count];
    for (int h = 0; h < plan.levels.count; ++h) {
      out.level_begin[h] = out.cell_begin[plan.levels.level[h].first_cell];
    }
  }

 private:
  static constexpr int least_cell_bits = 8;
  static constexpr int most_cell_bits = 13;      // the counters fit the first-level cache
  static constexpr int wanted_bucket_bits = 10;  // as many buckets as can be written to at once

  cell_key_t cells_ = 1;
  int cell_bits_ = least_cell_bits;
};

}  // namespace hgrid::inline v0_2::detail
