// SPDX-License-Identifier: BSD-3-Clause
// The data of a build that the check of a time loop needs, kept in the order of ids: the present particles are in this order,
// too, so both are read from end to end. In the order of slots, each present particle would be elsewhere in memory
// (docs/time-loop.md).
#pragma once

#include <algorithm>
#include <cmath>

#include "hgrid/cells/stages.hpp"
#include "hgrid/inputs/validity.hpp"
#include "hgrid/loop/periods.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// Writes particle i as the grid stores it.
template <class Real, int D, class View = GridView<D>>
struct RememberParticle {
  Particles<Real, D> particles;
  View grid;
  double* x[D];
  double* radius;
  double* extent[D];  // or null, like the next
  index_t* group;     // or null
  index_t* world;     // or null
  index_t* type;      // or null
  Image* wraps;       // or null

  template <class Kind>
  auto in(const Kind& view) const {
    RememberParticle<Real, D, Kind> same{particles, view, {}, radius, {}, group, world, type, wraps};
    for (int k = 0; k < D; ++k) same.x[k] = x[k], same.extent[k] = extent[k];
    return same;
  }

  HGRID_HD void operator()(offset_t i) const {
    const bool present = takes_part(particles, i);
    Stored<D> s{};  // also for the others, so that a checkpoint always has equal bytes
    s.radius = -1;
    if (present) s = stored(particles, grid, i);
    for (int k = 0; k < D; ++k) x[k][i] = s.x[k];
    radius[i] = s.radius;
    for (int k = 0; k < D && extent[0] != nullptr; ++k) extent[k][i] = present ? stored_extent(particles, i, k) : 0;
    if (world != nullptr) world[i] = s.world;
    if (group != nullptr) group[i] = present ? particles.group[i] : -1;
    if (type != nullptr) type[i] = present ? particles.cutoffs.type[i] : 0;
    if (wraps != nullptr) wraps[i] = s.wraps;
  }
};

/// The particles of one build. Keeps its capacity; memory is the executor's: 8 (D + 1) bytes per particle, 2 (D + 1) and a
/// little more if it rounds, 4 more with groups, 4 with worlds, 4 with types, 12 in a periodic box, 8 D with extents, 24 if
/// positions are wrapped.
template <class Exec, int D>
class RememberedBuild {
 public:
  /// `rounds`: particles are kept rounded, too, for checks by the engine of a host.
  explicit RememberedBuild(const Exec& exec, bool wrapped = false, bool rounds = Exec::on_host)
      : exec_(exec), wrapped_(wrapped), rounds_(rounds) {}

  /// Makes room for the particles of the grid's last build. Throws `out_of_memory` and is then unchanged. If it grows, it
  /// forgets its particles.
  template <class Real>
  void reserve(const Particles<Real, D>& p, const GridView<D>& g) {
    const bool grows = p.count > radius_.size();
    const auto all = [&](auto... coordinates) {
      reserve_all(exec_, coordinates..., Need{radius_, p.count}, Need{extents_, g.has_extents() ? D * p.count : 0},
                  Need{group_, g.pair_filter.group != nullptr ? p.count : 0}, Need{world_, g.has_worlds() ? p.count : 0},
                  Need{type_, g.pair_filter.cutoffs.type != nullptr ? p.count : 0}, Need{wraps_, g.periodic ? p.count : 0},
                  Need{rounded_, blocks_of(p.count)});
    };
    if constexpr (D == 2) {
      all(Need{x_[0], p.count}, Need{x_[1], p.count});
    } else {
      all(Need{x_[0], p.count}, Need{x_[1], p.count}, Need{x_[2], p.count});
    }
    if (grows) forget();
  }

  /// Takes the particles of the grid's last build, for which there is room. Waits.
  template <class Real>
  void take(const Particles<Real, D>& p, const GridView<D>& g) {
    built_ = BuiltParticles<D>::of(exec_, g);
    count_ = p.count;
    enqueue(p, g);
    if (!wrapped_) return;
    exec_.for_each("hgrid::restart_periods", count_, RestartPeriods{since_.data(), nullptr});
    counted_ = count_;
  }
  /// Takes particles of equal kinds and number without waiting. Does not update the reach and the number of used particles.
  template <class Real>
  void enqueue(const Particles<Real, D>& p, const GridView<D>& g) {
    point(g.pair_filter.group != nullptr, g.has_worlds(), g.pair_filter.cutoffs.type != nullptr,
          g.wraps != nullptr || (wrapped_ && g.periodic), g.has_extents());
    RememberParticle<Real, D> each{p,
                                   g,
                                   {},
                                   radius_.data(),
                                   {},
                                   built_.group != nullptr ? group_.data() : nullptr,
                                   built_.world != nullptr ? world_.data() : nullptr,
                                   built_.type != nullptr ? type_.data() : nullptr,
                                   built_.wraps != nullptr ? wraps_.data() : nullptr};
    for (int k = 0; k < D; ++k) each.x[k] = x_[k].data(), each.extent[k] = const_cast<double*>(built_.extent[k]);
    StageByKind()(exec_, "hgrid::remember_particles", p.count, each);
  }
  /// Forgets the particles; counted periods stay.
  void forget() { built_ = {}, count_ = 0; }

  /// Makes room to count the wraps of n particles, and keeps the present counts. Throws `out_of_memory`.
  void reserve_periods(offset_t n) {
    if (n > since_.size()) {
      reserve_all(exec_, Need{taken_, n});
      exec_.for_each("hgrid::copy_periods", counted_, CopyAll<Image>{since_.data(), taken_.data()});
      std::swap(since_, taken_);
    }
    reserve_all(exec_, Need{taken_, n});
  }
  /// Returns a count for the present particles and boxes. It writes to `periods()` and updates the build's wraps.
  template <class Real>
  CountPeriods<Real, D> counting(const Particles<Real, D>& now, const Box<D>& box, const ChangedBox<D>* boxes) {
    return {now,
            built_,
            count_,
            ChangedBox<D>::of(built_.box, box),
            boxes,
            since_.data(),
            counted_,
            wrapped_ ? since_.data() : nullptr,
            built_.wraps == nullptr ? nullptr : wraps_.data()};
  }
  /// Returns a count for the history of a new list. It writes to `taken()`.
  template <class Real>
  CountPeriods<Real, D> counting_taken(const Particles<Real, D>& now, const Box<D>& box, const ChangedBox<D>* boxes) {
    CountPeriods<Real, D> each = counting(now, box, boxes);
    each.since = taken_.data(), each.wraps = nullptr;
    return each;
  }
  /// Moves the build by whole vectors to the present particles. No list may be checked against it afterwards.
  template <class Real>
  const BuiltParticles<D>& moved_to(const Particles<Real, D>& now, const Box<D>& box, const ChangedBox<D>* boxes) {
    reserve_all(exec_, Need{wraps_, count_});
    CountPeriods<Real, D> each = counting(now, box, boxes);
    each.wraps = wraps_.data();
    exec_.for_each("hgrid::count_periods", now.count, each);
    built_.wraps = wraps_.data();
    return built_;
  }
  RestartPeriods restarting(const ListGuard& guard) { return {since_.data(), taken_.data(), guard}; }

  bool wrapped() const { return wrapped_; }
  const Image* periods() const { return wrapped_ ? since_.data() : nullptr; }
  const Image* taken() const { return wrapped_ ? taken_.data() : nullptr; }
  /// Reads the facts that `enqueue` left out. Waits.
  void refresh(const GridView<D>& g) {
    const BuiltParticles<D> now = BuiltParticles<D>::of(exec_, g);
    built_.reach = now.reach, built_.used = now.used;
  }

  template <class A>
  void archive(A& a) {
    bool groups = built_.group != nullptr, worlds = built_.world != nullptr, types = built_.type != nullptr,
         wraps = built_.wraps != nullptr, extents = built_.extent[0] != nullptr;
    a(count_, groups, worlds, types, wraps, extents, built_.box, built_.skin, built_.least_growth, built_.reach, built_.used,
      wrapped_, counted_);
    a.require("numbers of a build", [&] {
      return count_ >= 0 && count_ <= most_particles && is_length(built_.skin) && built_.used >= 0 && built_.reach <= 1e16 &&
             (built_.least_growth == 0 || built_.least_growth == -HUGE_VAL) && counted_ >= 0 && counted_ <= most_particles &&
             (count_ == 0 || counted_ == (wrapped_ ? count_ : 0));
    });
    for (int k = 0; k < D; ++k) {
      const auto x = a.array(exec_, x_[k], count_);
      a.require("positions of a build", [&] { return all(x, [](double at) { return std::fabs(at) <= largest_length; }); });
    }
    const auto radius = a.array(exec_, radius_, count_);
    const auto half = a.array(exec_, extents_, extents ? D * count_ : 0);
    a.require("extents of a build", [&] { return all(half, [](double h) { return h >= 0 && h <= 2 * largest_length; }); });
    a.array(exec_, group_, groups ? count_ : 0);
    const auto world = a.array(exec_, world_, worlds ? count_ : 0);
    const auto type = a.array(exec_, type_, types ? count_ : 0);
    a.array(exec_, wraps_, wraps ? count_ : 0);
    a.array(exec_, since_, counted_);
    a.require("particles of a build", [&] {
      return std::count_if(radius.begin(), radius.end(), [](double r) { return r >= 0; }) == built_.used &&
             all(radius, [](double r) { return r == -1 || (r >= 0 && r <= 2 * largest_length); }) &&
             all(world, [](index_t w) { return w >= 0 && w < most_worlds; }) &&
             all(type, [](index_t t) { return t >= 0 && t < most_types; });
    });
    reserve_all(exec_, Need{rounded_, blocks_of(count_)});
    restored_worlds_ = world.empty() ? 0 : *std::max_element(world.begin(), world.end()) + 1;
    point(groups, worlds, types, wraps, extents);
  }

  /// Returns whether this can be a build of this grid with this number of particles. The grid may be restored and not built
  /// since. Only then may particles be checked against it.
  bool is_of(const GridView<D>& g, offset_t particles, bool extents) const {
    const bool types = g.pair_filter.cutoffs.types > 0, adds = g.rule == Rule::sum && !types;
    return count_ == particles && (built_.world != nullptr) == (count_ > 0 && g.worlds > 0) && restored_worlds_ <= g.worlds &&
           (built_.type != nullptr) == (count_ > 0 && types) && (built_.extent[0] != nullptr) == (count_ > 0 && extents) &&
           built_.box == g.box && built_.skin == g.skin && built_.least_growth == (adds ? -HUGE_VAL : 0);
  }
  offset_t count() const { return count_; }

  const BuiltParticles<D>& particles() const { return built_; }

  std::size_t bytes() const {
    std::size_t sum = radius_.bytes() + extents_.bytes() + group_.bytes() + world_.bytes() + type_.bytes() + wraps_.bytes() +
                      since_.bytes() + taken_.bytes() + rounded_.bytes();
    for (int k = 0; k < D; ++k) sum += x_[k].bytes();
    return sum;
  }

 private:
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  using Rounded = RoundedParticles<D>;

  offset_t blocks_of(offset_t particles) const { return rounds_ ? particles / Rounded::particles : 0; }

  // Points the view of the particles to the arrays, or to null for kinds that are absent. Nothing is rounded yet.
  void point(bool groups, bool worlds, bool types, bool wraps, bool extents) {
    for (int k = 0; k < D; ++k) built_.x[k] = x_[k].data(), built_.extent[k] = extents ? extents_.data() + k * count_ : nullptr;
    built_.radius = radius_.data();
    built_.group = groups ? group_.data() : nullptr;
    built_.world = worlds ? world_.data() : nullptr;
    built_.type = types ? type_.data() : nullptr;
    built_.wraps = wraps ? wraps_.data() : nullptr;
    built_.id = nullptr;
    built_.rounded = rounds_ ? rounded_.data() : nullptr;
    for (offset_t b = 0; b < blocks_of(count_); ++b) rounded_.data()[b].lost = Rounded::not_made;
  }

  template <class Values, class Holds>
  static bool all(const Values& values, const Holds& holds) {
    return std::all_of(values.begin(), values.end(), holds);
  }

  Exec exec_;
  bool wrapped_, rounds_;
  Buffer<double> x_[D], radius_, extents_;  // the last has its columns one after the other
  Buffer<index_t> group_, world_, type_;
  Buffer<Rounded> rounded_;
  Buffer<Image> wraps_, since_, taken_;  // the last two: wraps since the list, and between the previous list and this one
  offset_t count_ = 0, counted_ = 0;
  index_t restored_worlds_ = 0;  // lower bound of the worlds of a checkpoint
  BuiltParticles<D> built_{};
};

}  // namespace hgrid::inline v0_2::detail
