// SPDX-License-Identifier: BSD-3-Clause
// What a search does with its hits.
#pragma once

#include "host/search/run_kernels.hpp"

namespace hgrid::inline v0_2::detail {

/// The most shifts of one batch of hits.
inline constexpr index_t shifts_per_batch = 32;

/// Takes the hits of one worker, item by item. The search calls it once for each batch, so one search serves all sinks.
template <int D>
class HitSink {
 public:
  virtual void begin(offset_t) {}  ///< this item
  virtual void end(offset_t) {}
  /// By which hits are named, or null: they are slots then.
  virtual const index_t* names() const { return nullptr; }
  /// Hits have number `hits.shift[k]` of these shifts and images; number 0, which is no shift, unless `shifted`.
  virtual void take(HitList& hits, const Shift<D>* shifts, const Image* images, bool shifted) = 0;

 protected:
  ~HitSink() = default;
};

}  // namespace hgrid::inline v0_2::detail
