// SPDX-License-Identifier: BSD-3-Clause
// The search within levels, in place, of the common kind of grid: most of a device's time, from top to bottom in one file. A
// thread takes a slot, finds the rows of cells in reach in single precision, and tests four candidates a step; of each test
// only a sign is kept. The warp puts the slots that pass into one list. The predicate is asked where a candidate comes so near
// to just touching that single precision cannot tell.
#pragma once

#include "hgrid/core/filter.hpp"
#include "hgrid/device/level_in_place.hpp"
#include "hgrid/device/search_sinks.hpp"

namespace hgrid::inline v0_1::detail {

/// The rows of cells that may hold partners of a slot in slots behind it.
template <int D>
class RowsInPlace {
 public:
  /// Of slot p, in reach of its record. Slots ascend with layers, then rows, so none is in a row before that of p. Where there
  /// are more rows than slots on the level behind p, these are one run, which bounds the work at any size ratio.
  HGRID_HD RowsInPlace(const LevelInPlace<D>& level, const FilterRecord& own, index_t p, SlotRun& run) {
    const float x[] = {own.x, own.y, own.z}, reach = own.r + level.reach;
    Vec<index_t, D> first, last, home;
    for (int k = 0; k < D; ++k) {
      const float t = fma_any(x[k], level.inverse[k], level.offset[k]);
      const float margin = fma_any(std::fabs(t), 0x1p-21f, level.margin[k]);
      const float half = fma_any(reach, level.inverse[k], margin);
      const auto cell_of = [&](float at) { return clamped_cell(at, level.cells[k] - 1); };
      first[k] = cell_of(t - half), last[k] = cell_of(t + half), home[k] = cell_of(t - margin);
    }
    index_t row = home[1];
    rows_ = last[1] - first[1] + 1, left_ = in_layer_ = last[1] - home[1] + 1;
    if constexpr (D == 3) {
      left_ += (last[2] - home[2]) * rows_, row += home[2] * level.cells[1];
      next_layer_ = (level.cells[1] - rows_ + 1) * level.cells[0];
    }
    begin_ = level.cell_begin, at_ = static_cast<std::uint32_t>(row * level.cells[0] + first[0]);
    cells_ = static_cast<std::uint32_t>(last[0] - first[0] + 1), next_row_ = level.cells[0];
    if (left_ >= level.end - p) run = {p + 1, level.end}, left_ = 0;
  }

  HGRID_HD void forget() { left_ = 0; }
  HGRID_HD bool empty() const { return left_ == 0; }

  /// The next row's slots behind p.
  HGRID_HD SlotRun next(index_t p) {
    const index_t first = begin_[at_];
    const SlotRun run{p < first ? first : p + 1, begin_[at_ + cells_]};
    --left_;
    const bool ends_layer = D == 3 && --in_layer_ == 0;
    at_ += static_cast<std::uint32_t>(ends_layer ? next_layer_ : next_row_);
    if (ends_layer) in_layer_ = rows_;
    return run;
  }

 private:
  const index_t* begin_;      ///< where the slots of the level's cells begin
  std::uint32_t at_, cells_;  ///< the next row's first cell in reach; how many of a row are
  index_t left_;              ///< rows
  index_t rows_, in_layer_;   ///< of a layer; that are left of this one
  index_t next_row_, next_layer_ = 0;
};

/// The lanes of a warp together. `contact(p, q, shift)` is called once for each partner q of a slot p of the warp that its
/// search finds, by any lane, and says whether to keep it. Up to `most_hits` stay here, in the order of their slots.
template <class Block, class View, class Contact>
class WarpInPlace {
  static constexpr int D = View::dimension;
  static constexpr int candidates = 4;                // of a step
  static constexpr int most_steps = 32 / candidates;  // whose signs fit a word
  static constexpr int warps = Block::threads / 32;
  static_assert(candidates <= records_behind_last);

 public:
  static constexpr int most_hits = 256;
  struct Shared {
    index_t step[most_steps][Block::threads];  // the first candidate of each step; a warp's accesses meet different banks
    index_t hit[warps][most_hits];
    std::uint8_t owner[warps][most_hits];  // the thread whose slot's candidate it is
  };
  static constexpr int shared_begin = block_scratch_bytes + warps * sizeof(offset_t);  // behind what the sink keeps
  static constexpr std::size_t shared_end = shared_begin + sizeof(Shared);

  HGRID_HD WarpInPlace(Block& block, const View& g, const Contact& on_contact, index_t first_slot)
      : block_(block),
        g_(g),
        contact_(on_contact),
        first_slot_(first_slot),
        shared_(*block.template shared<Shared>(shared_begin)) {}

  /// Searches for the slot of this thread, if it has one; `take` is called whenever contacts have been kept.
  template <class Take>
  HGRID_HD void search(const LevelInPlace<D>* levels, bool has_slot, const Take& take) {
    gone_ = kept_ = 0;
    const index_t p = has_slot ? first_slot_ + block_.thread() : first_slot_;
    const FilterRecord own = block_.load(&g_.filter[p]);
    int h = 0;
    while (p >= levels[h].end) ++h;
    const LevelInPlace<D> level = block_.load(&levels[h]);
    SlotRun run{0, 0};
    RowsInPlace<D> rows(level, own, p, run);
    if (!has_slot) rows.forget(), run = {0, 0};
    const float doubtful = level.doubtful(own);
    bool more;
    do {
      std::uint32_t hits = 0;  // a bit for each candidate, that of the last one the lowest
      float least = HUGE_VALF;
      int steps = 0;
      HGRID_KEEP_ROLLED
      do {
        if (run.begin >= run.end && !rows.empty()) run = rows.next(p);
        shared_.step[steps][block_.thread()] = run.begin;
        for (int k = 0; k < candidates; ++k) {
          const float excess = excess_of(own, block_.load(&g_.filter[run.begin + k]));
          hits = Block::with_sign(hits, excess);
          least = std::fmin(least, std::fabs(excess));
        }
        run.begin += candidates;
        const index_t behind = run.begin - run.end;  // slots that are not in the run
        hits &= ~0u << (behind < 0 ? 0 : behind < candidates ? behind : candidates);
        if (behind > 0) run.begin = run.end;
        more = block_.ballot(behind < 0 || !rows.empty()) != 0;
      } while (++steps < most_steps && more);
      keep(hits, steps, block_.ballot(least <= doubtful) != 0, take);
    } while (more);
  }

  HGRID_HD const View& grid() const { return g_; }
  HGRID_HD offset_t found() const { return gone_ + kept_; }  ///< contacts of the warp
  HGRID_HD int kept() const { return kept_; }                ///< those of them that are here; fewer if they found no room
  HGRID_HD void forget_kept() { kept_ = 0; }
  HGRID_HD KeptContact<D> kept(int k) const {
    return {first_slot_ + shared_.owner[block_.warp()][k], shared_.hit[block_.warp()][k], {}};
  }

 private:
  /// Puts the hits of all lanes into the list, behind what is kept there, as many at once as find room, and decides them.
  template <class Take>
  HGRID_HD void keep(std::uint32_t hits, int steps, bool doubtful, const Take& take) {
    // Of the lane's hits in the list, which may be longer than its room.
    const auto end = sum_up_to_lane(block_, static_cast<index_t>(Block::bits(hits)));
    index_t all = kept_ + block_.shuffle(end, 31), to = kept_ + end - Block::bits(hits);
    const index_t* const first_of_step = &shared_.step[0][block_.thread()] + (steps - most_steps) * Block::threads;
    index_t* const hit = shared_.hit[block_.warp()];
    std::uint8_t* const owner = shared_.owner[block_.warp()];
    for (;;) {
      HGRID_KEEP_ROLLED
      for (; hits != 0 && to < most_hits; ++to) {
        const std::uint32_t bit = Block::highest_bit(hits), back = bit / candidates;  // steps before the last one
        hits ^= 1u << bit;
        const index_t last = first_of_step[(most_steps - 1 - back) * Block::threads] + candidates - 1;
        hit[to] = last - static_cast<index_t>(bit % candidates);
        owner[to] = static_cast<std::uint8_t>(block_.thread());
      }
      block_.warp_barrier();  // the hits of all lanes are there
      decide(all < most_hits ? all : most_hits, doubtful);
      take();
      if (all <= most_hits) return;
      gone_ += kept_, kept_ = 0;  // whoever writes must search again
      all -= most_hits, to -= most_hits;
    }
  }

  /// Decides the hits from those that are kept to `end`, a lane each, and keeps what stays behind those that are kept already.
  HGRID_HD void decide(int end, bool doubtful) {
    if (Contact::keeps_all && !doubtful) {
      kept_ = end;
      return;
    }
    int kept = kept_;
    HGRID_KEEP_ROLLED
    for (int first = kept_; first < end; first += 32) {
      const int k = first + block_.lane();
      const auto [p, q, shift] = this->kept(k < end ? k : first);
      const bool touches = k < end && (!doubtful || in_contact(g_, p, q, shift)), stays = touches && contact_(p, q, shift);
      const std::uint32_t all = block_.ballot(stays);
      gone_ += Block::bits(block_.ballot(touches && !stays));
      block_.warp_barrier();  // all have read theirs
      if (stays) {
        const int to = kept + Block::bits(all & ((1u << block_.lane()) - 1));
        shared_.hit[block_.warp()][to] = q;
        shared_.owner[block_.warp()][to] = static_cast<std::uint8_t>(p - first_slot_);
      }
      kept += Block::bits(all);
      block_.warp_barrier();  // what is kept is there
    }
    kept_ = kept;
  }

  Block& block_;
  const View& g_;
  Contact contact_;
  index_t first_slot_;  ///< of the block's tile
  Shared& shared_;
  int kept_ = 0;
  offset_t gone_ = 0;  ///< contacts that are not kept
};

/// A thread per slot of a grid of the common kind.
template <class View, class Sink>
struct SearchInPlace {
  static constexpr int D = View::dimension;
  View grid;
  Sink sink;
  const LevelInPlace<D>* levels;
  word_t* next;

  static constexpr int most_registers = Sink::registers(64);

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    while (next_tile(block, next) < tiles_of<Block>(items())) {
      const auto first = static_cast<index_t>(this_tile(block) * Block::threads);
      sink.start(block);
      WarpInPlace search(block, grid, sink.contact(grid), first);
      HGRID_KEEP_ROLLED
      do {
        search.search(levels, first + block.thread() < grid.slots(), [&] { sink.take(block, search); });
      } while (sink.commit(block, search, [&] { return tiles_of<Block>(items()); }));
    }
  }
  HGRID_HD offset_t items() const { return grid.slots(); }

  template <class Block>
  std::size_t shared_bytes() const {
    return WarpInPlace<Block, View, decltype(sink.contact(grid))>::shared_end;
  }
};

}  // namespace hgrid::inline v0_1::detail
