// SPDX-License-Identifier: BSD-3-Clause
// Sorting particles into cells by radix sort of their keys, on any executor, for all keys and tables.
#pragma once

#include <bit>

#include "hgrid/build/cell_tables.hpp"
#include "hgrid/build/radix_sort.hpp"
#include "hgrid/build/stages.hpp"
#include "hgrid/host/planning/plan.hpp"

namespace hgrid {

/// From particles to slots and cell table. An executor's `CellSort` has this interface.
template <class Exec, int D>
class RadixCells {
 public:
  /// Room for n particles; throws `out_of_memory`. Holds nothing between builds.
  void reserve(const Exec& exec, offset_t n, const Plan<D>&) {
    reserve_all(exec, Need{sort_.key[0], n}, Need{sort_.key[1], n}, Need{sort_.id[0], n}, Need{sort_.id[1], n},
                Need{sort_.counts, SortBuffers<Exec>::counts_needed(exec, n)});
  }

  /// Fills the slots in the order (key, id) and the table. `grid` views `out`. If the input was bad, there are no
  /// slots.
  template <class Real>
  void run(const Exec& exec, const Particles<Real, D>& p, const InputSummary<D>* input, const Plan<D>& plan,
           const GridView<D>& grid, const SlotArrays<D>& out) {
    const offset_t n = p.count;
    sort_.current = 0;
    exec.for_each("hgrid::make_keys", n, MakeKey<Exec, Real, D>{p, grid, input, out.radius_max, sort_.key[0].data(),
                                                                sort_.id[0].data()});
    exec.sort_keys(sort_, n, key_bits(plan));
    const cell_key_t* key = sort_.key[sort_.current].data();
    exec.for_each("hgrid::gather_slots", n,
                  GatherSlot<Real, D>{p, grid, input, key, sort_.id[sort_.current].data(), n, out});
    fill_table(exec, plan, grid, out, n, key);
  }

  std::size_t bytes() const {
    std::size_t sum = sort_.counts.bytes();
    for (int k = 0; k < 2; ++k) sum += sort_.key[k].bytes() + sort_.id[k].bytes();
    return sum;
  }

 private:
  // Sorting fewer bits is faster; the key of particles left out has all bits set and stays the largest.
  static int key_bits(const Plan<D>& plan) {
    if (plan.keys == KeyOrder::row_major) return std::bit_width(plan.levels.cells);
    const int bits = plan.bits * D + std::bit_width(static_cast<unsigned>(plan.levels.count - 1));
    return bits < 64 ? bits : 64;
  }

  void fill_table(const Exec& exec, const Plan<D>& plan, const GridView<D>& grid, const SlotArrays<D>& out,
                  offset_t n, const cell_key_t* key) {
    const cell_key_t cells = plan.levels.cells;
    if (plan.table == TableKind::compacted) {
      exec.for_each("hgrid::mark_cells", n, MarkCells<D>{grid, key, out.cell_end});
      exec.exclusive_scan("hgrid::scan_cells", out.cell_end, n);
      exec.for_each("hgrid::fill_compacted", n + 1,
                    FillCompacted<D>{grid, key, out.cell_end, out.cell_key, out.cell_begin});
    } else if (plan.keys == KeyOrder::row_major) {
      exec.for_each("hgrid::fill_dense_rows", n + 1, FillDenseRows<D>{grid, key, out.cell_begin, cells});
    } else {
      exec.for_each("hgrid::clear_cells", cells, Fill<index_t>{out.cell_begin, 0});
      exec.for_each("hgrid::clear_cell_ends", cells, Fill<index_t>{out.cell_end, 0});
      exec.for_each("hgrid::fill_dense_cells", n, FillDenseCells<D>{grid, key, out.cell_begin, out.cell_end});
    }
  }

  SortBuffers<Exec> sort_;
};

}  // namespace hgrid
