// SPDX-License-Identifier: BSD-3-Clause
// Options and counters of a VerletList.
#pragma once

#include "hgrid/core/clock.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/core/names.hpp"
#include "hgrid/options.hpp"

namespace hgrid::inline v0_2 {

struct VerletOptions {
  ListKind kind = ListKind::half;
  double skin = 0;           ///< with `choose_skin` the first one, at most a mean radius, as levels have it; 0: a tenth of that
  bool choose_skin = false;  ///< find the skin that makes the loop fastest, by measuring while it runs
  bool rebuild = true;       ///< false: `update` throws `stale` where it would build again
  int check_every = 1;       ///< steps per check; above 1, steps between two checks may miss contacts (`dangerous`)
  bool wrapped = false;      ///< coordinates may be wrapped at any step, by whole vectors of the present box (C5)
  double (*clock)() = detail::steady_seconds;  ///< clock of `choose_skin`; with another clock a loop can be replayed
};

/// Counts of a list's life.
struct VerletCounters {
  offset_t steps = 0, checks = 0, builds = 0;
  offset_t dangerous = 0;  ///< builds that came late: a step since the last check may have missed a contact
  offset_t overtaken = 0;  ///< builds because another caller had built the grid since
  double disorder = 0;     ///< share of steps from slot to slot, in the last build, to a particle more than 4,096 ids away;
                           ///< above 0.5, sorting the particles pays (Reordering, docs/time-loop.md)
  offset_t wrapped = 0;    ///< builds because coordinates were wrapped; VerletOptions::wrapped avoids them

  /// Returns a sentence on how to make the loop faster; empty if there is no advice.
  const char* note() const {
    return wrapped == 0 ? ""
                        : "coordinates were wrapped between two builds, and the list was built again for that: set "
                          "VerletOptions::wrapped, or leave coordinates unwrapped";
  }
};

namespace detail {

/// Throws `invalid_argument` for bad options.
inline void check_options(const VerletOptions& options) {
  if (options.check_every < 1) {
    throw Error(ErrorCode::invalid_argument, "check_every counts steps, from 1 on",
                {.argument = "check_every", .value = static_cast<double>(options.check_every)});
  }
  if (!(options.skin >= 0) || options.skin > largest_length) {
    throw Error(ErrorCode::invalid_argument, "skin must be in [0, 1e15]", {.argument = "skin", .value = options.skin});
  }
}

/// Throws `size_mismatch` unless both have equal numbers of particles.
template <class Real, int D>
void require_as_many(const Particles<Real, D>& now, const Particles<Real, D>& widened) {
  if (widened.count == now.count) return;
  throw Error(ErrorCode::size_mismatch, "the particles with margins differ in number from the particles",
              {.argument = "widened", .value = static_cast<double>(widened.count), .needed = now.count});
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
