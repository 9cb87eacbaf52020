// SPDX-License-Identifier: BSD-3-Clause
// The interface of sinks, which receive the hits of a search.
#pragma once

#include "host/search/run_kernels.hpp"

namespace hgrid::inline v0_2::detail {

/// The most shifts of one batch of hits.
inline constexpr index_t shifts_per_batch = 32;

/// Takes the hits of one worker, item by item. The search makes one call per batch, so one compiled search serves all sinks.
template <int D>
class HitSink {
 public:
  virtual void begin(offset_t) {}  ///< begins this item
  virtual void end(offset_t) {}
  /// Returns the names that hits should have, or null: then hits are slots.
  virtual const index_t* names() const { return nullptr; }
  /// Takes hits. hits.shift[k] is the number of the shift and image of hit k. All have number 0, no shift, unless `shifted`.
  virtual void take(HitList& hits, const Shift<D>* shifts, const Image* images, bool shifted) = 0;

 protected:
  ~HitSink() = default;
};

}  // namespace hgrid::inline v0_2::detail
