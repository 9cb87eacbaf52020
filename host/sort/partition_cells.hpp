// SPDX-License-Identifier: BSD-3-Clause
// The sort of hosts for dense row-major tables: a partition of the particles into buckets of consecutive cells, then a
// counting sort of each bucket inside the cache, which writes slots and cell starts in place. Both keep the order of ids,
// so slots are the same as by RadixCells, which sorts for all other tables. Then the filter columns, in the memory of either
// sort.
#pragma once

#include <algorithm>

#include "hgrid/cells/radix_cells.hpp"
#include "hgrid/options.hpp"
#include "host/search/run_kernels.hpp"
#include "host/sort/input_batches.hpp"
#include "host/sort/partition.hpp"

namespace hgrid::inline v0_1::detail {

template <int D>
class PartitionCells {
 public:
  void reserve(const HostExec& exec, offset_t n, const Plan<D>& plan) {
    applies(plan) ? partition_.reserve(exec, n, plan, outside_) : radix_.reserve(exec, n, plan);
  }

  /// Partition::inspect_and_run, where the plan is for it.
  template <class Real>
  bool inspect_and_partition(const HostExec& exec, const InspectOnHost<Real, D>& inspect, const Plan<D>& plan,
                             const GridView<D>& grid, const Watch& watch, InputSummary<D>* summary) {
    return applies(plan) && partition_.inspect_and_run(exec, inspect, plan, grid, watch, summary);
  }

  /// The rest of the work after that.
  template <class Real>
  void finish(const HostExec& exec, const Particles<Real, D>& p, const Plan<D>& plan, const GridView<D>& grid,
              const InputSummary<D>& input, const SlotArrays<D>& out) {
    partition_.settle(plan);
    columns_ = {};
    sort_buckets(exec, plan, grid, input, out);
    const index_t used = partition_.starts()[Partition<D>::buckets(plan)];
    std::copy_n(partition_.radius_max(), plan.levels.count, out.radius_max);
    out.cell_begin[plan.levels.cells] = used;
    for (int h = 0; h < plan.levels.count; ++h) {
      out.level_begin[h] = out.cell_begin[plan.levels.level[h].first_cell];
    }
    out.level_begin[plan.levels.count] = used;
    if (out.group != nullptr) {
      exec.for_each("hgrid::gather_groups", used, [&](offset_t slot) { out.group[slot] = p.group[out.id[slot]]; });
    }
    if (out.world != nullptr) {
      exec.for_each("hgrid::gather_worlds", used, [&](offset_t slot) { out.world[slot] = p.worlds.of[out.id[slot]]; });
    }
    outside_ = out.wraps != nullptr;
    if (outside_) {
      exec.for_each_part("hgrid::gather_wraps", used,
                         [&](offset_t begin, offset_t end) { gather_wraps(p, grid, out, begin, end); });
    }
  }

  template <class Real>
  void run(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, const Plan<D>& plan,
           const GridView<D>& grid, const SlotArrays<D>& out) {
    if (!applies(plan)) {
      radix_.run(exec, p, &input, plan, grid, out);
      const index_t slots = out.level_begin[plan.levels.count];
      float* column[D + 1];
      radix_.columns(plan, FilterColumns<D>::room(slots), column);
      columns_ = helpful({column, input.lo, input.hi}, plan, out.radius_max, grid, input.radius_max);
      if (columns_.empty()) return;
      return exec.for_each_part("hgrid::fill_columns", slots, [&](offset_t begin, offset_t end) {
        fill_filter_columns(grid, static_cast<index_t>(begin), static_cast<index_t>(end), columns_);
      });
    }
    partition_.run(exec, InspectOnHost<Real, D>{p, boxes_on_host(grid), grid.skin}, plan, grid);
    finish(exec, p, plan, grid, input, out);
  }

  /// The last build's slots in single precision, or nothing where they would not help. They lie in this object's scratch
  /// memory until the next build begins.
  const FilterColumns<D>& filter_columns() const { return columns_; }

  std::size_t bytes() const { return radix_.bytes() + partition_.bytes(); }

 private:
  using Record = typename Partition<D>::Record;

  static bool applies(const Plan<D>& plan) {
    return plan.sort != SortKind::radix && plan.keys == KeyOrder::row_major && plan.table == TableKind::dense &&
           plan.levels.cells < INT32_MAX;
  }

  // Sorts all buckets and fills the columns, where they help. Those lie where records are: the records behind them are sorted
  // last, bucket by bucket, and each bucket's columns are filled from the cache.
  void sort_buckets(const HostExec& exec, const Plan<D>& plan, const GridView<D>& grid, const InputSummary<D>& input,
                    const SlotArrays<D>& out) {
    const index_t* const starts = partition_.starts();
    HostBuffer<Record>& records = partition_.records();
    const auto sort = [&](offset_t b) { sort_bucket(plan, out, b); };
    const auto fill = [&](offset_t b) { fill_filter_columns(grid, starts[b], starts[b + 1], columns_); };
    const offset_t count = Partition<D>::buckets(plan), room = FilterColumns<D>::room(starts[count]);
    const offset_t bytes = (D + 1) * room * static_cast<offset_t>(sizeof(float));
    const offset_t covered = (bytes - 1) / static_cast<offset_t>(sizeof(Record)) + 1;  // records
    if (covered <= records.size()) {
      float* column[D + 1];
      for (int k = 0; k <= D; ++k) column[k] = reinterpret_cast<float*>(records.data()) + k * room;
      columns_ = helpful({column, input.lo, input.hi}, plan, partition_.radius_max(), grid, input.radius_max);
    }
    if (columns_.empty()) return exec.for_each_item("hgrid::sort_buckets", count, sort);
    const offset_t behind = partition_.first_behind(plan, covered);
    exec.for_each_item("hgrid::sort_buckets", behind, sort);
    exec.for_each_item("hgrid::sort_and_fill_buckets", count - behind, [&](offset_t b) { sort(behind + b), fill(behind + b); });
    exec.for_each_item("hgrid::fill_columns", behind, fill);
  }

  // The columns, or none if they do not help.
  static FilterColumns<D> helpful(const FilterColumns<D>& columns, const Plan<D>& plan, const double* radius_max_of_level,
                                  const GridView<D>& grid, double radius_max) {
    const double* const last = radius_max_of_level + plan.levels.count - 1;
    const double finest = *std::find_if(radius_max_of_level, last, [](double r) { return r > 0; });
    const bool help = candidates_at_once(true) > candidates_at_once(false);
    const bool suit =
        columns.suit(listing_distance_in(grid, finest, finest), listing_distance_in(grid, radius_max, radius_max));
    return help && suit ? columns : FilterColumns<D>();
  }

  // The periods of slots [begin, end), whose particles may be anywhere in memory.
  template <class Real>
  void gather_wraps(const Particles<Real, D>& p, const GridView<D>& grid, const SlotArrays<D>& out, offset_t begin,
                    offset_t end) const {
    constexpr offset_t ahead = 32;
    const std::int32_t* const periods = partition_.periods();
    for (offset_t slot = begin; slot < end; ++slot) {
      const index_t i = out.id[slot];
      if (periods != nullptr && slot + ahead < end) __builtin_prefetch(periods + out.id[slot + ahead]);
      const std::int32_t bits = periods == nullptr ? unpackable : periods[i];
      out.wraps[slot] = bits == unpackable ? wrap(grid.box_of(p.world(i)), p.position_of(i)).periods : unpacked(bits);
    }
  }

  void sort_bucket(const Plan<D>& plan, const SlotArrays<D>& out, offset_t bucket) {
    const int shift = Partition<D>::cell_bits(plan);
    const cell_key_t first_cell = static_cast<cell_key_t>(bucket) << shift;
    const cell_key_t rest = plan.levels.cells - first_cell;
    const index_t cells = static_cast<index_t>(rest < (cell_key_t{1} << shift) ? rest : cell_key_t{1} << shift);
    index_t next[1 << Partition<D>::most_cell_bits];
    for (index_t c = 0; c < cells; ++c) next[c] = 0;
    index_t slot_behind = partition_.starts()[bucket];
    partition_.for_each_in(plan, bucket, [&](const Record& r) {
      ++next[r.key - first_cell];
      if (++slot_behind % 8 != 0) return;  // lines of the slots, which the second pass writes in any order
      for (int k = 0; k < D; ++k) __builtin_prefetch(out.x[k] + slot_behind, 1);
      __builtin_prefetch(out.radius + slot_behind, 1);
      __builtin_prefetch(out.id + slot_behind, 1);
    });
    index_t sum = partition_.starts()[bucket];
    for (index_t c = 0; c < cells; ++c) {
      const index_t here = next[c];
      out.cell_begin[first_cell + static_cast<cell_key_t>(c)] = next[c] = sum;
      sum += here;
    }
    partition_.for_each_in(plan, bucket, [&](const Record& r) {
      const index_t slot = next[r.key - first_cell]++;
      for (int k = 0; k < D; ++k) out.x[k][slot] = r.x[k];
      out.radius[slot] = r.radius;
      out.id[slot] = r.id;
    });
  }

  Partition<D> partition_;
  RadixCells<HostExec, D, StageByBatches> radix_;
  FilterColumns<D> columns_;
  ClearedByMove<bool> outside_;  // particles of the last build lay outside the box
};

}  // namespace hgrid::inline v0_1::detail
