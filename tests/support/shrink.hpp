// SPDX-License-Identifier: BSD-3-Clause
// The smallest form of a case that fails: delta debugging over its particles, its choices and the digits of
// its numbers.
#pragma once

#include "support/run_case.hpp"

namespace support {

template <class Run>
class Shrinker {
 public:
  Shrinker(Case c, const Run& run) : c_(std::move(c)), run_(run) {}

  Case operator()() {
    drop_particles();
    drop_choices();
    drop_digits();
    drop_particles();
    return c_;
  }

 private:
  /// Returns v as arrays of the case's real type hold it.
  double stored(double v) const { return c_.choice[real] == 1 ? static_cast<double>(static_cast<float>(v)) : v; }

  /// Keeps the change if its result still fails.
  template <class Change>
  bool attempt(const Change& change) {
    Case changed = c_;
    change(changed);
    if (changed.system.particles.empty() || run_(changed).difference.empty()) return false;
    c_ = std::move(changed);
    return true;
  }

  static void erase(oracle::System& s, std::size_t at, std::size_t n) {
    if (s.particles.size() < at + n) return;
    const auto first = s.particles.begin() + static_cast<std::ptrdiff_t>(at);
    s.particles.erase(first, first + static_cast<std::ptrdiff_t>(n));
    const auto begin = static_cast<std::int64_t>(at);
    const auto end = begin + static_cast<std::int64_t>(n);
    if (s.owned > begin) s.owned = std::max(begin, s.owned - (end - begin));
    s.excluded = oracle::renumbered(s.excluded, [&](std::int64_t id) {
      return id < begin ? id : id < end ? -1 : id - (end - begin);
    });
  }

  void drop_particles() {
    for (std::size_t step = (c_.system.particles.size() + 1) / 2; step > 0; step = step > 1 ? (step + 1) / 2 : 0) {
      for (std::size_t at = 0; at + step <= c_.system.particles.size();) {
        const bool gone = attempt([&](Case& c) { erase(c.system, at, step), erase(c.warm_up, at, step); });
        if (!gone) at += step;
      }
    }
  }

  // Drops the choices that a search can do without, and the ways to call it.
  void drop_choices() {
    attempt([](Case& c) { c.warm_up.particles.clear(); });
    attempt([](Case& c) { c.system.rule = c.warm_up.rule = oracle::Rule::sum; });
    attempt([](Case& c) { c.system.types = c.warm_up.types = 0; });
    attempt([](Case& c) { c.system.extended = c.warm_up.extended = false; });
    attempt([](Case& c) { c.system.boxes.clear(), c.warm_up.boxes.clear(); });
    attempt([](Case& c) {
      c.system.worlds = c.warm_up.worlds = 0;
      c.system.boxes.clear(), c.warm_up.boxes.clear();
    });
    attempt([](Case& c) { c.levels.clear(); });
    attempt([](Case& c) { c.system.owned = c.warm_up.owned = -1; });
    attempt([](Case& c) { c.system.skin = c.warm_up.skin = 0; });
    for (int k = 0; k < 3; ++k) attempt([=](Case& c) { c.system.periodic[k] = c.warm_up.periodic[k] = false; });
    attempt([](Case& c) { c.system.turned = c.warm_up.turned = false; });
    for (int t = 0; t < 3; ++t) attempt([=](Case& c) { c.system.tilt[t] = c.warm_up.tilt[t] = 0; });
    for_each_particle([](oracle::Particle& p) { p.group = -1; });
    drop_exclusions();
    for_each_particle([](oracle::Particle& p) { p.active = true; });
    attempt([this](Case& c) {
      for (oracle::Particle& p : c.system.particles) {
        p.radius = stored(c.system.radius_scale * p.radius + p.extra), p.extra = 0;
      }
      c.system.radius_scale = 1, c.warm_up.particles.clear(), c.choice[scale] = 0;
    });
    for (int a : {direction, keys, table, cell_sort, order, schedule, workers, layout, route}) {
      attempt([=](Case& c) { c.choice[a] = 0; });
    }
  }

  void drop_exclusions() {
    attempt([](Case& c) { c.warm_up.excluded.clear(); });
    attempt([](Case& c) { c.system.excluded.clear(); });
    for (const auto& pair : std::set(c_.system.excluded)) {
      attempt([&](Case& c) { c.system.excluded.erase(pair); });
    }
  }

  template <class Change>
  void for_each_particle(const Change& change) {
    for (std::size_t i = 0; i < c_.system.particles.size(); ++i) {
      attempt([&](Case& c) { change(c.system.particles[i]); });
    }
  }

  void drop_digits() {
    for (int digits : {1, 2, 4, 8}) {
      const auto shorter = [this, digits](double v) {
        char text[40];
        std::snprintf(text, sizeof text, "%.*g", digits, v);
        return stored(std::strtod(text, nullptr));
      };
      for_each_particle([&](oracle::Particle& p) { p.radius = shorter(p.radius); });
      for (int k = 0; k < 3; ++k) for_each_particle([&](oracle::Particle& p) { p.x[k] = shorter(p.x[k]); });
    }
  }

  Case c_;
  const Run& run_;
};

template <class Run>
Case shrunk(const Case& c, const Run& run) {
  return Shrinker<Run>(c, run)();
}

}  // namespace support
