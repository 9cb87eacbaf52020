// SPDX-License-Identifier: BSD-3-Clause
// Pairs across a periodic face where two roundings meet.
#pragma once

#include "support/case.hpp"

namespace support {

class BorderPairs {
 public:
  explicit BorderPairs(Random& random) : random_(random) {}

  /// Pairs far apart from each other along y: a small particle on the first or last number of a cell beneath the upper face,
  /// and a larger one beyond it at the distance of touching, off by eighths of an ulp of the period. There the coarse
  /// particle's shifted centre rounds more coarsely than the predicate's difference.
  Case make(int pairs) {
    Case c;
    oracle::System& s = c.system;
    const double far = random_.chance(0.5) ? 0 : std::ldexp(random_.real(-1, 1), random_.integer(4, 30));
    s.dimension = 2;
    s.periodic[0] = true, s.lo[0] = far, s.hi[0] = far + std::ldexp(random_.real(1, 1.01), random_.integer(4, 20));
    const double length = s.hi[0] - s.lo[0];
    const double fine = random_.real(0.5, 1), coarse = random_.real(1, 2), cell = random_.real(0.3, 2.5);
    c.levels = {{fine, {cell, 2, 2}}, {coarse, {2 * coarse, 4, 4}}};
    hgrid::Level<2> level{};  // as the library lays it out
    level.origin[0] = s.lo[0], level.inverse[0] = 1 / cell, level.cells[0] = static_cast<int>(std::ceil(length / cell));
    for (int k = 0; k < pairs; ++k) {
      oracle::Particle p{.x = {border_below(s.hi[0], fine, level), 8.0 * k}, .radius = fine};
      oracle::Particle q{.x = {0, 8.0 * k}, .radius = coarse};
      const double ulp = s.hi[0] - std::nextafter(s.hi[0], -HUGE_VAL);
      q.x[0] = std::fmax(s.lo[0], p.x[0] - length + (fine + coarse) + random_.integer(-12, 12) * ulp / 8);
      s.particles.push_back(p);
      s.particles.push_back(q);
    }
    return c;
  }

  /// Draws pairs across a tilted face, far from 0: their shift is small, and no multiple of the spacing of doubles there.
  Case make_tilted(int pairs) {
    Case c;
    oracle::System& s = c.system;
    s.dimension = 2;
    const double far = random_.sign() * std::ldexp(random_.real(1, 2), random_.integer(30, 44));
    const double ulp = std::nextafter(std::fabs(far), HUGE_VAL) - std::fabs(far);
    s.periodic[1] = true, s.lo[1] = random_.chance(0.5) ? 0 : far, s.hi[1] = s.lo[1] + 16;
    s.tilt[0] = random_.real(-1, 1);
    c.levels = {{1, {2, 2, 2}}};  // planned ones of so few are one cell, in which all pairs are tested
    for (int k = 0; k < pairs; ++k) {
      oracle::Particle p{.x = {far + 8 * k, s.lo[1] + random_.real(0, 0.4)}, .radius = random_.real(0.5, 1)};
      oracle::Particle q{.x = {0, s.hi[1] - random_.real(0, 0.4)}, .radius = random_.real(0.5, 1)};
      const double up = p.x[1] + 16 - q.x[1], distance = p.radius + q.radius;
      q.x[0] = p.x[0] + s.tilt[0] + random_.sign() * std::sqrt(distance * distance - up * up) + random_.integer(-2, 2) * ulp;
      s.particles.push_back(p);
      s.particles.push_back(q);
    }
    return c;
  }

 private:
  // The first number of a cell, or the one before it, less than a radius beneath the face.
  double border_below(double face, double radius, const hgrid::Level<2>& level) {
    double last = face - radius * random_.real(0.2, 1.8), first = std::nextafter(face, -HUGE_VAL);
    const hgrid::index_t cell = hgrid::detail::cell_coordinate(level, 0, last);
    if (cell == hgrid::detail::cell_coordinate(level, 0, first)) return last;
    while (std::nextafter(last, face) < first) {
      const double middle = last + (first - last) / 2;
      (hgrid::detail::cell_coordinate(level, 0, middle) == cell ? last : first) = middle;
    }
    return random_.chance(0.5) ? first : last;
  }

  Random& random_;
};

}  // namespace support
