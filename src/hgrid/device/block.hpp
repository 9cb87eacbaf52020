// SPDX-License-Identifier: BSD-3-Clause
// The interface that the bodies of kernels have to the threads that run them together, and the way in which a block numbers its
// results independently of the device's scheduling. A body is a function object; every thread of every block calls body(block).
// `Block` is CudaBlock on a device. In tests it is a block of 32-lane warps in lockstep on a host, so bodies can be run, and
// broken, without a device.
//
// Block:
//   threads                        threads of a block, a multiple of 32
//   thread(), lane(), warp()       this thread's place in the block and in its warp, and the warp's place in the block
//   shared<T>(bytes)               the block's scratch memory from this byte on
//   barrier()                      all threads of the block arrive; earlier writes to scratch are then visible
//   ballot(bool)                   bit per lane; shuffle(v, lane), shuffle_up(v, distance): all lanes of the warp arrive
//   bits(mask), lowest_bit(mask), highest_bit(mask)   number of set bits, place of the lowest and of the highest set bit
//   with_sign(bits, v)             the bits shifted up by one, with the sign of v below them
//   warp_barrier()                 all lanes of the warp arrive; earlier writes to scratch are then visible
//   add(p, v)                      atomic, for unsigned words of 32 or 64 bits; returns the old value
//   publish(p, v), observe(p)      write and read a 64-bit word that other running blocks use
//   pause()                        leaves the multiprocessor to others for a moment
//   load(p)                        reads 16 bytes at a time; *p must be aligned to 16 and not be written by the kernel
//   store(p, pair)                 writes a pair at once, to memory aligned to its size
#pragma once

#include <cstdint>

#include "hgrid/core/macros.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

using word_t = unsigned long long;  ///< the type of device atomics and published states

/// Scratch of the functions below, at the start of a block's shared memory. Bodies put their own scratch after it.
inline constexpr int block_scratch_bytes = 512;

/// Returns the tile that the block took last. Call it wherever the tile is needed, because keeping it would cost registers.
template <class Block>
HGRID_HD offset_t this_tile(Block& block) {
  return static_cast<offset_t>(*block.template shared<word_t>(block_scratch_bytes - 8));
}

/// Takes the next number of a counter for the block, with one thread. Work is taken in ascending order, so a block with a tile
/// knows that all earlier tiles were taken by running blocks. `this_tile` changes here: the block must meet at a barrier before
/// the call, when all threads have read the last tile, and at another one after it.
template <class Block>
HGRID_HD void take_tile(Block& block, word_t* counter) {
  if (block.thread() == 0) *block.template shared<word_t>(block_scratch_bytes - 8) = block.add(counter, word_t{1});
}

/// Takes the next tile, with both barriers, and returns it.
template <class Block>
HGRID_HD offset_t next_tile(Block& block, word_t* counter) {
  block.barrier();
  take_tile(block, counter);
  block.barrier();
  return this_tile(block);
}

/// Returns how many tiles of a block's size cover n items.
template <class Block>
HGRID_HD inline offset_t tiles_of(offset_t n) {
  return (n + Block::threads - 1) / Block::threads;
}

/// Returns the item of this thread in the tile that its block took last.
template <class Block>
HGRID_HD offset_t this_item(Block& block) {
  return this_tile(block) * Block::threads + block.thread();
}

/// Returns the sum over the lanes of the warp up to and including this one.
template <class T, class Block>
HGRID_HD T sum_up_to_lane(Block& block, T value) {
  for (int distance = 1; distance < 32; distance *= 2) {
    const T lower = block.shuffle_up(value, distance);
    if (block.lane() >= distance) value += lower;
  }
  return value;
}

template <class T>
struct Scanned {
  T before;  ///< sum over the threads before this one
  T total;   ///< sum over all threads of the block
};

/// Returns prefix sums over the block.
template <class T, class Block>
HGRID_HD Scanned<T> block_scan(Block& block, T value) {
  constexpr int warps = Block::threads / 32;
  static_assert(warps <= 32 && 8 + warps * sizeof(T) <= block_scratch_bytes - 8);
  auto* const sums = block.template shared<T>(8);
  const T inclusive = sum_up_to_lane(block, value);
  if (block.lane() == 31) sums[block.warp()] = inclusive;
  block.barrier();
  Scanned<T> result{inclusive - value, 0};
  for (int w = 0; w < warps; ++w) {
    if (w < block.warp()) result.before += sums[w];
    result.total += sums[w];
  }
  block.barrier();  // the sums may be overwritten
  return result;
}

/// Returns prefix sums over the warps of a block. All lanes of a warp pass one value. The block must meet at a barrier before
/// the next scan.
template <class T, class Block>
HGRID_HD Scanned<T> scan_of_warps(Block& block, T value) {
  constexpr int warps = Block::threads / 32;
  auto* const sums = block.template shared<T>(8);
  if (block.lane() == 0) sums[block.warp()] = value;
  block.barrier();
  Scanned<T> result{0, 0};
  for (int w = 0; w < warps; ++w) {
    if (w < block.warp()) result.before += sums[w];
    result.total += sums[w];
  }
  return result;
}

/// State of a tile in one word, so that a value and its meaning are read together. The low two bits say: nothing yet (0), the
/// tile's own sum (1), or the sum of all earlier tiles (2).
namespace tile_state {
inline constexpr word_t own = 1, before = 2, mask = 3;
HGRID_HD inline word_t pack(offset_t value, word_t kind) { return (static_cast<word_t>(value) << 2) | kind; }
HGRID_HD inline offset_t value(word_t state) { return static_cast<offset_t>(state >> 2); }
}  // namespace tile_state

template <class Block>
HGRID_HD void publish_sum(Block& block, word_t* states, index_t tile, offset_t sum) {
  block.publish(&states[tile], tile_state::pack(sum, tile_state::own));
}

/// Returns the sum over all earlier tiles, for a warp. Waits until the adding block (`adds_up`) has published it.
template <class Block>
HGRID_HD offset_t sum_of_tiles_before(Block& block, const word_t* states, index_t tile) {
  word_t state = block.observe(&states[tile]);
  while (block.ballot((state & tile_state::mask) != tile_state::before) != 0) {
    block.pause();
    state = block.observe(&states[tile]);
  }
  return tile_state::value(state);
}

/// Lets the first block that arrives add up the sums of all tiles, starting with `first`, while they are published, and publish
/// for each tile the sum of all earlier tiles. Returns true for this block, when it has finished. The block takes no tile,
/// because other blocks may wait for it: a device runs at least two blocks side by side. A decoupled look-back (Merrill and
/// Garland 2016) is not used: there each late block reads all the thousand tiles that run side by side. `states` [tiles + 1]
/// must be zero before the kernel. A lane reads `each` tiles at once: several if tiles are short, as far as registers suffice.
template <int each, class Block>
HGRID_HD bool adds_up(Block& block, word_t* states, offset_t tiles, offset_t first, offset_t* total) {
  if (next_tile(block, &states[tiles]) > 0) return false;
  const auto end = static_cast<int>(tiles);
  offset_t sum = first;  // of tiles that were given their sum
  HGRID_KEEP_ROLLED
  for (int told = 0; block.warp() == 0 && told < end;) {
    const int begin = told + block.lane() * each;
    word_t state[each];
    HGRID_UNROLL
    for (int k = 0; k < each; ++k) state[k] = begin + k < end ? block.observe(&states[begin + k]) : 0;
    int ready = 0;  // number of the lane's tiles before the first that is not ready
    HGRID_UNROLL
    for (int k = 0; k < each; ++k) ready += ready == k && state[k] != 0;
    const std::uint32_t stops = block.ballot(ready < each);
    const int last = stops == 0 ? 31 : Block::lowest_bit(stops);
    if (block.lane() > last) ready = 0;
    offset_t own = 0;
    HGRID_UNROLL
    for (int k = 0; k < each; ++k) own += k < ready ? tile_state::value(state[k]) : 0;
    own = sum_up_to_lane(block, own);
    offset_t behind = sum + own;
    sum += block.shuffle(own, 31);
    HGRID_UNROLL
    for (int k = each - 1; k >= 0; --k) {
      if (k >= ready) continue;
      behind -= tile_state::value(state[k]);
      block.publish(&states[begin + k], tile_state::pack(behind, tile_state::before));
    }
    const int more = last * each + block.shuffle(ready, last);
    if (more == 0) block.pause();
    told += more;
  }
  if (block.thread() == 0) *total = sum;
  return true;
}

}  // namespace hgrid::inline v0_2::detail
