// SPDX-License-Identifier: BSD-3-Clause
// The search within levels, in place, of the common kind of grid: most of a device's time, from top to bottom in one file. A
// thread takes a slot, finds the rows of cells in reach in single precision, and tests four candidates a step; of each test
// only a sign is kept. The warp puts the slots that pass into one list. The predicate is asked where a candidate comes so near
// to just touching that single precision cannot tell.
#pragma once

#include "hgrid/core/filter.hpp"
#include "hgrid/device/level_in_place.hpp"
#include "hgrid/device/search_sinks.hpp"

namespace hgrid::inline v0_2::detail {

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
  static constexpr bool can_hold = true;  ///< contacts of a tile, while it searches the next

  static constexpr std::size_t shared_bytes(int most_hits) {
    return hits_at + static_cast<std::size_t>(warps * most_hits) * (sizeof(index_t) + sizeof(std::uint8_t));
  }

  /// `most_hits` is a power of two.
  HGRID_HD WarpInPlace(Block& block, const View& g, const Contact& on_contact, int most_hits)
      : block_(block), g_(g), contact_(on_contact), most_hits_(most_hits) {}

  /// Of the tile that is searched next.
  HGRID_HD void set_first_slot(index_t p) { first_slot_ = p; }

  /// Searches for the slot of this thread, if it has one; `take` is called whenever contacts have been kept.
  template <class Take>
  HGRID_HD void search(const LevelInPlace<D>* levels, const Take& take) {
    gone_ = kept_ = 0;
    const bool has_slot = first_slot_ + block_.thread() < g_.slots();
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
        *step(steps) = run.begin;
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
  HGRID_HD KeptContact<D> kept(int k) const { return contact_at(first_slot_, place(k)); }

  /// The tile's contacts stay at their end of the list while the next tile is searched, which begins at the other end; false
  /// where they would leave too little room.
  HGRID_HD bool hold() {
    if (kept_ > most_hits_ / 2) return false;
    held_ = kept_, from_ ^= most_hits_ - 1;
    return true;
  }
  HGRID_HD void forget_held() { held_ = 0; }
  struct Held {
    const WarpInPlace& search;
    index_t first_slot;  // of its tile
    HGRID_HD const View& grid() const { return search.g_; }
    HGRID_HD int kept() const { return search.held_; }
    HGRID_HD KeptContact<D> kept(int k) const { return search.contact_at(first_slot, search.most_hits_ - 1 - search.place(k)); }
  };
  HGRID_HD Held held(index_t first_slot) const { return {*this, first_slot}; }

 private:
  static constexpr int steps_at = block_scratch_bytes + warps * static_cast<int>(sizeof(WarpOfSink));
  static constexpr int hits_at = steps_at + most_steps * Block::threads * static_cast<int>(sizeof(index_t));

  /// The first candidate of the thread's k-th step. A warp's accesses meet different banks.
  HGRID_HD index_t* step(int k) const {
    return block_.template shared<index_t>(steps_at) + k * Block::threads + block_.thread();
  }
  /// The warp's list of hits, and of each the thread whose slot's candidate it is.
  HGRID_HD index_t* hits_of_warp() const { return block_.template shared<index_t>(hits_at) + block_.warp() * most_hits_; }
  HGRID_HD std::uint8_t* owners() const {
    constexpr int hit_bytes = warps * static_cast<int>(sizeof(index_t));
    return block_.template shared<std::uint8_t>(hits_at + hit_bytes * most_hits_) + block_.warp() * most_hits_;
  }

  /// Of the tile's k-th hit in the list.
  HGRID_HD int place(int k) const { return k ^ from_; }
  HGRID_HD int room() const { return most_hits_ - held_; }
  HGRID_HD KeptContact<D> contact_at(index_t first_slot, int at) const {
    return {first_slot + owners()[at], hits_of_warp()[at], {}};
  }

  /// Puts the hits of all lanes into the list, behind what is kept there, as many at once as find room, and decides them.
  template <class Take>
  HGRID_HD void keep(std::uint32_t hits, int steps, bool doubtful, const Take& take) {
    // Of the lane's hits in the list, which may be longer than its room.
    const auto end = sum_up_to_lane(block_, static_cast<index_t>(Block::bits(hits)));
    index_t all = kept_ + block_.shuffle(end, 31), to = kept_ + end - Block::bits(hits);
    const index_t* const first_of_step = step(steps - most_steps);
    index_t* const hit = hits_of_warp();
    std::uint8_t* const owner = owners();
    for (;;) {
      HGRID_KEEP_ROLLED
      for (; hits != 0 && to < room(); ++to) {
        const std::uint32_t bit = Block::highest_bit(hits), back = bit / candidates;  // steps before the last one
        hits ^= 1u << bit;
        const index_t last = first_of_step[(most_steps - 1 - back) * Block::threads] + candidates - 1;
        hit[place(to)] = last - static_cast<index_t>(bit % candidates);
        owner[place(to)] = static_cast<std::uint8_t>(block_.thread());
      }
      block_.warp_barrier();  // the hits of all lanes are there
      decide(all < room() ? all : room(), doubtful);
      take();
      if (all <= room()) return;
      gone_ += kept_, kept_ = 0;  // whoever writes must search again
      all -= room(), to -= room();
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
        hits_of_warp()[place(to)] = q, owners()[place(to)] = static_cast<std::uint8_t>(p - first_slot_);
      }
      kept += Block::bits(all);
      block_.warp_barrier();  // what is kept is there
    }
    kept_ = kept;
  }

  Block& block_;
  const View& g_;
  Contact contact_;
  int most_hits_;
  index_t first_slot_ = 0;  ///< of the block's tile
  int kept_ = 0, held_ = 0;
  int from_ = 0;       ///< turns places round where the tile's hits begin at the list's end
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
  int most_hits = 256;  ///< of a warp, that wait in its list

  static constexpr int most_registers = Sink::registers(64);

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    if (!sink.template has_tiles<8>(block, tiles_of<Block>(items()))) return;
    WarpInPlace search(block, grid, sink.contact(grid), most_hits);
    next_tile(block, next);
    while (this_tile(block) < tiles_of<Block>(items())) {
      search.set_first_slot(static_cast<index_t>(this_tile(block) * Block::threads));
      sink.start(block);
      HGRID_KEEP_ROLLED
      do {
        search.search(levels, [&] { sink.take(block, search); });
      } while (sink.commit(block, search, [&] { take_tile(block, next); }));
      block.barrier();
    }
    sink.finish(block, search);
  }
  HGRID_HD offset_t items() const { return grid.slots(); }

  template <class Block>
  std::size_t shared_bytes() const {
    return WarpInPlace<Block, View, decltype(sink.contact(grid))>::shared_bytes(most_hits);
  }
};

}  // namespace hgrid::inline v0_2::detail
