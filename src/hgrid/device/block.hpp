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
//   add(p, v)                      atomic, of unsigned words of 32 or 64 bits; returns the old value
//   publish(p, v), observe(p)      a 64-bit word that other blocks read while this one runs
//   pause()                        leaves the multiprocessor to others for a moment
//   load(p)                        a read, 16 bytes at a time, of what is aligned so and the kernel does not write
//   store(p, pair)                 a write of a pair at once, to memory aligned to its size
#pragma once

#include <cstdint>

#include "hgrid/core/macros.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

using word_t = unsigned long long;  ///< what device atomics and published states are made of

/// The scratch that the functions below use, at the start of a block's shared memory; bodies put theirs behind it.
inline constexpr int block_scratch_bytes = 512;

/// The tile that the block has taken last. It is asked for wherever it is needed, because keeping it would cost registers.
template <class Block>
HGRID_HD offset_t this_tile(Block& block) {
  return static_cast<offset_t>(*block.template shared<word_t>(block_scratch_bytes - 8));
}

/// One thread takes the next number of a counter for its block. Work is taken in ascending order, so whoever holds a tile knows
/// that all earlier ones were taken by blocks that run. `this_tile` is another one from here on: the block meets at a barrier
/// before, when everybody has read the last one, and behind.
template <class Block>
HGRID_HD void take_tile(Block& block, word_t* counter) {
  if (block.thread() == 0) *block.template shared<word_t>(block_scratch_bytes - 8) = block.add(counter, word_t{1});
}

/// The same with both barriers.
template <class Block>
HGRID_HD offset_t next_tile(Block& block, word_t* counter) {
  block.barrier();
  take_tile(block, counter);
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

/// State of a tile, one word, so that a value and what it means are seen together: in the low two bits nothing yet (0), the
/// tile's own sum (1), or the sum of all tiles before it (2).
namespace tile_state {
inline constexpr word_t own = 1, before = 2, mask = 3;
HGRID_HD inline word_t pack(offset_t value, word_t kind) { return (static_cast<word_t>(value) << 2) | kind; }
HGRID_HD inline offset_t value(word_t state) { return static_cast<offset_t>(state >> 2); }
}  // namespace tile_state

template <class Block>
HGRID_HD void publish_sum(Block& block, word_t* states, index_t tile, offset_t sum) {
  block.publish(&states[tile], tile_state::pack(sum, tile_state::own));
}

/// The sum over all tiles before this one, for a warp; waits until the block that adds them up has told it.
template <class Block>
HGRID_HD offset_t sum_of_tiles_before(Block& block, const word_t* states, index_t tile) {
  word_t state = block.observe(&states[tile]);
  while (block.ballot((state & tile_state::mask) != tile_state::before) != 0) {
    block.pause();
    state = block.observe(&states[tile]);
  }
  return tile_state::value(state);
}

/// The first block that comes here adds up the sums of all tiles, from `first` on, as they are published, and tells each tile
/// the sum of those before it. True for that block, when it has. It takes no tile, because a tile's block may wait for it: a
/// device runs two blocks side by side at least. The others do not look back over each other's sums, as in a decoupled
/// look-back (Merrill and Garland 2016): there, if they ask late, each looks at all the thousand tiles that run side by side.
/// `states` [tiles + 1] are zero before the kernel. A lane looks at `each` at once: several where tiles are short, as far as
/// there are registers.
template <int each, class Block>
HGRID_HD bool adds_up(Block& block, word_t* states, offset_t tiles, offset_t first, offset_t* total) {
  if (next_tile(block, &states[tiles]) > 0) return false;
  const auto end = static_cast<int>(tiles);
  offset_t sum = first;  // of tiles that have been told
  HGRID_KEEP_ROLLED
  for (int told = 0; block.warp() == 0 && told < end;) {
    const int begin = told + block.lane() * each;
    word_t state[each];
    HGRID_UNROLL
    for (int k = 0; k < each; ++k) state[k] = begin + k < end ? block.observe(&states[begin + k]) : 0;
    int ready = 0;  // of the lane's tiles, up to the first that is not
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
