// SPDX-License-Identifier: BSD-3-Clause
// A neighbour list that lives through a time loop: checked at each step, built again when it must be (Verlet 1967).
#pragma once

#include <chrono>
#include <utility>

#include "hgrid/build/grid.hpp"
#include "hgrid/loop/skin_chooser.hpp"

namespace hgrid {

struct VerletOptions {
  ListKind kind = ListKind::half;
  double skin = 0;           ///< with `choose_skin` the first one
  bool choose_skin = false;  ///< find the skin that makes the loop fastest, by measuring while it runs
  bool rebuild = true;       ///< false: `update` throws `stale` where it would build again
  int check_every = 1;       ///< steps per check; above 1, steps between two checks may miss contacts (`dangerous`)
};

/// What a list has gone through.
struct VerletCounters {
  offset_t steps = 0, checks = 0, builds = 0;
  offset_t dangerous = 0;  ///< builds that came late: a step since the last check may have missed a contact
};

/// The list of a grid's particles in a time loop. Between two builds it holds every contact, by contract C5, and pairs
/// that do not touch, for which the caller's force is zero. The grid must outlive it and be built through it alone.
template <class Exec, int D>
class VerletList {
 public:
  explicit VerletList(Grid<Exec, D>& grid, const VerletOptions& options = {})
      : grid_(grid), options_(options), chooser_(options.skin),
        list_(grid.make_list(options.kind)), before_(grid.make_list(options.kind)) {
    if (options.check_every < 1) {
      throw Error(ErrorCode::invalid_argument, "check_every counts steps, from 1 on",
                  {.argument = "check_every", .value = static_cast<double>(options.check_every)});
    }
    if (options.choose_skin && !(options.skin > 0)) {
      throw Error(ErrorCode::invalid_argument, "choose_skin needs a first skin above 0, such as a tenth of a radius",
                  {.argument = "skin", .value = options.skin});
    }
  }

  /// Call at each step, after the particles have moved and before forces are summed. Returns whether the list is a new
  /// one; then `before()` is the old one, for History. Errors are those of `Grid::build` and `neighbours`; `stale` if
  /// rebuilding is off. Waits.
  template <class Real>
  bool update(const Particles<Real, D>& now) { return update(now, now); }

  /// The same with a margin for each particle: `widened` are the particles with their margins in `extra`, beyond what
  /// `now.extra` holds; they are read only when the list is built. Margins by speed and size, as in the cell space of PFC
  /// (eps_v |v| dt + eps_e size + eps_c), give fast particles room and spare the others pairs.
  template <class Real>
  bool update(const Particles<Real, D>& now, const Particles<Real, D>& widened) {
    ++counters_.steps;
    if (built_ && !is_due(now)) return false;
    build(widened);
    return true;
  }

  /// Builds at once, for instance after particles were sorted or inserted.
  template <class Real>
  void build(const Particles<Real, D>& particles) {
    if (built_ && options_.choose_skin) chooser_.observe(seconds_since_build(), counters_.steps - steps_at_build_);
    built_at_ = Clock::now();
    steps_at_build_ = counters_.steps;
    built_ = false;
    grid_.build(particles, {.skin = chooser_.skin()});
    grid_.neighbours(before_);  // an error leaves `neighbours()` as it was
    std::swap(list_, before_);
    built_ = true;
    unchecked_ = 0;
    ++counters_.builds;
  }

  const NeighbourList<Exec>& neighbours() const { return list_; }
  const NeighbourList<Exec>& before() const { return before_; }
  const VerletCounters& counters() const { return counters_; }
  double skin() const { return chooser_.skin(); }

 private:
  using Clock = std::chrono::steady_clock;

  template <class Real>
  bool is_due(const Particles<Real, D>& now) {
    if (++unchecked_ < options_.check_every) return false;
    const Validity validity = grid_.validity(now);
    ++counters_.checks;
    const offset_t unchecked = std::exchange(unchecked_, 0);
    if (validity.holds()) return false;
    if (!options_.rebuild) throw_if_stale(validity, grid_.view().skin);
    if (unchecked > 1 && validity.dirty > 0) ++counters_.dangerous;
    return true;
  }

  double seconds_since_build() const { return std::chrono::duration<double>(Clock::now() - built_at_).count(); }

  Grid<Exec, D>& grid_;
  VerletOptions options_;
  SkinChooser chooser_;
  NeighbourList<Exec> list_, before_;
  VerletCounters counters_;
  Clock::time_point built_at_{};
  offset_t steps_at_build_ = 0;
  int unchecked_ = 0;
  bool built_ = false;
};

}  // namespace hgrid
