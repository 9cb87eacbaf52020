// SPDX-License-Identifier: BSD-3-Clause
// Where the slots of a cell are, filled from the sorted keys: dense tables for both key orders, and the compacted one.
#pragma once

#include "hgrid/core/grid_view.hpp"

namespace hgrid::inline v0_1::detail {

/// The cell of a slot among all cells, counted row by row as dense tables are.
template <int D>
HGRID_HD inline cell_key_t dense_cell(const GridView<D>& g, offset_t slot) {
  const int h = g.level_of_slot(static_cast<index_t>(slot));
  Vec<index_t, D> cell;
  for (int k = 0; k < D; ++k) cell[k] = g.cell_of(g.level[h], g.world_of(static_cast<index_t>(slot)), k, g.x[k][slot]);
  return linear_cell(g.level[h], cell);
}

/// Dense tables are filled in parts of this number of cells, so that no thread has more to do, however far apart the
/// particles are.
inline constexpr cell_key_t cells_per_part = 64;

/// 4a. Dense table: the first slot of every cell, empty ones included. Slot s fills the cells after its
/// predecessor's up to its own, and the slot after the last the rest, but for parts without any particle.
template <int D, class Key>
struct FillDenseRows {
  GridView<D> grid;
  const Key* key;
  index_t* begin;
  cell_key_t cells;

  HGRID_HD void operator()(offset_t slot) const {
    const index_t n = grid.slots();
    if (slot > n || n == 0) return;  // levels without slots are not searched
    const cell_key_t first = slot == 0 ? 0 : cell_key_t{key[slot - 1]} + 1;
    const cell_key_t last = slot == n ? cells : cell_key_t{key[slot]};
    const cell_key_t empty = (first + cells_per_part - 1) / cells_per_part * cells_per_part;
    const cell_key_t occupied = last / cells_per_part * cells_per_part;
    for (cell_key_t c = first; c <= last; ++c) {
      if (c == empty && c < occupied) c = occupied;
      begin[c] = static_cast<index_t>(slot);
    }
  }
};

/// 4b. Dense table: a part that holds no particle and not the table's end.
template <int D, class Key>
struct FillEmptyPart {
  GridView<D> grid;
  const Key* key;
  index_t* begin;

  HGRID_HD void operator()(offset_t part) const {
    const index_t n = grid.slots();
    if (n == 0) return;
    const cell_key_t first = static_cast<cell_key_t>(part) * cells_per_part, end = first + cells_per_part;
    index_t slot = 0, behind = n;  // the first slot of a cell from here on is in [slot, behind]
    while (slot < behind) {
      const index_t middle = slot + (behind - slot) / 2;
      key[middle] < first ? slot = middle + 1 : behind = middle;
    }
    if (slot < n && key[slot] < end) return;
    for (cell_key_t c = first; c < end; ++c) begin[c] = slot;
  }
};

/// 4c. Dense table under Morton keys, zeroed before: begin and end of every occupied cell.
template <int D, class Key>
struct FillDenseCells {
  GridView<D> grid;
  const Key* key;
  index_t* begin;
  index_t* end;

  HGRID_HD void operator()(offset_t slot) const {
    const index_t n = grid.slots();
    if (slot >= n) return;
    const bool first = slot == 0 || key[slot] != key[slot - 1];
    const bool last = slot + 1 == n || key[slot] != key[slot + 1];
    if (!first && !last) return;
    const cell_key_t cell = dense_cell(grid, slot);
    if (first) begin[cell] = static_cast<index_t>(slot);
    if (last) end[cell] = static_cast<index_t>(slot + 1);
  }
};

/// 4d. Compacted table, first part: 1 for each slot that opens a segment; scanned, the segment's place in the table.
template <int D, class Key>
struct MarkSegments {
  GridView<D> grid;
  const Key* key;
  index_t* place;

  HGRID_HD void operator()(offset_t slot) const {
    place[slot] = slot < grid.slots() && (slot == 0 || key[slot] / Segment::cells != key[slot - 1] / Segment::cells);
  }
};

/// 4e. Compacted table, second part: each segment, and the first slot of each of its occupied cells; then the closing
/// segment. One thread a segment: its slots are not more than one search of a particle among them tests.
template <int D, class Key>
struct FillSegments {
  GridView<D> grid;
  const Key* key;
  const index_t* place;
  index_t* begin;
  Segment* segment;
  index_t* first;
  index_t* segments;

  HGRID_HD void operator()(offset_t slot) const {
    const index_t n = grid.slots();
    if (slot == n) {
      segment[place[n]] = {~cell_key_t{0}, 0};
      first[place[n]] = n;
      *segments = place[n];
    }
    if (slot >= n || place[slot] == place[slot + 1]) return;
    Segment here{key[slot] / Segment::cells, 0};
    index_t cell = static_cast<index_t>(slot);
    first[place[slot]] = cell;
    for (index_t s = cell; s < n && key[s] / Segment::cells == here.number; ++s) {
      const std::uint64_t bit = std::uint64_t{1} << (key[s] % Segment::cells);
      if ((here.occupied & bit) == 0) begin[cell++] = s;
      here.occupied |= bit;
    }
    segment[place[slot]] = here;
  }
};

}  // namespace hgrid::inline v0_1::detail
