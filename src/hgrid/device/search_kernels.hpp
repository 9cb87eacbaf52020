// SPDX-License-Identifier: BSD-3-Clause
// The bodies of the search kernels. Within a level and in place, a thread takes a slot. Across levels, Top-Down, and under
// other images a thread takes a strip, which is some rows of cells. Coarse particles visit hundreds of rows and are few, like
// particles near a face, so their strips are queued and shared out evenly.
#pragma once

#include "hgrid/device/grid_kinds.hpp"
#include "hgrid/device/search_sinks.hpp"
#include "hgrid/device/warp_search.hpp"

namespace hgrid::inline v0_2::detail {

/// Runs all tiles of a search kernel: `body.slot(block)` returns the thread's item of a tile, `body.search(block, search)` runs
/// with all threads, some of which may have no item, and then the block's results are committed. The lanes of a warp leave
/// together, because the block meets at barriers later.
template <class Body, class Block>
HGRID_HD void search_tiles(const Body& body, Block& block) {
  if (!body.sink.template has_tiles<1>(block, tiles_of<Block>(body.items()))) return;
  while (next_tile(block, body.next) < tiles_of<Block>(body.items())) {
    WarpSearch search(block, body.grid, body.sink.contact(body.grid));
    search.set_slot(body.slot(block));
    body.sink.start(block);
    HGRID_KEEP_ROLLED
    do {  // one loop, not two copies of the search
      body.search(block, search);
    } while (body.sink.commit(block, search, [] {}));
  }
}

template <class Block, class Body>
std::size_t shared_bytes_of(const Body& body) {
  return WarpSearch<Block, decltype(body.grid), decltype(body.sink.contact(body.grid))>::shared_bytes(body.grid.has_images());
}

/// Searches with one thread per slot, on the levels that visit and direction leave to it. With Visit::once: its own level,
/// Top-Down only in place, Bottom-Up also the coarser ones. With Visit::all: every level. Within levels of the common kind of
/// grid, SearchInPlace (device/search_in_place.hpp) is used instead.
template <class View, Visit visit, class Sink>
struct SearchSlots {
  View grid;
  Sink sink;
  word_t* next;

  static constexpr int most_registers = Sink::registers(registers_of<View>(40, 72, 64));
  static constexpr int most_registers_from_10_0 = most_registers + (View::Known::extended ? 8 : 0);

  template <class Block>
  std::size_t shared_bytes() const {
    return shared_bytes_of<Block>(*this);
  }
  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    search_tiles(*this, block);
  }
  HGRID_HD offset_t items() const { return grid.slots(); }

  template <class Block>
  HGRID_HD index_t slot(Block& block) const {
    const offset_t item = this_item(block), last = items() - 1;
    return static_cast<index_t>(item < last ? item : last);
  }

  template <class Block, class Search>
  HGRID_HD void search(Block& block, Search& search) const {
    const bool in_place = visit == Visit::once && grid.is_top_down();
    search.start();
    Cursor at{visit == Visit::all || in_place ? 0 : own_level(search), 0, this_item(block) < items() ? 0 : Cursor::none};
    do {
      if (!search.has_candidates() && at.run >= 0) {
        if (in_place) at.level = own_level(search);  // computed again, to save a register
        search.collect(at, in_place || (visit == Visit::once && at.level == own_level(search)), in_place);
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

/// Rows of at least this many cells are clipped to the sphere. Shorter rows have too few candidates for this to pay.
inline constexpr index_t cells_of_long_row = 16;

template <class View>
HGRID_HD inline bool is_clipped(const View& g, const Query<View::dimension>& query) {
  return !g.has_extents() && !query.scans_level && g.is_even() && !g.has_worlds() && query.range.width(0) >= cells_of_long_row;
}

/// Returns whether each row of a query is a strip of its own. Usually a strip has several rows, which share the cost of making
/// the query. Long rows are strips by themselves: clipped rows, and parts of a level that is scanned.
template <class View>
HGRID_HD inline bool has_single_rows(const View& g, const Query<View::dimension>& query) {
  return query.scans_level || is_clipped(g, query);
}

template <class View>
HGRID_HD inline index_t strips_of(const View& g, const Query<View::dimension>& query) {
  return has_single_rows(g, query) ? query.runs : (query.runs + most_runs - 1) / most_runs;
}

/// The strip queue. For each slot it has the queries to finer levels. In a periodic box they are followed by the queries to its
/// own level under other images, each of which is one strip. Few slots have any.
struct StripQueue {
  offset_t* begin;  ///< slot c of the queue has the strips [begin[c], begin[c + 1])
  offset_t* total;
};

/// Returns the first slot of the queue: in an open box the finest particles are not in it.
template <class View>
HGRID_HD inline index_t first_queued_slot(const View& g) {
  return g.has_images() ? 0 : g.level_begin[1];
}

/// Numbers the strips of all slots. A thread takes several slots, because taking a tile and summing up earlier tiles costs as
/// much as one slot.
template <class View>
struct QueueStrips {
  View grid;
  word_t* states;
  StripQueue queue;
  word_t* next;

  static constexpr int slots_each = 4;
  static constexpr int most_registers = registers_of<View>(40, 72, 64) + 16;

  template <class Block>
  static std::size_t shared_bytes() {
    return block_scratch_bytes + slots_each * Block::threads * sizeof(offset_t);
  }
  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    const index_t first = first_queued_slot(grid), items = grid.slots() - first;
    const offset_t tiles = (tiles_of<Block>(items) + slots_each - 1) / slots_each;
    auto* const before_in_warp = block.template shared<offset_t>(block_scratch_bytes) + block.thread();
    if (adds_up<4>(block, states, tiles, 0, queue.total)) {
      if (block.thread() == 0) queue.begin[items] = *queue.total;
      return;
    }
    for (offset_t tile; (tile = next_tile(block, next)) < tiles;) {
      const offset_t begin = (tile * Block::threads + block.warp() * 32) * slots_each + block.lane();
      offset_t sum = 0;  // of the warp's slots so far
      HGRID_KEEP_ROLLED
      for (int k = 0; k < slots_each; ++k) {
        const offset_t c = begin + 32 * k;
        const offset_t mine = c < items ? strips_of_slot(first + static_cast<index_t>(c)) : 0;
        const offset_t inclusive = sum_up_to_lane(block, mine);
        before_in_warp[k * Block::threads] = sum + inclusive - mine;
        sum += block.shuffle(inclusive, 31);
      }
      const auto scanned = scan_of_warps<offset_t>(block, sum);
      if (block.thread() == 0) publish_sum(block, states, static_cast<index_t>(tile), scanned.total);
      const offset_t before = sum_of_tiles_before(block, states, static_cast<index_t>(tile));
      for (int k = 0; k < slots_each; ++k) {
        const offset_t c = begin + 32 * k;
        if (c < items) queue.begin[c] = before + scanned.before + before_in_warp[k * Block::threads];
      }
    }
  }

 private:
  HGRID_HD offset_t strips_of_slot(index_t p) const {
    const int own = grid.level_of_slot(p);
    offset_t n = 0;
    for (int j = 0; j < own; ++j) {
      for_each_query<Visit::once>(grid, p, own, j, [&](const auto& query) { n += strips_of(grid, query); });
    }
    int images;
    image_of_query(grid, p, own, true, 0, images);
    return n + images;
  }
};

/// Returns the c with begin[c] <= w + lane < begin[c + 1]. w and n > 0 are common to the warp, begin[0] <= w, and begin
/// ascends. Searches for w with 32 probes per step, then from there for each lane's item.
template <class Block>
HGRID_HD index_t find_item(Block& block, const offset_t* begin, index_t n, offset_t w) {
  index_t lo = 0, hi = n;  // begin[lo] <= w < begin[hi]
  while (hi - lo > 1) {
    const index_t step = (hi - lo + 31) / 32, probe = lo + step * (block.lane() + 1);
    const int below = Block::bits(block.ballot(probe < hi && begin[probe < hi ? probe : lo] <= w));
    lo += step * below;
    hi = lo + step < hi ? lo + step : hi;
  }
  const auto behind = [&](std::uint32_t step, offset_t strip) {
    return static_cast<std::uint32_t>(n - lo) > step && begin[lo + static_cast<index_t>(step)] <= strip;
  };
  std::uint32_t step = 32;  // usually all lanes find their items among that many
  while (behind(step, w + 31)) step *= 2;
  for (step /= 2; step > 0; step /= 2) {
    if (behind(step, w + block.lane())) lo += static_cast<index_t>(step);
  }
  return lo;
}

/// Searches with one thread per strip of the queue.
template <class View, class Sink>
struct SearchStrips {
  View grid;
  Sink sink;
  StripQueue queue;
  word_t* next;

  static constexpr int most_registers = Sink::registers(registers_of<View>(40, 80, 72));
  static constexpr int most_registers_from_10_0 = most_registers + (View::Known::in_place ? 16 : 8);

  template <class Block>
  std::size_t shared_bytes() const {
    return shared_bytes_of<Block>(*this);
  }
  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    search_tiles(*this, block);
  }
  HGRID_HD offset_t items() const { return *queue.total; }

  template <class Block>
  HGRID_HD index_t slot(Block& block) const {
    const offset_t warp_first = this_item(block) - block.lane(), last = items() - 1;
    return first_queued_slot(grid) + find_item(block, queue.begin, queued_slots(), warp_first < last ? warp_first : last);
  }

  template <class Block, class Search>
  HGRID_HD void search(Block& block, Search& search) const {
    search.start();
    index_t row = this_item(block) < items() ? 0 : Cursor::none;
    do {
      if (!search.has_candidates() && row >= 0) {
        collect(search, this_item(block) - queue.begin[search.slot() - first_queued_slot(grid)], row);
      }
      search.test();
      sink.take(block, search);
    } while (block.ballot(row >= 0 || search.has_candidates()) != 0);
  }

 private:
  static constexpr int D = View::dimension;

  HGRID_HD index_t queued_slots() const { return grid.slots() - first_queued_slot(grid); }

  /// Collects runs of the slot's n-th strip, counted over levels, then images. A strip of rows is collected at once. An image's
  /// strip is collected from `row` on, which advances; at a strip's end it is none.
  template <class Search>
  HGRID_HD void collect(Search& search, offset_t n, index_t& row) const {
    HGRID_KEEP_ROLLED
    for (Cursor at{0, 0, 0};;) {
      const index_t p = search.slot();
      const bool own = grid.has_images() && p < grid.level_begin[at.level + 1];
      int images;
      const Shift<D> shift = image_of_query(grid, p, at.level, own, own ? static_cast<int>(n) : at.image, images);
      Query<D> query = make_query(grid, p, at.level, own, shift);
      const index_t strips = own ? 0 : strips_of(grid, query);
      if (own || n < strips) {
        search.aim(query);
        const index_t rows = own ? query.runs : has_single_rows(grid, query) ? 1 : most_runs;
        if (!own) row = static_cast<index_t>(n) * rows;
        if (!own && is_clipped(grid, query)) clip_row(at.level, query, row, search.slot()), row = 0;
        search.collect(at.level, query, row, row + rows < query.runs ? row + rows : query.runs);
        if (!own || row == query.runs) row = Cursor::none;
        return;
      }
      n -= strips;
      if (++at.image == images) at.image = 0, ++at.level;
    }
  }

  /// Reduces a query to the part of one row that the sphere may meet, or to nothing.
  HGRID_HD void clip_row(int j, Query<D>& query, index_t row, index_t p) const {
    if (!grid.has_images()) query.centre = grid.position(p);  // computed again, so that it occupies no registers until here
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

}  // namespace hgrid::inline v0_2::detail
