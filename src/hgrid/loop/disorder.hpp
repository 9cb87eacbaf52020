// SPDX-License-Identifier: BSD-3-Clause
// How far the order of the user's particles is from the order of a grid's slots, in which neighbors in space lie close in
// memory: whether sorting them pays (Reordering, docs/time-loop.md).
#pragma once

#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// The number of slots whose particle lies far in memory from the particle of the slot before.
struct FarSteps {
  offset_t count = 0;
  HGRID_HD void join(const FarSteps& o) { count += o.count; }
};

struct CountFarSteps {
  const index_t* id;  // particle of each slot

  HGRID_HD void operator()(offset_t slot, FarSteps& far) const {
    const index_t step = id[slot + 1] - id[slot];  // ids are not negative, so it does not overflow
    far.count += step > near || step < -near;
  }

  /// Positions and radii of this number of particles fit into a core's second-level cache: 128 KiB of doubles in 3-D.
  static constexpr index_t near = 4096;
};

/// Measures the disorder of particles. Memory is the executor's.
template <class Exec>
class Disorder {
 public:
  explicit Disorder(const Exec& exec) : exec_(exec) {}

  /// Reserves memory. Throws `out_of_memory`.
  void reserve() { reserve_all(exec_, Need{far_, 1}); }

  /// Returns the share of steps from slot to slot, of `slots` slots, that lead far away: 0 for particles in the order of the
  /// slots, near 1 for many in random order, small if few take part. It does not depend on a clock, so it is equal in each run.
  /// Waits.
  double of(const index_t* id, offset_t slots) {
    if (slots < 2) return 0;
    exec_.reduce("hgrid::count_far_steps", slots - 1, CountFarSteps{id}, FarSteps{}, far_.data());
    return static_cast<double>(exec_.read_back(far_.data()).count) / static_cast<double>(slots - 1);
  }

 private:
  Exec exec_;
  typename Exec::template Buffer<FarSteps> far_;
};

}  // namespace hgrid::inline v0_2::detail
