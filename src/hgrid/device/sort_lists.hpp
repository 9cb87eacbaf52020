// SPDX-License-Identifier: BSD-3-Clause
// Sorts the lists of a list on devices, in place: a warp takes several short lists at once, or a middle one; a block takes a
// long one, so that the neighbors of one large particle do not keep a warp busy. Lists that fit in scratch memory are sorted
// there; longer lists, of any length, in place.
#pragma once

#include "hgrid/core/entry_order.hpp"
#include "hgrid/device/block.hpp"
#include "hgrid/device/team_sort.hpp"

namespace hgrid::inline v0_2::detail {

/// The lists that are too long for a warp, in arbitrary order.
struct LongLists {
  static constexpr int most_of_warp = 256;  ///< entries
  static constexpr std::size_t counters = 24;

  std::uint32_t* list;
  word_t* count;      // zero before
  word_t* next;       // next list to be taken by a block; zero before
  word_t* next_tile;  // next tile of all lists, taken by a block of warps; zero before

  /// Returns how many there can be in a list. The next function returns bytes for them: counters first.
  static offset_t most(offset_t lists, offset_t entries) {
    const offset_t n = entries / (most_of_warp + 1);
    return n < lists ? n : lists;
  }
  static std::size_t bytes(offset_t most) { return counters + static_cast<std::size_t>(most) * sizeof(std::uint32_t); }
  static LongLists in(void* memory) {
    auto* const words = static_cast<word_t*>(memory);
    return {reinterpret_cast<std::uint32_t*>(words + 3), words, words + 1, words + 2};
  }
};

template <class Block>
HGRID_HD int sum_over_warp(Block& block, int v) {
  for (int distance = 16; distance > 0; distance /= 2) v += block.shuffle(v, (block.lane() + distance) % 32);
  return v;
}

/// The lanes of this thread's warp, as a team.
template <class Block>
struct WarpTeam {
  static constexpr int threads = 32;
  Block& block;
  HGRID_HD int thread() const { return block.lane(); }
  HGRID_HD void barrier() const { block.warp_barrier(); }
  HGRID_HD bool any(bool bit) const { return block.ballot(bit) != 0; }
  HGRID_HD int sum_of_warp(int v) const { return sum_over_warp(block, v); }
};

template <class Block>
struct BlockTeam {
  static constexpr int threads = Block::threads;
  Block& block;
  HGRID_HD int thread() const { return block.thread(); }
  HGRID_HD void barrier() const { block.barrier(); }
  HGRID_HD bool any(bool bit) const { return block_scan<int>(block, bit).total > 0; }
  HGRID_HD int sum_of_warp(int v) const { return sum_over_warp(block, v); }
};

/// Sorts lists that fit in the scratch memory of a warp, and notes the others.
template <class Offset, class Entries>
struct SortShortLists {
  static constexpr int most_registers = 40;
  static constexpr int most = LongLists::most_of_warp;
  static constexpr int most_of_lane = 4;  ///< most entries of lists that lanes sort alone, if the warp has no longer ones
  static constexpr int most_ranked = 40;  ///< most entries of a list that is sorted with others; merging longer ones is faster
  using Room = SortRoom<Entries, most>;

  offset_t lists;
  int lists_of_warp;  ///< lists that a warp takes in one go, at most 32
  const Offset* offsets;
  Entries entries;
  LongLists rest;

  template <class Block>
  static constexpr std::size_t scratch_bytes() {
    return block_scratch_bytes + Block::threads / 32 * sizeof(Room);
  }

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    const offset_t lists_of_block = Block::threads / 32 * lists_of_warp;
    for (offset_t tile; (tile = next_tile(block, rest.next_tile) * lists_of_block) < lists;) {
      sort_some(block, tile + block.warp() * lists_of_warp);
    }
  }

 private:
  /// Sorts the lists of one warp, from `first` on; each lane has one.
  template <class Block>
  HGRID_HD void sort_some(Block& block, offset_t first) const {
    const int lane = block.lane();
    const offset_t behind_last = first + lists_of_warp < lists ? first + lists_of_warp : lists;
    const offset_t list = first + lane < behind_last ? first + lane : behind_last;
    const offset_t begin = offsets[list], end = offsets[list < behind_last ? list + 1 : list];
    if (block.ballot(end - begin > most_of_lane) == 0) return sort_by_insertion(entries, begin, end - begin);
    if (end - begin > most) rest.list[block.add(rest.count, word_t{1})] = static_cast<std::uint32_t>(list);

    auto& room = *block.template shared<Room>(block_scratch_bytes + block.warp() * static_cast<int>(sizeof(Room)));
    WarpTeam<Block> team{block};
    HGRID_KEEP_ROLLED
    for (int at = 0, behind; at < lists_of_warp; at = behind) {  // lists before `behind` are sorted together
      const offset_t from = block.shuffle(begin, at);
      const std::uint32_t others = block.ballot(lane > at && (end - from > most || end - begin > most_ranked));
      const bool is_alone = block.shuffle(end - begin > most_ranked, at);
      behind = is_alone ? at + 1 : others == 0 ? 32 : Block::lowest_bit(others);
      const offset_t n = block.shuffle(end, behind - 1) - from;
      if (n > most) continue;
      using Sort = TeamSort<WarpTeam<Block>, Entries, most>;
      const Sort sort(team, room, entries, from, static_cast<int>(n));
      if (is_alone) {
        sort.sort();
      } else if (n > 1) {
        if (lane >= at && lane < behind) Sort::note_list(room, static_cast<int>(begin - from), static_cast<int>(end - from));
        sort.sort_lists();
      }
    }
  }
};

template <class Entries>
HGRID_HD void order_entries(const Entries& entries, offset_t a, offset_t b) {
  const auto one = entries.entry(a), other = entries.entry(b);
  if (Entries::less(other, one)) entries.set(a, other), entries.set(b, one);
}

/// Sorts n entries from `begin` on with all threads of the block, by Batcher's bitonic network in the form in which every
/// comparator puts the lesser entry first. Comparators with a partner beyond the end would change nothing, and are left out.
template <class Block, class Entries>
HGRID_HD void sort_by_block(Block& block, const Entries& entries, offset_t begin, offset_t n) {
  for (offset_t merged = 2; merged < 2 * n; merged *= 2) {
    offset_t partner_of = merged - 1;  // first mirrored in the two sorted halves, then at the distance of half
    for (offset_t half = merged / 2; half > 0; half /= 2, partner_of = half) {
      offset_t k;
      for (offset_t c = block.thread(); (k = 2 * c - (c & (half - 1))) < n; c += Block::threads) {
        const offset_t partner = k ^ partner_of;
        if (partner < n) order_entries(entries, begin + k, begin + partner);
      }
      block.barrier();
    }
  }
}

/// Sorts the lists that were noted, one per block.
template <class Offset, class Entries>
struct SortLongLists {
  static constexpr int most_registers = 40;
  static constexpr int most = 1792;  ///< most entries that fit in the scratch memory of a block
  using Room = SortRoom<Entries, most>;

  const Offset* offsets;
  Entries entries;
  LongLists lists;

  static constexpr std::size_t scratch_bytes() { return block_scratch_bytes + sizeof(Room); }

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    const auto count = static_cast<offset_t>(*lists.count);
    for (offset_t taken; (taken = next_tile(block, lists.next)) < count;) {
      const offset_t list = lists.list[taken], begin = offsets[list], n = offsets[list + 1] - begin;
      if (n > most) {
        sort_by_block(block, entries, begin, n);
      } else {
        BlockTeam<Block> team{block};
        auto& room = *block.template shared<Room>(block_scratch_bytes);
        TeamSort<BlockTeam<Block>, Entries, most>(team, room, entries, begin, static_cast<int>(n)).sort();
      }
    }
  }
};

/// Sorts all lists, which have at most `count` entries together, on an executor with `launch`. `rest` must have room for
/// LongLists::most of them.
template <class Exec, class Offset, class Entries>
void sort_lists_on_device(const Exec& exec, offset_t lists, const Offset* offsets, const Entries& entries, offset_t count,
                          const LongLists& rest) {
  using Block = typename Exec::Block;
  if (lists <= 0) return;
  constexpr offset_t entries_of_warp = 512;  // so that few particles with many neighbors are also shared out
  const offset_t few = entries_of_warp * lists / (count > 0 ? count : 1);
  const int lists_of_warp = few < 1 ? 1 : static_cast<int>(few < 32 ? few : 32);
  const SortShortLists<Offset, Entries> body{lists, lists_of_warp, offsets, entries, rest};
  exec.launch("hgrid::sort_short_lists", body.template scratch_bytes<Block>(), body);
  exec.launch("hgrid::sort_long_lists", SortLongLists<Offset, Entries>::scratch_bytes(),
              SortLongLists<Offset, Entries>{offsets, entries, rest});
}

}  // namespace hgrid::inline v0_2::detail
