// SPDX-License-Identifier: BSD-3-Clause
// Particles that a sequence of operations moves, resizes and marks.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "support/oracle.hpp"
#include "support/random.hpp"

namespace support::machine {

/// How a world begins. Particle i is drawn from (seed, i), so a short world is the beginning of a long one; the first may
/// be listed instead, which a shrunk sequence does.
struct WorldSpec {
  int dimension = 3;
  std::uint64_t seed = 1;
  int count = 0;
  double scale = 1;  ///< factor of the radii
  bool clustered = false, ghosts = false, skip = false, grouped = false, excluding = false;
  int apart = 0;  ///< systems that lie apart, hgrid's worlds; 0: none
  std::vector<oracle::Particle> listed;
};

/// A world fills the unit cube. Radii and extra distances shrink with the index, so however many there are, each has a few
/// contacts.
class World {
 public:
  explicit World(const WorldSpec& spec) : spec_(spec) {
    s_.dimension = spec.dimension, s_.radius_scale = spec.scale, s_.skip_nonfinite = spec.skip;
    s_.worlds = spec.apart;
    resize(spec.count);
  }

  /// Without a box and a skin.
  const oracle::System& system() const { return s_; }

  void resize(int count) {
    s_.particles.resize(std::min(s_.particles.size(), static_cast<std::size_t>(count)));
    while (static_cast<int>(s_.particles.size()) < count) s_.particles.push_back(drawn(s_.particles.size()));
    s_.owned = spec_.ghosts ? (3 * static_cast<std::int64_t>(count) + 3) / 4 : -1;
    s_.excluded.clear();
    for (int i = 1; spec_.excluding && i < count; ++i) {
      Random random(spec_.seed * 104729 + static_cast<std::uint64_t>(i));
      for (int k = random.integer(0, 3); k > 0; --k) s_.excluded.insert({i, random.integer(0, i - 1)});
    }
  }

  void move(std::uint64_t seed, double by) {
    for_each(seed, [&](Random& random, oracle::Particle& p, std::size_t) {
      for (int k = 0; k < s_.dimension; ++k) p.x[k] += by * random.real(-1, 1);
    });
  }

  void grow(std::uint64_t seed, double by) {
    for_each(seed, [&](Random& random, oracle::Particle& p, std::size_t) { p.radius *= 1 + by * random.real(-0.5, 1); });
  }

  /// Other flags, groups and extra distances for some, and rows to be skipped where the world has such.
  void mark(std::uint64_t seed) {
    for_each(seed, [&](Random& random, oracle::Particle& p, std::size_t i) {
      if (random.chance(0.7)) return;
      switch (random.integer(0, 3)) {
        case 0:
          p.active = !p.active;
          break;
        case 1:
          p.group = random.integer(-1, 3);
          break;
        case 2:
          p.extra = random.chance(0.3) ? 0 : random.real(0, 0.05) * shrinking(i);
          break;
        default:
          if (spec_.skip) p.x[1] = std::numeric_limits<double>::quiet_NaN();
      }
    });
  }

  /// Some go to another of the systems that lie apart.
  void migrate(std::uint64_t seed) {
    for_each(seed, [&](Random& random, oracle::Particle& p, std::size_t) {
      if (spec_.apart > 0 && random.chance(0.3)) p.world = random.integer(0, spec_.apart - 1);
    });
  }

  /// Returns the particles in another order: number k was number ids[k].
  template <class Ids>
  void reorder(const Ids& ids) {
    std::vector<oracle::Particle> particles;
    for (const auto i : ids) particles.push_back(s_.particles[static_cast<std::size_t>(i)]);
    s_.particles = std::move(particles);
  }

 private:
  template <class Change>
  void for_each(std::uint64_t seed, const Change& change) {
    for (std::size_t i = 0; i < s_.particles.size(); ++i) {
      Random random(seed * 1000003 + i);
      change(random, s_.particles[i], i);
    }
  }

  double shrinking(std::size_t i) const { return std::pow(16.0 / (16.0 + static_cast<double>(i)), 1.0 / s_.dimension); }

  oracle::Particle drawn(std::size_t i) const {
    if (i < spec_.listed.size()) return spec_.listed[i];
    Random random(spec_.seed * 7919 + i), site(spec_.seed + i % 3);
    oracle::Particle p;
    for (int k = 0; k < s_.dimension; ++k) {
      p.x[k] = spec_.clustered ? site.real() + 0.1 * random.real(-1, 1) : random.real(-0.05, 1.05);
    }
    p.radius = 0.15 * shrinking(i) * random.real(0.5, 1.3) / (spec_.scale * (spec_.clustered ? 3 : 1));
    if (random.chance(0.03)) p.radius = 0;
    if (spec_.grouped) p.group = random.integer(-1, 4), p.active = !random.chance(0.1);
    if (spec_.skip && random.chance(0.1)) p.x[0] = HUGE_VAL;
    if (spec_.apart > 0) p.world = random.integer(0, spec_.apart - 1);
    return p;
  }

  WorldSpec spec_;
  oracle::System s_;
};

}  // namespace support::machine
