// SPDX-License-Identifier: BSD-3-Clause
// The state that a list of a time loop passes from step to step, and the choice of its first skins, in one process or on ranks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hgrid/core/error.hpp"
#include "hgrid/engine/checkpoint.hpp"
#include "hgrid/loop/skin_chooser.hpp"
#include "hgrid/loop/verlet_options.hpp"

namespace hgrid::inline v0_2::detail {

struct LoopProgress {
  SkinChooser chooser;
  VerletCounters counters = {};
  offset_t steps_at_build = 0;
  int unchecked = 0;
  bool built = false, overtaken = false;  // overtaken: at the last update
  bool started = false;                   // the skin is chosen by steps from the first one
  int narrowed = 0;                       // how often the first skin was halved because no list could be built with it
  offset_t contacts = 0;                  // entries of a list without a skin, when last counted

  /// Sets the first skin from the mean size of the particles. A skin that is far too wide would take long to be noticed.
  void start(double given, double mean) {
    if (mean == 0) return;  // all particles are left out
    chooser = SkinChooser(given > 0 ? std::min(given, mean) : 0.1 * mean);
    started = true;
  }

  /// Returns whether the skin is narrower now because the list could not be built with it; false for other errors.
  bool narrows_after(ErrorCode code) {
    const bool too_wide = code == ErrorCode::box_too_small || code == ErrorCode::capacity || code == ErrorCode::out_of_memory;
    if (!too_wide) return false;
    if (chooser.retreat()) return true;
    if (!started || counters.builds > 0 || narrowed++ >= most_narrowed) return false;
    chooser.narrow();  // the first list: no skin has worked yet
    return true;
  }

  /// Returns whether a list of this size is many times as long as a list of the contacts.
  bool is_far_too_long(offset_t size, offset_t particles) const { return size > 10 * (contacts + particles); }

  /// Saves or restores this and the options, except the clock.
  template <class A>
  void archive(VerletOptions& o, A& a) {
    VerletCounters& c = counters;
    // No loop counts that far, but a loop from a forged checkpoint could continue with such numbers.
    for (offset_t* const n : {&c.steps, &c.checks, &c.builds, &c.dangerous, &c.overtaken, &c.wrapped, &steps_at_build}) {
      *n = std::min(*n, most_counted);
    }
    unchecked = std::min(unchecked, most_unchecked);
    a(o.skin, o.choose_skin, o.rebuild, o.check_every, o.wrapped, chooser, c.steps, c.checks, c.builds, c.dangerous,
      c.overtaken, c.wrapped, c.disorder, steps_at_build, unchecked, built, overtaken, started, contacts);
    a.require("options and counters of a list", [&] {
      check_options(o);
      return is_count(c.wrapped) && is_count(c.steps) && is_count(c.checks) && is_count(c.builds) && is_count(c.dangerous) &&
             is_count(c.overtaken) && c.disorder >= 0 && c.disorder <= 1 && is_count(steps_at_build, c.steps) &&
             is_count(unchecked, most_unchecked) && is_count(contacts, INT64_MAX / 32);
    });
  }

 private:
  static constexpr int most_narrowed = 20, most_unchecked = INT32_MAX / 2;
};

}  // namespace hgrid::inline v0_2::detail
