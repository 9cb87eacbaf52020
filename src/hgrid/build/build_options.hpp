// SPDX-License-Identifier: BSD-3-Clause
// What a build is told beside its particles, who may look on, and what it says of its levels.
#pragma once

#include <atomic>

#include "hgrid/core/types.hpp"

namespace hgrid {

/// Options that may differ from build to build.
struct BuildOptions {
  double skin = 0;         ///< pairs up to this much beyond touching are listed too (contract C5); a length, as radii
  bool check_now = false;  ///< on a device: wait, and throw bad input here instead of at the next read-back
};

/// Looks on while a host executor builds or searches: asked between blocks of particles and between batches of candidates. A
/// device is asked before it is given work.
struct Watch {
  /// Once true, whoever sets it (another thread, a signal handler), the work at hand throws `stopped`: a build leaves the
  /// grid as it was, a search its list empty. A build that has begun to write slots runs to its end. Null: nobody stops it.
  const std::atomic<bool>* stop = nullptr;
  /// Told the share of the work at hand that is done, in [0, 1], from one thread at a time; it must not throw. Null: nobody
  /// is told.
  void (*progress)(void* context, double share) = nullptr;
  void* context = nullptr;  ///< passed on

  /// Throws `stopped`.
  void ask() const {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw_stopped();
  }
  void tell(double share) const {
    if (progress != nullptr) progress(context, share);
  }

 private:
  [[noreturn]] static void throw_stopped();
};

/// One level of a built grid.
struct LevelReport {
  double radius_max;       ///< largest radius inserted (with extra distance)
  double radius_bound;     ///< largest radius, with half the skin, that would be inserted
  double cell_size[3];
  index_t particles;
};

/// The work of a search, counted: candidates tested, runs looked up.
struct WorkCount {
  offset_t candidates = 0, look_ups = 0;
  HGRID_HD void join(const WorkCount& o) { candidates += o.candidates, look_ups += o.look_ups; }
};

}  // namespace hgrid
