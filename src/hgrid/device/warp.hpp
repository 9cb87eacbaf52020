// SPDX-License-Identifier: BSD-3-Clause
// What the threads of a warp do together in functors that run once an item. `Warp` is CudaWarp on a device;
// in tests it is the lanes of a warp on a host, of which any that wait may meet.
//
// Warp:
//   lane()                         this thread's place
//   active()                       those that are here now: a bit per lane, at least this one's
//   match(lanes, p)                of the lanes, which all arrive, those whose p is the same
//   ballot(lanes, bit)             of the lanes, which all arrive, those whose bit is set
//   shuffle(lanes, v, lane)        the v of one of the lanes, which all arrive
//   look(p), max(p, v)             what is there by now; the atomic maximum
//   add(p, v)                      atomic, returns the old value
//   lowest_bit(lanes), highest_bit(lanes), bits(lanes)   the first and the last of them, and how many there are
#pragma once

#include <cstdint>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// The atomic maximum of numbers that are not negative. Few exceed what is there already, so most need no
/// atomic; of a warp's that do, as all do at the start, one lane speaks for those of its address.
template <class Warp>
HGRID_HD void atomic_max_by_warp(const Warp& warp, double* p, double value) {
  if (warp.look(p) >= value) return;
  const std::uint32_t lanes = warp.match(warp.active(), p);
  double largest = value;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    largest = std::fmax(largest, warp.shuffle(lanes, value, Warp::lowest_bit(rest)));
  }
  if (warp.lane() == Warp::lowest_bit(lanes)) warp.max(p, largest);
}

/// The next number of the word count[which], which no other thread gets. Lanes side by side that ask the same word add once:
/// particles in the order of space would wait for each other at few words.
template <class Warp>
HGRID_HD index_t draw_by_warp(const Warp& warp, index_t* count, std::uint32_t which) {
  const std::uint32_t lanes = warp.active(), up_to_this = ~0u >> (31 - warp.lane()), before = up_to_this >> 1;
  const int last = (lanes & before) == 0 ? warp.lane() : Warp::highest_bit(lanes & before);
  const std::uint32_t of_last = warp.shuffle(lanes, which, last);
  const std::uint32_t firsts = warp.ballot(lanes, last == warp.lane() || of_last != which), next = firsts & ~up_to_this;
  const int first = Warp::highest_bit(firsts & up_to_this);
  const std::uint32_t behind = next == 0 ? 0 : ~0u << Warp::lowest_bit(next), same = lanes & ~0u << first & ~behind;
  index_t number = 0;
  if (warp.lane() == first) number = warp.add(&count[which], Warp::bits(same));
  return warp.shuffle(lanes, number, first) + Warp::bits(same & before);
}

}  // namespace hgrid::inline v0_2::detail
