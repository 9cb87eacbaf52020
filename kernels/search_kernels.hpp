// SPDX-License-Identifier: BSD-3-Clause
// The bodies of the search kernels. Within a level, a thread takes a slot. Across levels, Top-Down, a thread takes a row
// of cells: coarse particles meet hundreds of rows and are few, so their rows are queued and shared out evenly.
#pragma once

#include "hgrid/kernels/search_sinks.hpp"

namespace hgrid {

/// Tiles of a block's size that cover n items.
template <class Block>
HGRID_HD inline offset_t tiles_of(offset_t n) {
  return (n + Block::threads - 1) / Block::threads;
}

/// One tile of a search kernel: `search(lane)` for the threads that have an item, then the block's results.
template <class Block, class Lane, class Sink, class Search>
HGRID_HD void search_tile(Block& block, Lane& lane, const Sink& sink, bool has_item, offset_t tile, offset_t tiles,
                          const Search& search) {
  bool todo = has_item;
  HGRID_KEEP_ROLLED
  for (int pass = 0;; ++pass) {  // one loop, not two copies of the search
    if (todo) search(lane);
    if (pass == 1) return;
    todo = sink.commit(block, lane, tile, tiles);
  }
}

/// A thread per slot, on the levels that the visit and the direction leave to it: with Visit::once its own level, and
/// under Bottom-Up the coarser ones; with Visit::all every level.
template <int D, Visit visit, class Sink>
struct SearchSlots {
  GridView<D> grid;
  Sink sink;
  word_t* next;

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    const index_t slots = grid.slots();
    const offset_t tiles = tiles_of<Block>(slots);
    for (offset_t tile; (tile = next_tile(block, next)) < tiles;) {
      LaneSearch<Block, D, typename Sink::Contact> lane(block, grid, sink.contact(grid));
      const auto p = static_cast<index_t>(tile * Block::threads + block.thread());
      search_tile(block, lane, sink, p < slots, tile, tiles, [&](auto& l) { search(l, p); });
    }
  }

 private:
  template <class Lane>
  HGRID_HD void search(Lane& lane, index_t p) const {
    const int own = grid.level_of_slot(p);
    const bool up = visit == Visit::all || grid.direction == Direction::bottom_up;
    const int end = up ? grid.level_count : own + 1;
    lane.start(p);
    for (Cursor at{visit == Visit::all ? 0 : own, 0, 0}; at.level < end || lane.has_candidates();) {
      if (!lane.has_candidates()) lane.template collect<visit>(at);
      lane.test();
      lane.settle();
    }
  }
};

/// First slot of the second level: from here on slots look into finer levels.
template <int D>
HGRID_HD inline index_t first_coarse_slot(const GridView<D>& g) {
  return g.level_begin[1];
}

/// The row queue: `begin[c]` receives the number of pieces before the c-th coarse slot, the last entry their total.
/// Every slot gets at least one piece, so that 32 pieces in a row belong to at most 32 slots.
template <int D>
struct QueueRows {
  GridView<D> grid;
  word_t* states;
  offset_t* begin;
  word_t* next;

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    const index_t first = first_coarse_slot(grid);
    const index_t items = grid.slots() - first;
    const offset_t tiles = tiles_of<Block>(items);
    for (offset_t tile; (tile = next_tile(block, next)) < tiles;) {
      const auto c = static_cast<index_t>(tile * Block::threads + block.thread());
      const offset_t mine = c < items ? pieces(first + c) : 0;
      const auto scanned = block_scan<offset_t>(block, mine);
      const offset_t before = sum_of_tiles_before(block, states, tile, scanned.total) + scanned.before;
      if (c < items) begin[c] = before;
      if (c == items - 1) begin[items] = before + mine;
    }
  }

 private:
  HGRID_HD offset_t pieces(index_t p) const {
    const int own = grid.level_of_slot(p);
    offset_t n = 0;
    for (int j = 0; j < own; ++j) {
      for_each_query<Visit::once>(grid, p, own, j, [&](const Query<D>& query) { n += query.pieces; });
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

/// A thread per piece of the row queue.
template <int D, class Sink>
struct SearchRows {
  GridView<D> grid;
  Sink sink;
  const offset_t* begin;
  word_t* next;

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    const index_t items = grid.slots() - first_coarse_slot(grid);
    const offset_t pieces = items > 0 ? begin[items] : 0;
    const offset_t tiles = tiles_of<Block>(pieces);
    if (sink.too_small(tiles)) return;
    for (offset_t tile; (tile = next_tile(block, next)) < tiles;) {
      LaneSearch<Block, D, typename Sink::Contact> lane(block, grid, sink.contact(grid));
      const offset_t piece = tile * Block::threads + block.thread();
      const offset_t warp_first = piece - block.lane();
      const index_t item = find_item(block, begin, items, warp_first < pieces ? warp_first : pieces - 1);
      search_tile(block, lane, sink, piece < pieces, tile, tiles, [&](auto& l) { search(l, item, piece); });
    }
  }

 private:
  template <class Lane>
  HGRID_HD void search(Lane& lane, index_t item, offset_t piece) const {
    const index_t p = first_coarse_slot(grid) + item;
    lane.start(p);
    for (collect(lane, p, piece - begin[item]); lane.has_candidates();) {
      lane.test();
      lane.settle();
    }
  }

  /// Collects the run of the slot's n-th piece, counted over levels, then images.
  template <class Lane>
  HGRID_HD void collect(Lane& lane, index_t p, offset_t n) const {
    const Cursor at = place(p, n);
    if (at.level == grid.level_of_slot(p)) return;  // the one piece of a slot that has none
    int images;
    const Query<D> query = make_query(grid, p, at.level, false, at.image, images);
    lane.aim(query);
    lane.add(clipped_run(at.level, query, at.piece));
  }

  HGRID_HD Cursor place(index_t p, offset_t n) const {
    Cursor at{0, 0, 0};
    for (const int own = grid.level_of_slot(p); at.level < own;) {
      int images;
      const index_t pieces = make_query(grid, p, at.level, false, at.image, images).pieces;
      if (n < pieces) break;
      n -= pieces;
      if (++at.image == images) at.image = 0, ++at.level;
    }
    at.piece = static_cast<index_t>(n);
    return at;
  }

  HGRID_HD SlotRun clipped_run(int j, const Query<D>& query, index_t piece) const {
    index_t hint = 0;
    if (query.scans_level) return run_of_piece(grid, j, query, piece, hint);
    const index_t covered = grid.cells_per_look_up(query.range.width(0));
    Vec<index_t, D> cell = query.cell(piece, covered);
    const index_t last = cell[0] + covered - 1;
    const RowSpan span = clip_to_sphere(grid.level[j], query, cell);
    if (span.first > last || span.last < cell[0] || span.first > span.last) return {0, 0};
    if (span.first > cell[0]) cell[0] = span.first;
    return grid.run(j, cell, span.last < last ? span.last : last, hint);
  }
};

}  // namespace hgrid
