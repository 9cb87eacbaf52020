// SPDX-License-Identifier: BSD-3-Clause
// What the bodies of kernels ask of the threads that run them together, and how a block numbers its results in an
// order that does not depend on the device's scheduling. A body is a function object called as body(block) by every
// thread of every block. `Block` is CudaBlock on a device; in tests it is a block of 32-lane warps in lockstep on a
// host, so the same bodies run, and can be broken, without a device.
//
// Block:
//   threads                        threads of a block, a multiple of 32
//   thread(), lane(), warp()       this thread's place in the block, in its warp, and its warp's in the block
//   shared<T>(bytes)               the block's scratch memory from so many bytes on
//   barrier()                      all threads of the block arrive; writes to scratch before it are seen after it
//   ballot(bool)                   bit per lane; shuffle(v, lane), shuffle_up(v, distance): all lanes of the warp arrive
//   bits(mask), lowest_bit(mask), highest_bit(mask)   how many are set, and the place of the lowest and of the highest one
//   with_sign(bits, v)             the bits moved up by one, with the sign of v below them
//   warp_barrier()                 all lanes of the warp arrive; writes to scratch before it are seen after it
//   add(p, v)                      atomic, returns the old value
//   publish(p, v), observe(p)      a 64-bit word that other blocks read while this one runs
//   pause()                        leaves the multiprocessor to others for a moment
//   load(p)                        a read, 16 bytes at a time, of what is aligned so and the kernel does not write
//   store(p, pair)                 a write of a pair at once, to memory aligned to its size
#pragma once

#include <cstdint>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_1::detail {

using word_t = unsigned long long;  ///< what device atomics and published states are made of

/// The scratch that the functions below use, at the start of a block's shared memory; bodies put theirs behind it.
inline constexpr int block_scratch_bytes = 512;

/// The tile that the block has taken last. It is asked for wherever it is needed, because keeping it would cost registers.
template <class Block>
HGRID_HD offset_t this_tile(Block& block) {
  return static_cast<offset_t>(*block.template shared<word_t>(block_scratch_bytes - 8));
}

/// The next number of a counter for the whole block: work is taken in ascending order, so whoever holds a tile knows
/// that all earlier ones were taken by blocks that run.
template <class Block>
HGRID_HD offset_t next_tile(Block& block, word_t* counter) {
  block.barrier();  // everybody has read the last one
  if (block.thread() == 0) *block.template shared<word_t>(block_scratch_bytes - 8) = block.add(counter, word_t{1});
  block.barrier();
  return this_tile(block);
}

/// Tiles of a block's size that cover n items.
template <class Block>
HGRID_HD inline offset_t tiles_of(offset_t n) {
  return (n + Block::threads - 1) / Block::threads;
}

/// The item of a thread in the tile that its block has taken last.
template <class Block>
HGRID_HD offset_t this_item(Block& block) {
  return this_tile(block) * Block::threads + block.thread();
}

/// The sum over the lanes of the warp up to this one.
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

/// Prefix sums over the block.
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

/// The same for one value of each warp, which all its lanes pass. The block meets at a barrier before the next scan.
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

/// State of a tile in a chained scan, one word, so that a value and what it means are seen together: in the low two
/// bits nothing yet (0), the tile's own sum (1), or the sum of all tiles up to it (2).
namespace tile_state {
inline constexpr word_t own = 1, inclusive = 2, mask = 3;
HGRID_HD inline word_t pack(offset_t value, word_t kind) { return (static_cast<word_t>(value) << 2) | kind; }
HGRID_HD inline offset_t value(word_t state) { return static_cast<offset_t>(state >> 2); }
}  // namespace tile_state

/// Sum over all tiles before `tile`, whose own sum is `total`: single-pass scan with decoupled look-back (Merrill and
/// Garland 2016). The first warp walks back 32 states at a time until it meets an inclusive one. `states` are zero
/// before the kernel, and tiles come from `next_tile`, so every state that is waited for will be published.
template <class Block>
HGRID_HD offset_t sum_of_tiles_before(Block& block, word_t* states, offset_t tile, offset_t total) {
  auto* const result = block.template shared<offset_t>(0);
  if (block.warp() == 0) {
    if (block.lane() == 0 && tile > 0) block.publish(&states[tile], tile_state::pack(total, tile_state::own));
    offset_t before = 0;
    for (offset_t last = tile - 1; last >= 0; last -= 32) {
      const offset_t mine = last - block.lane();
      word_t state = mine >= 0 ? block.observe(&states[mine]) : tile_state::pack(0, tile_state::inclusive);
      while (block.ballot((state & tile_state::mask) == 0) != 0) {
        block.pause();
        if (mine >= 0) state = block.observe(&states[mine]);
      }
      const std::uint32_t closed = block.ballot((state & tile_state::mask) == tile_state::inclusive);
      const int stop = closed == 0 ? 31 : Block::lowest_bit(closed);
      offset_t sum = block.lane() <= stop ? tile_state::value(state) : 0;
      for (int distance = 16; distance > 0; distance /= 2) {
        sum += block.shuffle(sum, (block.lane() + distance) % 32);
      }
      before += sum;
      if (closed != 0) break;
    }
    if (block.lane() == 0) {
      block.publish(&states[tile], tile_state::pack(before + total, tile_state::inclusive));
      *result = before;
    }
  }
  block.barrier();
  return *result;
}

}  // namespace hgrid::inline v0_1::detail
