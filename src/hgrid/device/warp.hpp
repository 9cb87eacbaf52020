// SPDX-License-Identifier: BSD-3-Clause
// Cooperation of a warp's threads in functors that run once per item. `Warp` is CudaWarp on a device. In tests it is the lanes
// of a warp on a host, where any lanes that wait may meet.
//
// Warp:
//   lane()                         this thread's place
//   active()                       the lanes that are here now: a bit per lane, at least this one's
//   match(lanes, p)                the lanes with the same p; all `lanes` arrive
//   ballot(lanes, bit)             the lanes whose bit is set; all `lanes` arrive
//   shuffle(lanes, v, lane)        the v of one of the lanes; all `lanes` arrive
//   look(p), max(p, v)             the current value; the atomic maximum
//   add(p, v)                      atomic, returns the old value
//   lowest_bit(lanes), highest_bit(lanes), bits(lanes)   the first lane, the last lane, and their number
#pragma once

#include <cstdint>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// Updates the atomic maximum of numbers that are not negative. Few numbers exceed the current maximum, so most need no atomic.
/// If several lanes do, as all do at the start, one lane updates for all lanes with its address.
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

/// Returns the next number of the word count[which], which no other thread gets. Consecutive lanes with the same word add once
/// together: particles in spatial order would wait for each other at few words.
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
