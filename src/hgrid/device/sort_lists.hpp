// SPDX-License-Identifier: BSD-3-Clause
// Sorting the lists of a list on devices: short ones by a thread each, long ones by a block each, so
// that the neighbours of one large particle do not keep a single thread busy. In place, for lists of any length.
#pragma once

#include "hgrid/core/entry_order.hpp"
#include "hgrid/device/block.hpp"

namespace hgrid::inline v0_1::detail {

/// The lists that are too long for a thread, in no particular order.
struct LongLists {
  std::uint32_t* list;
  offset_t* count;  // zero before
  word_t* next;     // the next to be taken by a block; zero before

  /// How many there can be in a list, and bytes for them: counters first.
  template <class Block>
  static offset_t most(offset_t lists, offset_t entries) {
    const offset_t n = entries / (Block::threads + 1);
    return n < lists ? n : lists;
  }
  static std::size_t bytes(offset_t most) { return 16 + static_cast<std::size_t>(most) * sizeof(std::uint32_t); }
  static LongLists in(void* memory) {
    auto* const words = static_cast<char*>(memory);
    return {reinterpret_cast<std::uint32_t*>(words + 16), reinterpret_cast<offset_t*>(words),
            reinterpret_cast<word_t*>(words + 8)};
  }
};

/// Sorts a list that has no more entries than a block has threads, or notes it.
template <class Exec, class Offset, class Entries>
struct SortShortList {
  const Offset* offsets;
  Entries entries;
  LongLists rest;

  HGRID_HD void operator()(offset_t list) const {
    const offset_t n = offsets[list + 1] - offsets[list];
    if (n <= Exec::Block::threads) {
      entries.sort(offsets[list], n);
    } else {
      rest.list[Exec::atomic_add(rest.count, offset_t{1})] = static_cast<std::uint32_t>(list);
    }
  }
};

/// Sorts n entries from `begin` on by all threads of the block: Batcher's bitonic network, in the form in which every
/// comparator puts the lesser entry first; those with a partner beyond the end then change nothing, and are left out.
template <class Block, class Entries>
HGRID_HD void sort_by_block(Block& block, const Entries& entries, offset_t begin, offset_t n) {
  for (offset_t merged = 2; merged < 2 * n; merged *= 2) {
    offset_t partner_of = merged - 1;  // first mirrored in the two sorted halves, then as far off as a half is long
    for (offset_t half = merged / 2; half > 0; half /= 2, partner_of = half) {
      offset_t k;
      for (offset_t c = block.thread(); (k = 2 * c - (c & (half - 1))) < n; c += Block::threads) {
        const offset_t partner = k ^ partner_of;
        if (partner < n) order(entries, begin + k, begin + partner);
      }
      block.barrier();
    }
  }
}

/// Sorts the lists that were noted, a block each.
template <class Offset, class Entries>
struct SortLongLists {
  static constexpr int most_registers = 40;

  const Offset* offsets;
  Entries entries;
  LongLists lists;

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    for (offset_t taken; (taken = next_tile(block, lists.next)) < *lists.count;) {
      const offset_t list = lists.list[taken];
      sort_by_block(block, entries, offsets[list], offsets[list + 1] - offsets[list]);
    }
  }
};

/// All lists, on an executor with `launch`; `rest` has room for LongLists::most of them.
template <class Exec, class Offset, class Entries>
void sort_lists_on_device(const Exec& exec, offset_t lists, const Offset* offsets, const Entries& entries,
                          const LongLists& rest) {
  exec.for_each("hgrid::sort_short_lists", lists, SortShortList<Exec, Offset, Entries>{offsets, entries, rest});
  exec.launch("hgrid::sort_long_lists", block_scratch_bytes, SortLongLists<Offset, Entries>{offsets, entries, rest});
}

}  // namespace hgrid::inline v0_1::detail
