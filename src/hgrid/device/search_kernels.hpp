// SPDX-License-Identifier: BSD-3-Clause
// The bodies of the search kernels. Within a level, a thread takes a slot. Across levels, Top-Down, a thread takes a strip, which
// is some rows of cells: coarse particles meet hundreds of rows and are few, so their strips are queued and shared out evenly.
#pragma once

#include "hgrid/device/grid_kinds.hpp"
#include "hgrid/device/search_sinks.hpp"

namespace hgrid::inline v0_1::detail {

/// Tiles of a block's size that cover n items.
template <class Block>
HGRID_HD inline offset_t tiles_of(offset_t n) {
  return (n + Block::threads - 1) / Block::threads;
}

/// The item of a thread in the tile that its block has taken last.
template <class Block>
HGRID_HD offset_t this_item(Block& block) {
  return this_tile(block) * Block::threads + block.thread();
}

/// One tile of a search kernel: `body.search(block, search)` for all threads, of which some may have no item, then the block's
/// results. The lanes of a warp leave together, because behind this the block has barriers.
template <class Body, class Block>
HGRID_HD void search_tile(const Body& body, Block& block, index_t slot) {
  auto search = body.sink.search(block, body.grid);
  search.set_slot(slot);
  HGRID_KEEP_ROLLED
  do {  // one loop, not two copies of the search
    body.search(block, search);
  } while (body.sink.commit(block, search, [&] { return tiles_of<Block>(body.items()); }));
}

/// A thread per slot, on the levels that the visit and the direction leave to it: with Visit::once its own level, and
/// under Bottom-Up the coarser ones; with Visit::all every level.
template <class View, Visit visit, class Sink>
struct SearchSlots {
  View grid;
  Sink sink;
  word_t* next;

  static constexpr int most_registers = Sink::registers(registers_of<View>(40, 72, 64));

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    while (next_tile(block, next) < tiles_of<Block>(items())) {
      const offset_t item = this_item(block), last = items() - 1;
      search_tile(*this, block, static_cast<index_t>(item < last ? item : last));
    }
  }
  HGRID_HD offset_t items() const { return grid.slots(); }

  template <class Block, class Search>
  HGRID_HD void search(Block& block, Search& search) const {
    const bool one_level = visit == Visit::once && grid.is_top_down();
    search.start();
    Cursor at{visit == Visit::all || one_level ? 0 : own_level(search), 0, this_item(block) < items() ? 0 : Cursor::none};
    do {
      if (!search.has_candidates() && at.run >= 0) {
        if (one_level) at.level = own_level(search);  // rather than keep it
        search.collect(at, one_level || (visit == Visit::once && at.level == own_level(search)), one_level);
      }
      search.test();
      sink.take(block, search);
    } while (block.ballot(at.run >= 0 || search.has_candidates()) != 0);
  }

 private:
  template <class Search>
  HGRID_HD int own_level(const Search& search) const {
    return grid.level_of_slot(search.slot());
  }
};

/// First slot of the second level: from here on slots look into finer levels.
template <class View>
HGRID_HD inline index_t first_coarse_slot(const View& g) {
  return g.level_begin[1];
}

/// Rows of at least this many cells are clipped to the sphere: shorter ones have too few candidates for that to pay.
inline constexpr index_t cells_of_long_row = 16;

template <class View>
HGRID_HD inline bool is_clipped(const View& g, const Query<View::dimension>& query) {
  return !query.scans_level && g.is_even() && !g.has_worlds() && query.range.width(0) >= cells_of_long_row;
}

/// The rows of a query that a thread takes in one go, its strip, share the time in which the query is made. Those that are
/// long are strips by themselves: clipped rows, and parts of a level that is scanned.
template <class View>
HGRID_HD inline bool has_single_rows(const View& g, const Query<View::dimension>& query) {
  return query.scans_level || is_clipped(g, query);
}

template <class View>
HGRID_HD inline index_t strips_of(const View& g, const Query<View::dimension>& query) {
  return has_single_rows(g, query) ? query.runs : (query.runs + most_runs - 1) / most_runs;
}

/// The strip queue: `begin[c]` receives the number of strips before the c-th coarse slot, the last entry their total.
/// Every slot gets at least one, so that 32 successive strips belong to at most 32 slots.
template <class View>
struct QueueStrips {
  View grid;
  word_t* states;
  offset_t* begin;
  word_t* next;

  static constexpr int most_registers = registers_of<View>(40, 72, 64);

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    const index_t first = first_coarse_slot(grid);
    const index_t items = grid.slots() - first;
    const offset_t tiles = tiles_of<Block>(items);
    for (offset_t tile; (tile = next_tile(block, next)) < tiles;) {
      const auto c = static_cast<index_t>(this_item(block));
      const offset_t mine = c < items ? strips_of_slot(first + c) : 0;
      const auto scanned = block_scan<offset_t>(block, mine);
      const offset_t before = sum_of_tiles_before(block, states, tile, scanned.total) + scanned.before;
      if (c < items) begin[c] = before;
      if (c == items - 1) begin[items] = before + mine;
    }
  }

 private:
  HGRID_HD offset_t strips_of_slot(index_t p) const {
    const int own = grid.level_of_slot(p);
    offset_t n = 0;
    for (int j = 0; j < own; ++j) {
      for_each_query<Visit::once>(grid, p, own, j, [&](const auto& query) { n += strips_of(grid, query); });
    }
    return n > 0 ? n : 1;
  }
};

/// The largest c with begin[c] <= w + lane, for w and n > 0 common to the warp, begin[0] <= w, begin strictly
/// ascending: a search with 32 probes a step, then each lane's among the 32 items from there on.
template <class Block>
HGRID_HD index_t find_item(Block& block, const offset_t* begin, index_t n, offset_t w) {
  index_t lo = 0, hi = n;  // begin[lo] <= w < begin[hi]
  while (hi - lo > 1) {
    const index_t step = (hi - lo + 31) / 32, probe = lo + step * (block.lane() + 1);
    const int below = Block::bits(block.ballot(probe < hi && begin[probe < hi ? probe : lo] <= w));
    lo += step * below;
    hi = lo + step < hi ? lo + step : hi;
  }
  const index_t mine = lo + 1 + block.lane();
  const offset_t start = begin[mine < n ? mine : n];
  int at = 0;
  for (int step = 16; step > 0; step /= 2) {
    if (block.shuffle(start, at + step - 1) <= w + block.lane()) at += step;
  }
  return lo + at;
}

/// A thread per strip of the queue.
template <class View, class Sink>
struct SearchStrips {
  View grid;
  Sink sink;
  const offset_t* begin;
  word_t* next;

  static constexpr int most_registers = Sink::registers(registers_of<View>(40, 80, 72));

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    if (sink.too_small(tiles_of<Block>(items()))) return;
    while (next_tile(block, next) < tiles_of<Block>(items())) {
      const offset_t warp_first = this_item(block) - block.lane(), last = items() - 1;
      const index_t coarse = find_item(block, begin, coarse_slots(), warp_first < last ? warp_first : last);
      search_tile(*this, block, first_coarse_slot(grid) + (coarse < coarse_slots() ? coarse : coarse_slots() - 1));
    }
  }
  HGRID_HD offset_t items() const { return coarse_slots() > 0 ? begin[coarse_slots()] : 0; }

  template <class Block, class Search>
  HGRID_HD void search(Block& block, Search& search) const {
    search.start();
    if (this_item(block) < items()) collect(search, this_item(block) - begin[search.slot() - first_coarse_slot(grid)]);
    do {
      search.test();
      sink.take(block, search);
    } while (block.ballot(search.has_candidates()) != 0);
  }

 private:
  static constexpr int D = View::dimension;

  HGRID_HD index_t coarse_slots() const { return grid.slots() - first_coarse_slot(grid); }

  /// Collects the runs of the slot's n-th strip, counted over levels, then images. A slot without any has one in the queue.
  template <class Search>
  HGRID_HD void collect(Search& search, offset_t n) const {
    HGRID_KEEP_ROLLED
    for (Cursor at{0, 0, 0};;) {
      const index_t p = search.slot();
      if (p < grid.level_begin[at.level + 1]) return;
      int images;
      Query<D> query = make_query(grid, p, at.level, false, at.image, images);
      const index_t strips = strips_of(grid, query);
      if (n < strips) {
        search.aim(query);
        const index_t rows = has_single_rows(grid, query) ? 1 : most_runs;
        index_t row = static_cast<index_t>(n) * rows;
        if (is_clipped(grid, query)) clip_row(at.level, query, row, search.slot()), row = 0;
        return search.collect(at.level, query, row, row + rows < query.runs ? row + rows : query.runs);
      }
      n -= strips;
      if (++at.image == images) at.image = 0, ++at.level;
    }
  }

  /// Leaves of a query the part of one row that the sphere may meet, or nothing.
  HGRID_HD void clip_row(int j, Query<D>& query, index_t row, index_t p) const {
    if (!grid.has_images()) query.centre = grid.position(p);  // it is the same, and takes no registers from there to here
    const index_t covered = grid.cells_per_run(query.range.width(0));
    const Vec<index_t, D> cell = query.cell(row, covered);
    const CellSpan span = clip_to_sphere(grid.level[j], query, cell);
    const index_t last = cell[0] + covered - 1;
    query.range = {cell, cell}, query.passed_rows = 0;
    if (span.first > cell[0]) query.range.first[0] = span.first;
    query.range.last[0] = span.last < last ? span.last : last;
    query.runs = query.range.first[0] <= query.range.last[0] ? 1 : 0;
  }
};

}  // namespace hgrid::inline v0_1::detail
