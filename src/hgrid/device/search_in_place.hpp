// SPDX-License-Identifier: BSD-3-Clause
// The search for pairs within levels, in place, for the common kind of grid: most of a device's time. A thread takes a slot
// (lane_in_place.hpp), and the warp collects the slots that pass into one list. The predicate is evaluated only if a candidate
// comes so close to just touching that single precision cannot decide.
#pragma once

#include "hgrid/device/lane_in_place.hpp"
#include "hgrid/device/search_sinks.hpp"

namespace hgrid::inline v0_2::detail {

/// The lanes of a warp together. The search calls `contact(p, q, shift)` once for each partner q of a slot p of the warp, from
/// any lane. It returns whether to keep the contact here. Up to `most_hits` are kept, in the order of their slots.
template <class Block, class View, class Contact>
class WarpInPlace {
  static constexpr int D = View::dimension;
  static constexpr int warps = Block::threads / 32;
  using Lane = LaneInPlace<Block, D, Visit::once>;

 public:
  static constexpr bool can_hold = true;  ///< contacts of a tile, while it searches the next one

  static constexpr std::size_t shared_bytes(int most_hits) {
    return hits_at + static_cast<std::size_t>(warps * most_hits) * (sizeof(index_t) + sizeof(std::uint8_t));
  }

  /// `most_hits` must be a power of two.
  HGRID_HD WarpInPlace(Block& block, const View& g, const Contact& on_contact, int most_hits)
      : block_(block), g_(g), contact_(on_contact), most_hits_(most_hits) {}

  /// Sets the first slot of the tile that is searched next.
  HGRID_HD void set_first_slot(index_t p) { first_slot_ = p; }

  /// Searches for the slot of this thread, if it has one. Calls `take` whenever contacts have been kept.
  template <class Take>
  HGRID_HD void search(const LevelInPlace<D>* levels, const Take& take) {
    gone_ = kept_ = 0;
    const bool has_slot = first_slot_ + block_.thread() < g_.slots();
    const index_t p = has_slot ? first_slot_ + block_.thread() : first_slot_;
    Lane lane(block_, g_.filter, level_of_slot(block_, levels, p), p, has_slot, steps_at);
    bool more;
    do {
      more = lane.test();
      keep(lane, block_.ballot(lane.is_doubtful()) != 0, take);
    } while (more);
  }

  HGRID_HD const View& grid() const { return g_; }
  HGRID_HD offset_t found() const { return gone_ + kept_; }  ///< contacts of the warp
  HGRID_HD int kept() const { return kept_; }                ///< contacts kept here; fewer if there was no room
  HGRID_HD void forget_kept() { kept_ = 0; }
  HGRID_HD KeptContact<D> kept(int k) const { return contact_at(first_slot_, place(k)); }

  /// Keeps the tile's contacts at their end of the list while the next tile is searched, which begins at the other end. Returns
  /// false if they would leave too little room.
  HGRID_HD bool hold() {
    if (kept_ > most_hits_ / 2) return false;
    held_ = kept_, from_ ^= most_hits_ - 1;
    return true;
  }
  HGRID_HD void forget_held() { held_ = 0; }
  struct Held {
    const WarpInPlace& search;
    index_t first_slot;  // first slot of its tile
    HGRID_HD const View& grid() const { return search.g_; }
    HGRID_HD int kept() const { return search.held_; }
    HGRID_HD KeptContact<D> kept(int k) const { return search.contact_at(first_slot, search.most_hits_ - 1 - search.place(k)); }
  };
  HGRID_HD Held held(index_t first_slot) const { return {*this, first_slot}; }

 private:
  static constexpr int steps_at = block_scratch_bytes + warps * static_cast<int>(sizeof(WarpOfSink));
  static constexpr int hits_at = steps_at + Lane::shared_bytes;

  /// The warp's list of hits. `owners` holds for each hit the thread whose slot it is a candidate of.
  HGRID_HD index_t* hits_of_warp() const { return block_.template shared<index_t>(hits_at) + block_.warp() * most_hits_; }
  HGRID_HD std::uint8_t* owners() const {
    constexpr int hit_bytes = warps * static_cast<int>(sizeof(index_t));
    return block_.template shared<std::uint8_t>(hits_at + hit_bytes * most_hits_) + block_.warp() * most_hits_;
  }

  /// Returns the place in the list of the tile's k-th hit.
  HGRID_HD int place(int k) const { return k ^ from_; }
  HGRID_HD int room() const { return most_hits_ - held_; }
  HGRID_HD KeptContact<D> contact_at(index_t first_slot, int at) const {
    return {first_slot + owners()[at], hits_of_warp()[at], {}};
  }

  /// Appends the hits of all lanes to the kept ones, as many at once as fit, and decides them.
  template <class Take>
  HGRID_HD void keep(const Lane& lane, bool doubtful, const Take& take) {
    std::uint32_t hits = lane.hits;
    // The end of the lane's hits in the list, which may be longer than its room.
    const auto end = sum_up_to_lane(block_, static_cast<index_t>(Block::bits(hits)));
    index_t all = kept_ + block_.shuffle(end, 31), to = kept_ + end - Block::bits(hits);
    const index_t* const first_of_step = lane.first_of_step();
    index_t* const hit = hits_of_warp();
    std::uint8_t* const owner = owners();
    for (;;) {
      HGRID_KEEP_ROLLED
      for (; hits != 0 && to < room(); ++to) {
        const std::uint32_t bit = Block::highest_bit(hits);
        hits ^= 1u << bit;
        hit[place(to)] = Lane::candidate(first_of_step, bit);
        owner[place(to)] = static_cast<std::uint8_t>(block_.thread());
      }
      block_.warp_barrier();  // the hits of all lanes are there
      decide(all < room() ? all : room(), doubtful);
      take();
      if (all <= room()) return;
      gone_ += kept_, kept_ = 0;  // they were not all written: the writing pass must search again
      all -= room(), to -= room();
    }
  }

  /// Decides the hits from the kept ones up to `end`, one per lane, and appends the contacts that stay to the kept ones.
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
      block_.warp_barrier();  // all lanes have read their hits
      if (stays) {
        const int to = kept + Block::bits(all & ((1u << block_.lane()) - 1));
        hits_of_warp()[place(to)] = q, owners()[place(to)] = static_cast<std::uint8_t>(p - first_slot_);
      }
      kept += Block::bits(all);
      block_.warp_barrier();  // the kept contacts are written
    }
    kept_ = kept;
  }

  Block& block_;
  const View& g_;
  Contact contact_;
  int most_hits_;
  index_t first_slot_ = 0;  ///< of the block's tile
  int kept_ = 0, held_ = 0;
  int from_ = 0;       ///< mirrors places if the tile's hits begin at the list's end
  offset_t gone_ = 0;  ///< contacts that are not kept
};

/// Searches with one thread per slot of a grid of the common kind.
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
