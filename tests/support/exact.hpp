// SPDX-License-Identifier: BSD-3-Clause
// Contract C2 in integers: pairs that must be contacts, pairs that must not, and pairs that rounding may decide. Lengths are
// whole multiples of one unit and at most 2^50, so squares fit 128 bits.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace exact {

__extension__ typedef __int128 wide;
using Integer = std::int64_t;

struct Particle {
  std::array<Integer, 3> x;
  Integer radius;
};

struct System {
  std::array<Integer, 3> lo, period;  // period 0: open axis
  std::array<Integer, 3> tilt{};      // xy, xz, yz; 0 for a vector of an open axis
  Integer skin = 0;
  bool by_larger = false;  // the larger radius counts, and not the sum
  std::vector<Particle> particles;
};

enum class Verdict { must, either, must_not };

using Vectors = std::array<std::array<Integer, 3>, 3>;  // component k of vector j is [j][k]

inline Vectors vectors(const System& s) {
  const auto& [xy, xz, yz] = s.tilt;
  return {{{s.period[0], 0, 0}, {xy, s.period[1], 0}, {xz, yz, s.period[2]}}};
}

inline Integer floored(Integer a, Integer b) { return a / b - (a % b < 0); }

/// x less whole vectors, the last axis first, until component k of it is in [from, from + period).
inline void take_off(const System& s, const Vectors& v, int last, const std::array<Integer, 3>& from,
                     std::array<Integer, 3>& x) {
  for (int j = last; j >= 0; --j) {
    const Integer n = s.period[j] == 0 ? 0 : floored(x[j] - from[j], s.period[j]);
    for (int k = 0; k <= j; ++k) x[k] -= n * v[j][k];
  }
}

/// The vectors with tilts of at most half a period.
inline Vectors small_vectors(const System& s) {
  Vectors v = vectors(s);
  for (int j = 1; j < 3; ++j) take_off(s, v, j - 1, {-s.period[0] / 2, -s.period[1] / 2, 0}, v[j]);
  return v;
}

/// x_i - x_j less the vectors of image m.
inline std::array<wide, 3> separation(const System& s, std::size_t i, std::size_t j, const std::array<Integer, 3>& m) {
  const Vectors v = vectors(s);
  std::array<wide, 3> d;
  for (int k = 0; k < 3; ++k) {
    d[k] = static_cast<wide>(s.particles[i].x[k]) - s.particles[j].x[k];
    for (int a = k; a < 3; ++a) d[k] -= static_cast<wide>(m[a]) * v[a][k];
  }
  return d;
}

/// The distance at which a pair touches.
inline wide reach_of(const System& s, std::size_t i, std::size_t j) {
  const Integer a = s.particles[i].radius, b = s.particles[j].radius;
  return (s.by_larger ? static_cast<wide>(a < b ? b : a) : static_cast<wide>(a) + b) + s.skin;
}

inline wide magnitude(wide x) { return x < 0 ? -x : x; }

/// The pair (i, j) under image m of the positions as passed. tau = u (5 R + 4 |x_i - x_j| + 4 |m| L), or 6 of the terms of the
/// shift in a tilted box, with the wrapped positions and their image, u = 2^-53; the squares of tau, far below one unit, go to
/// the undecided side.
inline Verdict judge(const System& s, std::size_t i, std::size_t j, std::array<Integer, 3> m) {
  const Particle &p = s.particles[i], &q = s.particles[j];
  const wide reach = reach_of(s, i, j);
  const std::array<wide, 3> d = separation(s, i, j, m);
  const Vectors small = small_vectors(s);
  std::array<Integer, 3> at_i = p.x, at_j = q.x;
  take_off(s, vectors(s), 2, s.lo, at_i), take_off(s, vectors(s), 2, s.lo, at_j);
  std::array<wide, 3> shift{};
  wide squared = 0, span = 0, terms = 0;
  for (int k = 0; k < 3; ++k) {
    const wide inside = static_cast<wide>(at_i[k]) - at_j[k];
    shift[k] = inside - d[k];
    squared += d[k] * d[k], span += magnitude(inside);
  }
  for (int j_axis = 2; j_axis >= 0; --j_axis) {
    const wide n = s.period[j_axis] == 0 ? 0 : shift[j_axis] / s.period[j_axis];
    for (int k = 0; k <= j_axis; ++k) shift[k] -= n * small[j_axis][k], terms += magnitude(n * small[j_axis][k]);
  }
  const bool tilted = s.tilt != std::array<Integer, 3>{};
  span += tilted ? (3 * terms + 1) / 2 : terms;
  const wide excess = squared - reach * reach, far = static_cast<wide>(1) << 70;
  if (excess <= -far) return Verdict::must;
  if (excess >= far) return Verdict::must_not;
  const wide tau = 5 * reach + 4 * span;  // in units of u
  const wide margin = 2 * reach * tau, scaled = excess * (static_cast<wide>(1) << 53);
  if (scaled <= -margin) return Verdict::must;
  return scaled > margin + (static_cast<wide>(1) << 60) ? Verdict::must_not : Verdict::either;
}

/// Returns whether the pair's distance is the distance of touching to within that number of units.
inline bool is_near(const System& s, std::size_t i, std::size_t j, std::array<Integer, 3> m, Integer units) {
  const wide reach = reach_of(s, i, j);
  wide squared = 0;
  for (const wide d : separation(s, i, j, m)) squared += d * d;
  const wide excess = squared - reach * reach;
  return (excess < 0 ? -excess : excess) <= 2 * reach * units;
}

}  // namespace exact
