// SPDX-License-Identifier: BSD-3-Clause
// The host's sort for row-major keys: a partition of the particles into buckets of consecutive cells, then a sort of each
// bucket inside the cache, which writes slots and cell table in place. Both keep the order of ids, so slots are equal to
// RadixCells', which sorts for Morton keys and for dense tables of 2^31 cells and more. Afterwards the filter columns are made,
// in the memory of either sort.
#pragma once

#include <algorithm>
#include <type_traits>

#include "hgrid/cells/radix_cells.hpp"
#include "hgrid/options.hpp"
#include "hgrid/plan/planning.hpp"
#include "host/search/run_kernels.hpp"
#include "host/sort/compacted_buckets.hpp"
#include "host/sort/dense_buckets.hpp"
#include "host/sort/input_batches.hpp"
#include "host/sort/partition.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
class PartitionCells {
 public:
  template <class Real>
  void reserve(const HostExec& exec, const Particles<Real, D>& p, const Box<D>& box, const Plan<D>& plan) {
    if (keeps_order(p, plan)) return;
    if (!applies(plan)) return radix_.reserve(exec, p.count, plan);
    with_buckets(exec, p, box, plan, [&](auto& buckets, auto& partition) {
      buckets.reserve(exec);
      partition.reserve(exec, p.count, buckets.count, outside_);
    });
  }

  /// Inspects and partitions the particles in one pass over them, if the plan of the last build still applies and there is
  /// room. `grid` is the view of the last build with the new skin. Otherwise returns false without doing anything.
  template <class Real>
  bool inspect_and_partition(const HostExec& exec, const InspectOnHost<Real, D>& inspect, const Plan<D>& plan,
                             const GridView<D>& grid, const Watch& watch, InputSummary<D>* summary) {
    const offset_t n = inspect.particles.count;
    if (!applies(plan)) return false;
    return with_buckets(exec, inspect.particles, grid.box, plan, [&](auto& buckets, auto& partition) {
      if (!buckets.has_room() || !partition.has_room(exec, n, buckets.count)) return false;
      const bool alike = buckets.stand(partition.pages());
      if (!alike) buckets.choose(inspect, grid);
      partition.run(exec, inspect, buckets, alike, grid, watch, summary);
      return true;
    });
  }

  /// Does the rest of the work after that.
  template <class Real>
  void finish(const HostExec& exec, const Particles<Real, D>& p, const Plan<D>& plan, const GridView<D>& grid,
              const InputSummary<D>& input, const SlotArrays<D>& out) {
    columns_ = {};
    crowded_.begin(grid, p.group);
    with_buckets(exec, p, grid.box, plan, [&](auto& buckets, auto& partition) {
      const index_t used = partition.pages().starts()[buckets.count];
      std::copy_n(partition.radius_max(), plan.levels.count, out.radius_max);
      sort_buckets(exec, buckets, partition, plan, grid, input, out);
      buckets.close(partition.pages(), plan, grid, out);
      out.level_begin[plan.levels.count] = used;
      gather(exec, p, grid, partition.periods(), used, out);
    });
    outside_ = out.wraps != nullptr;
  }

  template <class Real>
  void run(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, const Plan<D>& plan,
           const GridView<D>& grid, const SlotArrays<D>& out) {
    if (!applies(plan)) {
      crowded_.begin(grid, p.group);  // there are none
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
    with_buckets(exec, p, grid.box, plan, [&](auto& buckets, auto& partition) {
      const InspectOnHost<Real, D> inspect{p, boxes_on_host(grid), grid.skin};
      InputSummary<D> again;
      buckets.choose(inspect, grid);
      partition.run(exec, inspect, buckets, false, grid, Watch{}, &again);
    });
    finish(exec, p, plan, grid, input, out);
  }

  /// Returns the last build's slots in single precision, or empty columns if they would not help. They are in this object's
  /// scratch memory until the next build begins.
  const FilterColumns<D>& filter_columns() const { return columns_; }

  /// Returns whether the particles need no sort: there are few, all of which take part, and one cell.
  template <class Real>
  static bool keeps_order(const Particles<Real, D>& p, const Plan<D>& plan) {
    return plan.levels.cells == 1 && p.count <= most_in_one_cell && plan.table == TableKind::dense && applies(plan) &&
           p.worlds.count == 0 && p.active == nullptr && p.nonfinite == NonFinite::error;
  }

  /// Puts these particles into the slots.
  template <class Real>
  void put_in_order(const Particles<Real, D>& p, const Box<D>& box, const SlotArrays<D>& out) {
    columns_ = {};
    const auto n = static_cast<index_t>(p.count);
    const bool wraps = box.any_periodic() || box.turned;  // also particles just below a face, which no period brings inside
    for (index_t i = 0; i < n; ++i) {
      const Vec<double, D> x = p.position_of(i);
      const WrappedPosition<D> at = wraps ? wrap(box, x) : WrappedPosition<D>{x, {}};
      for (int k = 0; k < D; ++k) out.x[k][i] = at.inside[k];
      if (out.wraps != nullptr) out.wraps[i] = at.periods;
      if (out.group != nullptr) out.group[i] = p.group[i];
      out.radius[i] = stored_radius(p, i), out.id[i] = i;
      out.radius_max[0] = std::max(out.radius_max[0], out.radius[i]);
    }
    out.cell_begin[0] = 0, out.cell_begin[1] = out.level_begin[1] = n;
  }

  /// Returns whether cells of the last build were so crowded that boxes over the slots save time. Slots of crowded cells are
  /// ordered by place.
  bool need_boxes(offset_t slots) const { return crowded_.need_boxes(slots); }

  std::size_t bytes() const {
    return radix_.bytes() + narrow_.bytes() + wide_.bytes() + lean_.bytes() + compacted_narrow_.bytes() +
           compacted_wide_.bytes();
  }

 private:
  static bool applies(const Plan<D>& plan) {
    return plan.sort != SortKind::radix && plan.keys == KeyOrder::row_major &&
           (plan.table == TableKind::compacted || has_narrow_keys(plan));
  }

  // Returns whether slots hold exactly the numbers of the particles.
  template <class Real>
  static bool keeps_numbers(const Particles<Real, D>& p, const Box<D>& box) {
    return box == Box<D>::open() && p.worlds.count == 0 && p.radius_scale == 1 && p.extra == nullptr;
  }

  // Calls f(buckets, partition) for the kind of table, the width of keys, and the type of numbers.
  template <class Real, class F>
  decltype(auto) with_buckets(const HostExec& exec, const Particles<Real, D>& p, const Box<D>& box, const Plan<D>& plan,
                              const F& f) {
    const auto call = [&](auto& buckets, auto& partition) {
      buckets.set(exec, p.count, plan);
      return f(buckets, partition);
    };
    if (!has_narrow_keys(plan)) return call(compacted_wide_, wide_);
    const auto by_table = [&](auto& partition) {
      return plan.table == TableKind::dense ? call(dense_, partition) : call(compacted_narrow_, partition);
    };
    if constexpr (std::is_same_v<Real, float>) {
      if (keeps_numbers(p, box)) return by_table(lean_);
    }
    return by_table(narrow_);
  }

  // Sorts all buckets and fills the columns, if they help. Columns use the memory of the records. The records after the columns
  // are sorted last, bucket by bucket, and each bucket's columns are filled from the cache.
  template <class Buckets, class Records>
  void sort_buckets(const HostExec& exec, Buckets& buckets, Records& partition, const Plan<D>& plan, const GridView<D>& grid,
                    const InputSummary<D>& input, const SlotArrays<D>& out) {
    const auto& records = partition.pages();
    const index_t* const starts = records.starts();
    auto& memory = partition.memory();
    const auto sort = [&](offset_t b) { buckets.sort(records, b, out, crowded_); };
    const auto fill = [&](offset_t b) { fill_filter_columns(grid, starts[b], starts[b + 1], columns_); };
    const offset_t count = buckets.count, room = FilterColumns<D>::room(starts[count]);
    const offset_t bytes = (D + 1) * room * static_cast<offset_t>(sizeof(float));
    const offset_t covered = (bytes - 1) / static_cast<offset_t>(sizeof(*memory.data())) + 1;  // records
    if (covered <= memory.size()) {
      float* column[D + 1];
      for (int k = 0; k <= D; ++k) column[k] = reinterpret_cast<float*>(memory.data()) + k * room;
      columns_ = helpful({column, input.lo, input.hi}, plan, partition.radius_max(), grid, input.radius_max);
    }
    const offset_t useful = exec.parts_of(starts[count]);
    if (columns_.empty()) return exec.for_each_item("hgrid::sort_buckets", count, useful, sort);
    const offset_t behind = records.first_behind(covered);
    exec.for_each_item("hgrid::sort_buckets", behind, useful, sort);
    exec.for_each_item("hgrid::sort_and_fill_buckets", count - behind, useful,
                       [&](offset_t b) { sort(behind + b), fill(behind + b); });
    exec.for_each_item("hgrid::fill_columns", behind, useful, fill);
  }

  // Returns the columns, or empty ones if they do not help.
  static FilterColumns<D> helpful(const FilterColumns<D>& columns, const Plan<D>& plan, const double* radius_max_of_level,
                                  const GridView<D>& grid, double radius_max) {
    const bool help = candidates_at_once(true) > candidates_at_once(false);
    if (grid.has_extents())  // `radius_max` is then the largest of all extents
      return help && columns.extent <= 0x1p58 && radius_max <= 0x1p58 ? columns : FilterColumns<D>();
    const double* const last = radius_max_of_level + plan.levels.count - 1;
    const double finest = *std::find_if(radius_max_of_level, last, [](double r) { return r > 0; });
    const bool suit =
        columns.suit(listing_distance_in(grid, finest, finest), listing_distance_in(grid, radius_max, radius_max));
    return help && suit ? columns : FilterColumns<D>();
  }

  // Gathers the fields that records lack: group, world, periods. Reads are in random order.
  template <class Real>
  static void gather(const HostExec& exec, const Particles<Real, D>& p, const GridView<D>& grid, const std::int32_t* periods,
                     index_t used, const SlotArrays<D>& out) {
    if (out.group != nullptr) {
      exec.for_each("hgrid::gather_groups", used, [&](offset_t slot) { out.group[slot] = p.group[out.id[slot]]; });
    }
    if (out.world != nullptr) {
      exec.for_each("hgrid::gather_worlds", used, [&](offset_t slot) { out.world[slot] = p.worlds.of[out.id[slot]]; });
    }
    if (out.wraps == nullptr) return;
    exec.for_each_part("hgrid::gather_wraps", used, [&](offset_t begin, offset_t end) {
      constexpr offset_t ahead = 32;
      for (offset_t slot = begin; slot < end; ++slot) {
        const index_t i = out.id[slot];
        if (periods != nullptr && slot + ahead < end) __builtin_prefetch(periods + out.id[slot + ahead]);
        const std::int32_t bits = periods == nullptr ? unpackable : periods[i];
        out.wraps[slot] = bits == unpackable ? wrap(grid.box_of(p.world(i)), p.position_of(i)).periods : unpacked(bits);
      }
    });
  }

  Partition<D, std::uint32_t, double> narrow_;
  Partition<D, std::uint32_t, float> lean_;
  Partition<D, cell_key_t, double> wide_;
  DenseBuckets<D> dense_;
  CompactedBuckets<D, std::uint32_t> compacted_narrow_;
  CompactedBuckets<D, cell_key_t> compacted_wide_;
  RadixCells<HostExec, D, StageByBatches> radix_;
  CrowdedCells<D> crowded_;
  FilterColumns<D> columns_;
  bool outside_ = false;  // particles of the last build lay outside the box
};

}  // namespace hgrid::inline v0_2::detail
