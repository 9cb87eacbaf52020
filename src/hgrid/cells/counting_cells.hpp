// SPDX-License-Identifier: BSD-3-Clause
// Sorting particles into cells by counting: every particle draws a number within its cell, a scan of the counts gives
// the cells' first slots, and each particle counts the smaller ids of its cell. It writes the cell table on the way and
// moves each particle once, so it gains over a radix sort where particles come nearly in the order of the last build. For
// row-major keys and dense tables; others are sorted by keys. Slots are the same either way.
#pragma once

#include "hgrid/cells/radix_cells.hpp"

namespace hgrid::inline v0_2::detail {

/// Cell and number within it, in the order of arrival, of particle i; the largest radius of each level.
template <class Exec, class Real, int D, class View = GridView<D>>
struct CountParticle {
  Particles<Real, D> particles;
  View grid;
  const InputSummary<D>* input;
  double* radius_max;
  index_t* count;  // [cells]
  std::uint32_t* cell;
  index_t* number;

  template <class Kind>
  auto in(const Kind& view) const {
    return CountParticle<Exec, Real, D, Kind>{particles, view, input, radius_max, count, cell, number};
  }

  HGRID_HD void operator()(offset_t i) const {
    if (input->bad > 0) return;
    cell[i] = static_cast<std::uint32_t>(no_key);
    if (!takes_part(particles, i)) return;
    const Stored<D> s = stored(particles, grid, i);
    int h;
    cell[i] = static_cast<std::uint32_t>(key_of(grid, s, h));
    number[i] = Exec::atomic_add(&count[cell[i]], index_t{1});
    Exec::atomic_max(&radius_max[h], s.radius);
  }
};

/// The ids of the cells in order, those of one cell as they have come.
template <int D>
struct PlaceId {
  const InputSummary<D>* input;
  const index_t* begin;
  const std::uint32_t* cell;
  const index_t* number;
  index_t* arrivals;

  HGRID_HD void operator()(offset_t i) const {
    if (input->bad > 0 || cell[i] == static_cast<std::uint32_t>(no_key)) return;
    arrivals[begin[cell[i]] + number[i]] = static_cast<index_t>(i);
  }
};

/// The particle of each slot, and where levels begin. Each thread takes a particle to its slot, behind the smaller ids of
/// its cell. In a crowded cell that takes as many steps as the search has candidates there, but shorter ones.
template <class Real, int D, class View = GridView<D>>
struct GatherCounted {
  Particles<Real, D> particles;
  View grid;
  const InputSummary<D>* input;
  cell_key_t cells;
  const std::uint32_t* cell;
  const index_t* arrivals;
  SlotArrays<D> out;

  template <class Kind>
  auto in(const Kind& view) const {
    return GatherCounted<Real, D, Kind>{particles, view, input, cells, cell, arrivals, out};
  }

  HGRID_HD void operator()(offset_t k) const {
    if (input->bad > 0) return;
    if (k == 0) {
      for (int h = 0; h < grid.level_count; ++h) out.level_begin[h] = out.cell_begin[grid.level[h].first_cell];
      out.level_begin[grid.level_count] = out.cell_begin[cells];
      store_nowhere(offset_t{out.cell_begin[cells]}, records_behind_last, out);
    }
    if (k >= out.cell_begin[cells]) return;
    const index_t i = arrivals[k], first = out.cell_begin[cell[i]], end = out.cell_begin[cell[i] + 1];
    index_t slot = first;
    for (index_t other = first; other < end; ++other) slot += arrivals[other] < i;
    store_slot(grid, particles, slot, i, out);
  }
};

/// The interface of RadixCells.
template <class Exec, int D>
class CountingCells {
 public:
  template <class Real>
  void reserve(const Exec& exec, const Particles<Real, D>& p, const Plan<D>& plan) {
    if (!applies(plan)) return radix_.reserve(exec, p, plan);
    const offset_t n = p.count;
    reserve_all(exec, Need{cell_, n}, Need{number_, n}, Need{arrivals_, n});
    exec.template reserve_scan<index_t>(static_cast<offset_t>(plan.levels.cells));
  }

  template <class Real>
  bool has_room(const Particles<Real, D>& p, const Plan<D>& plan) const {
    return applies(plan) || radix_.has_room(p, plan);
  }

  template <class Real>
  void run(const Exec& exec, const Particles<Real, D>& p, const InputSummary<D>* input, const Plan<D>& plan,
           const GridView<D>& grid, const SlotArrays<D>& out) {
    if (!applies(plan)) return radix_.run(exec, p, input, plan, grid, out);
    const offset_t n = p.count;
    const auto cells = static_cast<offset_t>(plan.levels.cells);
    exec.for_each("hgrid::clear_cells", room_of_starts(plan.levels.cells) / cells_per_part, ClearStarts{out.cell_begin});
    StageByKind()(exec, "hgrid::count_particles", n,
                  CountParticle<Exec, Real, D>{p, grid, input, out.radius_max, out.cell_begin, cell_.data(), number_.data()});
    exec.exclusive_scan("hgrid::scan_cells", out.cell_begin, cells);
    exec.for_each("hgrid::place_ids", n, PlaceId<D>{input, out.cell_begin, cell_.data(), number_.data(), arrivals_.data()});
    StageByKind()(exec, "hgrid::gather_slots", n,
                  GatherCounted<Real, D>{p, grid, input, plan.levels.cells, cell_.data(), arrivals_.data(), out});
  }

  std::size_t bytes() const { return radix_.bytes() + cell_.bytes() + number_.bytes() + arrivals_.bytes(); }

 private:
  static bool applies(const Plan<D>& plan) {
    return plan.sort == SortKind::counting && plan.keys == KeyOrder::row_major && plan.table == TableKind::dense &&
           plan.levels.cells < UINT32_MAX;
  }

  RadixCells<Exec, D> radix_;
  typename Exec::template Buffer<std::uint32_t> cell_;
  typename Exec::template Buffer<index_t> number_, arrivals_;
};

}  // namespace hgrid::inline v0_2::detail
