// SPDX-License-Identifier: BSD-3-Clause
// Full lists within levels, in place, for the common kind of grid. The thread of a slot finds all its partners, first to count
// them and then to write them at their place. So nothing needs atomics, unlike lists that are made of pairs; but each pair is
// tested from both sides, and twice.
#pragma once

#include "hgrid/core/search.hpp"
#include "hgrid/device/lane_in_place.hpp"
#include "hgrid/find/list_entries.hpp"

namespace hgrid::inline v0_2::detail {

/// Calls f(p, hits, steps) after each test of a thread's slot p, as often as there are more candidates, and `end(p)` after the
/// last. A warp takes 32 slots at a time, because it does not depend on other warps.
template <class Block, class View, class F, class End>
HGRID_HD void for_each_test_in_place(Block& block, const View& g, const LevelInPlace<View::dimension>* levels, word_t* next,
                                     const F& f, const End& end) {
  using Lane = LaneInPlace<Block, View::dimension, Visit::all>;
  for (;;) {
    const word_t taken = block.lane() == 0 ? block.add(next, word_t{1}) : 0;
    const auto first = static_cast<offset_t>(block.shuffle(taken, 0)) * 32;
    if (first >= g.slots()) return;
    const bool has_slot = first + block.lane() < g.slots();
    const auto p = static_cast<index_t>(has_slot ? first + block.lane() : first);
    Lane lane(block, g.filter, level_of_slot(block, levels, p), p, has_slot, block_scratch_bytes);
    bool more;
    do {
      more = lane.test();
      const index_t* const steps = lane.first_of_step();
      if (lane.is_doubtful()) {
        HGRID_KEEP_ROLLED
        for (std::uint32_t left = lane.hits; left != 0;) {
          const std::uint32_t bit = Block::highest_bit(left);
          left ^= 1u << bit;
          if (!in_contact(g, p, Lane::candidate(steps, bit), {})) lane.hits ^= 1u << bit;
        }
      }
      f(p, lane.hits, steps);
    } while (more);
    if (has_slot) end(p);
  }
}

template <class Block, int D>
inline constexpr std::size_t shared_bytes_of_lists = block_scratch_bytes + LaneInPlace<Block, D, Visit::all>::shared_bytes;

/// Counts the partners of each particle on its level in place.
template <class View>
struct CountInPlace {
  View grid;
  const LevelInPlace<View::dimension>* levels;
  word_t* next;
  offset_t* counts;

  static constexpr int most_registers = 64;

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    index_t n = 0;
    for_each_test_in_place(
        block, grid, levels, next, [&](index_t, std::uint32_t hits, const index_t*) { n += Block::bits(hits); },
        [&](index_t p) { counts[grid.id[p]] = n, n = 0; });
  }
  template <class Block>
  std::size_t shared_bytes() const {
    return shared_bytes_of_lists<Block, View::dimension>;
  }
};

/// Writes the partners at the beginning of the particle's list, if the lists have room, and stores where the list continues.
template <class View, class Entries>
struct FillInPlace {
  View grid;
  const LevelInPlace<View::dimension>* levels;
  word_t* next;
  const offset_t* offsets;
  offset_t* ends;
  Entries out;
  ListsHaveRoom have_room;

  static constexpr int most_registers = 64;

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    if (!have_room()) return;
    offset_t to = -1;  // none before the first test
    for_each_test_in_place(
        block, grid, levels, next,
        [&](index_t p, std::uint32_t hits, const index_t* steps) {
          if (to < 0) to = offsets[grid.id[p]];
          HGRID_KEEP_ROLLED
          for (; hits != 0; ++to) {
            const std::uint32_t bit = Block::highest_bit(hits);
            hits ^= 1u << bit;
            const index_t q = LaneInPlace<Block, View::dimension, Visit::all>::candidate(steps, bit);
            const Image image = user_image(grid, p, q, {});
            out.put(to, grid.id[q], View::Known::open ? nullptr : &image);
          }
        },
        [&](index_t p) { ends[grid.id[p]] = to, to = -1; });
  }
  template <class Block>
  std::size_t shared_bytes() const {
    return shared_bytes_of_lists<Block, View::dimension>;
  }
};

}  // namespace hgrid::inline v0_2::detail
