// SPDX-License-Identifier: BSD-3-Clause
// Boxes, and what a system needs of one.
#pragma once

#include "hgrid/core/types.hpp"
#include "support/user_arrays.hpp"

namespace support::machine {

/// The box of a number: 0 is open; the others have periods near that of a world or below, along some of the axes.
template <int D>
hgrid::Box<D> numbered_box(std::uint64_t number) {
  hgrid::Box<D> box = hgrid::Box<D>::open();
  if (number == 0) return box;
  Random random(number);
  const bool tiny = random.chance(0.2);
  for (int k = 0; k < D; ++k) {
    box.wraps[k] = random.chance(0.6);
    box.lo[k] = random.real(-0.3, 0.1);
    box.hi[k] = box.lo[k] + (tiny ? random.real(0.2, 0.6) : random.chance(0.3) ? 1 : random.real(0.7, 1.5));
  }
  return box;
}

template <int D>
oracle::System in_box(oracle::System s, const hgrid::Box<D>& box, double skin) {
  for (int k = 0; k < D; ++k) s.periodic[k] = box.wraps[k], s.lo[k] = box.lo[k], s.hi[k] = box.hi[k];
  s.skin = skin;
  return s;
}

inline bool same_box(const oracle::System& a, const oracle::System& b) {
  return std::equal(a.periodic, a.periodic + 3, b.periodic) && std::equal(a.lo, a.lo + 3, b.lo) &&
         std::equal(a.hi, a.hi + 3, b.hi);
}

/// As arrays of float hold it.
inline oracle::System rounded(oracle::System s) {
  for (oracle::Particle& p : s.particles) {
    for (double& x : p.x) x = static_cast<float>(x);
    p.radius = static_cast<float>(p.radius), p.extra = static_cast<float>(p.extra);
  }
  return s;
}

/// Whether no pair spans more than seven images.
inline bool fits_box(const oracle::System& s) {
  for (const oracle::Particle& p : s.particles) {
    if (!oracle::takes_part(s, p)) continue;
    const double a = s.radius_scale * p.radius + p.extra;
    for (int k = 0; k < s.dimension; ++k) {
      if (s.periodic[k] && !(2 * a + s.skin <= hgrid::max_images * (s.hi[k] - s.lo[k]))) return false;
    }
  }
  return true;
}

}  // namespace support::machine
