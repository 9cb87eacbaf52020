// SPDX-License-Identifier: BSD-3-Clause
// Fills the table of a cell's slots from the sorted keys: dense tables for both key orders, and the compacted table.
#pragma once

#include "hgrid/memory/storage.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the cell of a slot among all cells, counted row by row as in dense tables.
template <int D>
HGRID_HD inline cell_key_t dense_cell(const GridView<D>& g, offset_t slot) {
  const int h = g.level_of_slot(static_cast<index_t>(slot));
  Vec<index_t, D> cell;
  for (int k = 0; k < D; ++k) cell[k] = g.cell_of(g.level[h], g.world_of(static_cast<index_t>(slot)), k, g.x[k][slot]);
  return linear_cell(g.level[h], cell);
}

/// First slots of consecutive cells, stored together.
struct alignas(16) Starts {
  static constexpr int count = 4;
  index_t slot[count];
};

/// 4a. Dense table: the first slot of each of `cells_per_part` consecutive cells, empty ones included. The last part holds the
/// table's end. The slots of a part are counted in one word with four bits per cell, and a product adds them up. If the part
/// has more slots than fit, the first slot of each cell is found by bisection. So no part takes much longer than others,
/// however crowded or far apart the cells are.
template <int D, class Key>
struct FillDenseRows {
  GridView<D> grid;
  const Key* key;
  index_t* begin;  // [room_of_starts(cells)]

  HGRID_HD void operator()(offset_t part) const {
    const index_t n = grid.slots();
    if (n == 0) return;  // levels without slots are not searched
    const Key first = static_cast<Key>(part) * cells_per_part, behind = first + cells_per_part;
    const index_t slot = first_slot(n, first);
    if (slot + 15 < n && key[slot + 15] < behind) {
      for (Key cell = first; cell < behind; ++cell) begin[cell] = first_slot(n, cell);
      return;
    }
    std::uint64_t before = 0;  // slots in earlier cells of this part
    for (index_t s = slot; s < n && key[s] < behind; ++s) before += std::uint64_t{1} << 4 * (key[s] - first);
    before *= 0x1111111111111110;
    for (int c = 0; c < cells_per_part; c += Starts::count) {
      Starts starts;
      for (int j = 0; j < Starts::count; ++j, before >>= 4) starts.slot[j] = slot + static_cast<index_t>(before & 15);
      reinterpret_cast<Starts*>(begin + first)[c / Starts::count] = starts;
    }
  }

 private:
  static_assert(cells_per_part == 16, "the word holds that number of sums");

  /// Returns the first slot of all cells from `cell` on.
  HGRID_HD index_t first_slot(index_t n, Key cell) const {
    index_t slot = 0;
    while (n > 0) {
      const index_t half = n / 2;
      const bool later = key[slot + half] < cell;
      slot += later ? half + 1 : 0;
      n = later ? n - half - 1 : half;
    }
    return slot;
  }
};

/// 4b. Dense table with Morton keys, zeroed before: the begin and end of every occupied cell.
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

/// 4c. Compacted table, first part: writes 1 for each slot that opens a segment. A scan turns this into the segment's place in
/// the table.
template <int D, class Key>
struct MarkSegments {
  GridView<D> grid;
  const Key* key;
  index_t* place;

  HGRID_HD void operator()(offset_t slot) const {
    place[slot] = slot < grid.slots() && (slot == 0 || key[slot] / Segment::cells != key[slot - 1] / Segment::cells);
  }
};

/// 4d. Compacted table, second part: writes each segment and the first slot of each of its occupied cells, then the closing
/// segment. One thread takes one segment, which has no more slots than one search near it tests.
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

}  // namespace hgrid::inline v0_2::detail
