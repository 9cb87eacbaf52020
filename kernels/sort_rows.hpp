// SPDX-License-Identifier: BSD-3-Clause
// The rows of a neighbour list on devices: short ones are sorted by a thread each, long ones by a block, so that the
// neighbours of one large particle do not keep a single thread busy. In place, for rows of any length.
#pragma once

#include "hgrid/build/row_order.hpp"
#include "hgrid/kernels/block.hpp"

namespace hgrid {

/// Sorts n entries from `begin` on by all threads of the block: Batcher's bitonic network, in the form in which every
/// comparator puts the lesser entry first; those with a partner beyond the end then change nothing, and are left out.
template <class Block>
HGRID_HD void sort_by_block(Block& block, const RowEntries& entries, offset_t begin, offset_t n) {
  for (offset_t merged = 2; merged < 2 * n; merged *= 2) {
    offset_t partner_of = merged - 1;  // first mirrored in the two sorted halves, then as far off as a half is long
    for (offset_t half = merged / 2; half > 0; half /= 2, partner_of = half) {
      offset_t k;
      for (offset_t c = block.thread(); (k = 2 * c - (c & (half - 1))) < n; c += Block::threads) {
        const offset_t partner = k ^ partner_of;
        if (partner < n) entries.order(begin + k, begin + partner);
      }
      block.barrier();
    }
  }
}

/// Sorts rows 0 .. rows - 1, a tile of as many as a block has threads after the other. A row is long if it has more
/// entries than that.
struct SortRowsByBlock {
  offset_t rows;
  const offset_t* offsets;
  RowEntries entries;
  word_t* next;

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    auto* const long_rows = block.template shared<std::uint32_t>(8);  // a bit a row
    for (offset_t tile; (tile = next_tile(block, next)) * Block::threads < rows;) {
      const offset_t first = tile * Block::threads, row = first + block.thread();
      const offset_t n = row < rows ? length(row) : 0;
      if (n > 1 && n <= Block::threads) entries.sort(offsets[row], n);
      const std::uint32_t mine = block.ballot(n > Block::threads);
      if (block.lane() == 0) long_rows[block.warp()] = mine;
      block.barrier();
      for (int warp = 0; warp < Block::threads / 32; ++warp) {
        for (std::uint32_t mask = long_rows[warp]; mask != 0; mask &= mask - 1) {
          const offset_t long_row = first + 32 * warp + Block::lowest_bit(mask);
          sort_by_block(block, entries, offsets[long_row], length(long_row));
        }
      }
    }
  }

 private:
  HGRID_HD offset_t length(offset_t row) const { return offsets[row + 1] - offsets[row]; }
};

}  // namespace hgrid
