// SPDX-License-Identifier: BSD-3-Clause
// Contract C2 in integers: what must be a contact, what must not, and what rounding may decide. Lengths are
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
  Integer skin = 0;
  std::vector<Particle> particles;
};

enum class Verdict { must, either, must_not };

inline Integer wrapped(Integer x, Integer lo, Integer period) {
  if (period == 0) return x;
  const Integer r = (x - lo) % period;
  return lo + (r < 0 ? r + period : r);
}

/// The pair (i, j) under image m of the positions as passed. tau = u (5 R + 4 (|x_i - x_j| + |m| L)) with the
/// wrapped positions and their image, u = 2^-53; the squares of tau, far below one unit, go to the undecided
/// side.
inline Verdict judge(const System& s, std::size_t i, std::size_t j, std::array<Integer, 3> m) {
  const Particle &p = s.particles[i], &q = s.particles[j];
  const wide reach = static_cast<wide>(p.radius) + q.radius + s.skin;
  wide squared = 0, span = 0;
  for (int k = 0; k < 3; ++k) {
    const wide d = static_cast<wide>(p.x[k]) - q.x[k] - static_cast<wide>(m[k]) * s.period[k];
    const wide inside = static_cast<wide>(wrapped(p.x[k], s.lo[k], s.period[k])) - wrapped(q.x[k], s.lo[k], s.period[k]);
    const wide shift = inside - d;
    squared += d * d;
    span += (inside < 0 ? -inside : inside) + (shift < 0 ? -shift : shift);
  }
  const wide excess = squared - reach * reach, far = static_cast<wide>(1) << 70;
  if (excess <= -far) return Verdict::must;
  if (excess >= far) return Verdict::must_not;
  const wide tau = 5 * reach + 4 * span;  // in units of u
  const wide margin = 2 * reach * tau, scaled = excess * (static_cast<wide>(1) << 53);
  if (scaled <= -margin) return Verdict::must;
  return scaled > margin + (static_cast<wide>(1) << 60) ? Verdict::must_not : Verdict::either;
}

/// Whether the pair's distance is that of touching to within so many units.
inline bool is_near(const System& s, std::size_t i, std::size_t j, std::array<Integer, 3> m, Integer units) {
  const wide reach = static_cast<wide>(s.particles[i].radius) + s.particles[j].radius + s.skin;
  wide squared = 0;
  for (int k = 0; k < 3; ++k) {
    const wide d = static_cast<wide>(s.particles[i].x[k]) - s.particles[j].x[k] - static_cast<wide>(m[k]) * s.period[k];
    squared += d * d;
  }
  const wide excess = squared - reach * reach;
  return (excess < 0 ? -excess : excess) <= 2 * reach * units;
}

}  // namespace exact
