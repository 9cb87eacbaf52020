// SPDX-License-Identifier: BSD-3-Clause
// What the threads of a warp do together in functors that run once an item. `Warp` is CudaWarp on a device;
// in tests it is the lanes of a warp on a host, of which any that wait may meet.
//
// Warp:
//   lane()                         this thread's place
//   active()                       those that are here now: a bit per lane, at least this one's
//   match(lanes, p)                of the lanes, which all arrive, those whose p is the same
//   shuffle(lanes, v, lane)        the v of one of the lanes, which all arrive
//   look(p), max(p, v)             what is there by now; the atomic maximum
//   lowest_bit(lanes)              the first of them
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

}  // namespace hgrid::inline v0_2::detail
