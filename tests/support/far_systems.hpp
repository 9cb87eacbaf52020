// SPDX-License-Identifier: BSD-3-Clause
// Particles that lie together at some places, with nothing for far between them.
#pragma once

#include "support/packings.hpp"

namespace support {

enum class Places { axis, diagonal, anywhere };

/// Draws n particles with radii from 0.5 to 0.5 * ratio. They are packed to about a third in equal clusters, whose places are
/// `apart` from each other, or anywhere in a cube of that side.
inline oracle::System far_clusters(int dimension, int clusters, double apart, Places places, int n, double ratio = 1,
                                   std::uint64_t seed = 1) {
  Random random(seed);
  oracle::System s;
  s.dimension = dimension;
  double volume = 0;
  for (int i = 0; i < n; ++i) {
    const double r = 0.5 * std::pow(1 - random.real() * (1 - std::pow(ratio, -2)), -0.5);
    volume += std::pow(2 * r, dimension);
    s.particles.push_back({.radius = r});
  }
  const double side = std::pow(1.5 * volume / clusters, 1.0 / dimension);
  std::vector<double> place;
  for (int c = 0; c < clusters; ++c) {
    for (int k = 0; k < 3; ++k) {
      const bool moves = places != Places::axis || k == 0;
      place.push_back(places == Places::anywhere ? random.real(-apart, apart) / 2 : (moves ? c * apart : 0));
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < dimension; ++k) s.particles[i].x[k] = place[i % clusters * 3 + k] + random.real(0, side);
  }
  return s;
}

/// Draws clusters of five clusters of five clusters of particles of radius 0.5 along the diagonal, each a million times as wide
/// as its parts.
inline oracle::System nested_clusters(int n) {
  Random random(2);
  oracle::System s;
  const double side = std::cbrt(n / 125.0 * 1.5);
  for (int i = 0; i < n; ++i) {
    const double place = i % 5 * 1e3 + i / 5 % 5 * 1e8 + i / 25 % 5 * 1e13;
    s.particles.push_back({.radius = 0.5});
    for (double& x : s.particles.back().x) x = place + random.real(0, side);
  }
  return s;
}

/// Draws n particles along the diagonal, each further from the origin by a constant factor, up to 1e12. Their radii are `share`
/// of their distance, but at least 0.5.
inline oracle::System growing_gaps(int n, double share) {
  oracle::System s;
  for (int i = 0; i < n; ++i) {
    const double x = std::pow(1e12, (i + 1.0) / n);
    s.particles.push_back({.x = {x, x, x}, .radius = std::fmax(0.5, share * x)});
  }
  return s;
}

/// Half of n particles of radius 0.5 in one cluster, half of them one by one anywhere in a cube of side 1e12, or on its
/// diagonal.
inline oracle::System cluster_in_a_gas(int n, bool on_diagonal) {
  oracle::System s = far_clusters(3, 1, 0, Places::axis, n / 2);
  Random random(3);
  while (static_cast<int>(s.particles.size()) < n) {
    oracle::Particle p{.radius = 0.5};
    const double x = random.real(-5e11, 5e11);
    for (double& c : p.x) c = on_diagonal ? x : random.real(-5e11, 5e11);
    s.particles.push_back(p);
  }
  return s;
}

}  // namespace support
