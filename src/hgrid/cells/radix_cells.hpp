// SPDX-License-Identifier: BSD-3-Clause
// Sorts particles into cells by radix sort of their keys, on any executor, for all keys and tables.
#pragma once

#include <algorithm>
#include <bit>

#include "hgrid/cells/cell_tables.hpp"
#include "hgrid/cells/radix_sort.hpp"
#include "hgrid/cells/stages.hpp"
#include "hgrid/plan.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns how many bits distinguish all cells of a plan. Sorting fewer bits is faster. The key of particles that are left out
/// has all bits set and stays the largest.
template <int D>
int key_bits(const Plan<D>& plan) {
  if (plan.keys == KeyOrder::row_major) return static_cast<int>(std::bit_width(plan.levels.cells));
  const int bits =
      plan.bits * D + static_cast<int>(std::bit_width(static_cast<unsigned>(plan.levels.count * std::max(1, plan.worlds) - 1)));
  return bits < 64 ? bits : 64;
}

/// Returns whether keys have 32 bits. Fewer than 32 must be in use, because hosts sum up keys as signed numbers.
template <int D>
bool has_narrow_keys(const Plan<D>& plan) {
  return key_bits(plan) < 32;
}

template <class Exec>
concept GathersRecords = requires {
  requires Exec::gathers_records;
};

/// Sorts particles into slots and fills the cell table. `RunStage` runs MakeKey and GatherSlot.
template <class Exec, int D, class RunStage = StageByKind>
class RadixCells {
 public:
  /// Reserves room for n particles; throws `out_of_memory`. The memory holds nothing between builds.
  void reserve(const Exec& exec, offset_t n, const Plan<D>& plan) {
    has_narrow_keys(plan) ? reserve(exec, n, plan, narrow_, 0) : reserve(exec, n, plan, wide_, 0);
  }
  /// Reserves room for these particles; throws `out_of_memory`.
  template <class Real>
  void reserve(const Exec& exec, const Particles<Real, D>& p, const Plan<D>& plan) {
    const offset_t records = records_of(p);
    has_narrow_keys(plan) ? reserve(exec, p.count, plan, narrow_, records) : reserve(exec, p.count, plan, wide_, records);
  }
  /// Returns whether there is room for these particles. Their number must be as in the last build; type and layout may differ.
  template <class Real>
  bool has_room(const Particles<Real, D>& p, const Plan<D>& /*plan*/) const {
    return records_.size() >= records_of(p);
  }

  /// Fills the slots in the order (key, id) and the table. `grid` must be a view of `out`. If the input was bad, there are no
  /// slots.
  template <class Real>
  void run(const Exec& exec, const Particles<Real, D>& p, const InputSummary<D>* input, const Plan<D>& plan,
           const GridView<D>& grid, const SlotArrays<D>& out) {
    has_narrow_keys(plan) ? run(exec, p, input, plan, grid, out, narrow_) : run(exec, p, input, plan, grid, out, wide_);
  }

  /// Sets `column` to memory for D + 1 columns of floats, with padding for all slots. It is free from the end of `run` to the
  /// next build.
  void columns(const Plan<D>& plan, offset_t room, float** column) {
    has_narrow_keys(plan) ? columns(narrow_, room, column) : columns(wide_, room, column);
  }

  std::size_t bytes() const { return narrow_.bytes() + wide_.bytes() + records_.bytes(); }

 private:
  template <class Real>
  static bool makes_records(const Particles<Real, D>& p) {
    if constexpr (GathersRecords<Exec>) {
      return !are_records(p);
    } else {
      return false;
    }
  }
  template <class Real>
  static offset_t records_of(const Particles<Real, D>& p) {
    return makes_records(p) ? room_of_records<Real>(p.count) : 0;
  }

  template <class Key>
  using Buffers = SortBuffers<Exec, Key>;

  template <class Key>
  void reserve(const Exec& exec, offset_t n, const Plan<D>& plan, Buffers<Key>& s, offset_t records) {
    const offset_t padded = n + 2 * slot_padding;  // room for columns
    reserve_all(exec, Need{s.key[0], padded}, Need{s.key[1], padded}, Need{s.id[0], padded}, Need{s.id[1], padded},
                Need{s.counts, Buffers<Key>::counts_needed(exec, n)}, Need{records_, records});
    exec.template reserve_sort<Key>(n, key_bits(plan));
    if (plan.table == TableKind::compacted) exec.template reserve_scan<index_t>(n);
  }

  template <class Key>
  static void columns(Buffers<Key>& s, offset_t room, float** column) {
    for (int k = 0; k <= D; ++k) {
      if constexpr (sizeof(Key) == 2 * sizeof(float)) {
        column[k] = reinterpret_cast<float*>(s.key[k / 2].data()) + k % 2 * room;
      } else {
        column[k] = k < 2 ? reinterpret_cast<float*>(s.key[k].data()) : reinterpret_cast<float*>(s.id[k - 2].data());
      }
    }
  }

  template <class Real, class Key>
  void run(const Exec& exec, const Particles<Real, D>& p, const InputSummary<D>* input, const Plan<D>& plan,
           const GridView<D>& grid, const SlotArrays<D>& out, Buffers<Key>& s) {
    const offset_t n = p.count;
    auto* const record = makes_records(p) ? reinterpret_cast<InputRecord<Real>*>(records_.data()) : nullptr;
    s.current = 0;
    RunStage()(exec, "hgrid::make_keys", n,
               MakeKey<Exec, Real, D, Key>{p, grid, input, out.radius_max, s.key[0].data(), s.id[0].data(), record});
    exec.sort_keys(s, n, key_bits(plan));
    const Key* key = s.key[s.current].data();
    RunStage()(exec, "hgrid::gather_slots", n,
               GatherSlot<Real, D, Key>{record == nullptr ? p : from_records(p, record), grid, input, key,
                                        s.id[s.current].data(), n, out});
    fill_table(exec, plan, grid, out, n, s);
  }

  template <class Key>
  static void fill_table(const Exec& exec, const Plan<D>& plan, const GridView<D>& grid, const SlotArrays<D>& out, offset_t n,
                         Buffers<Key>& s) {
    const Key* const key = s.key[s.current].data();
    const cell_key_t cells = plan.levels.cells;
    if (plan.table == TableKind::compacted) {
      index_t* const place = s.id[0].data();  // the sort no longer needs it
      exec.for_each("hgrid::mark_segments", n, MarkSegments<D, Key>{grid, key, place});
      exec.exclusive_scan("hgrid::scan_segments", place, n);
      exec.for_each("hgrid::fill_segments", n + 1,
                    FillSegments<D, Key>{grid, key, place, out.cell_begin, out.segment, out.segment_first, out.segments});
    } else if (plan.keys == KeyOrder::row_major) {
      exec.for_each("hgrid::fill_dense_rows", room_of_starts(cells) / cells_per_part,
                    FillDenseRows<D, Key>{grid, key, out.cell_begin});
    } else {
      const auto count = static_cast<offset_t>(cells);
      exec.for_each("hgrid::clear_cells", count, Fill<index_t>{out.cell_begin, 0});
      exec.for_each("hgrid::clear_cell_ends", count, Fill<index_t>{out.cell_end, 0});
      exec.for_each("hgrid::fill_dense_cells", n, FillDenseCells<D, Key>{grid, key, out.cell_begin, out.cell_end});
    }
  }

  typename Exec::template Buffer<InputRecord<double>> records_;  // or twice that number of floats
  Buffers<std::uint32_t> narrow_;
  Buffers<std::uint64_t> wide_;
};

}  // namespace hgrid::inline v0_2::detail
