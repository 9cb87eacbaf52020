// SPDX-License-Identifier: BSD-3-Clause
// Offsets for moving things into buckets from several parts of the input at once, keeping their order.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_1::detail {

/// Turns `counts[part][bucket]` into where each part writes into each bucket; begin [buckets + 1] receives where each
/// bucket begins. Returns the sum.
inline offset_t scan_buckets(offset_t* counts, offset_t* begin, offset_t buckets, offset_t parts) {
  offset_t sum = 0;
  for (offset_t b = 0; b < buckets; ++b) {
    begin[b] = sum;
    for (offset_t part = 0; part < parts; ++part) {
      offset_t& count = counts[part * buckets + b];
      const offset_t here = count;
      count = sum;
      sum += here;
    }
  }
  return begin[buckets] = sum;
}

}  // namespace hgrid::inline v0_1::detail
