// SPDX-License-Identifier: BSD-3-Clause
// Boxes, and what a system needs of one.
#pragma once

#include "hgrid/core/tilt.hpp"
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
  hgrid::Vec<double, hgrid::Box<D>::tilts> tilts{};
  for (int k = 0; k + 1 < D && !tiny; ++k) {
    if (box.wraps[k + 1] && random.chance(0.4)) tilts[2 * k] = random.real(-2, 2);
  }
  return hgrid::tilted(box, tilts);
}

template <int D>
oracle::System in_box(oracle::System s, const hgrid::Box<D>& box, double skin) {
  for (int k = 0; k < D; ++k) s.periodic[k] = box.wraps[k], s.lo[k] = box.lo[k], s.hi[k] = box.hi[k];
  for (int t = 0; t < hgrid::Box<D>::tilts; ++t) s.tilt[t] = hgrid::tilts_of(box)[t];
  s.skin = skin;
  return s;
}

inline bool same_box(const oracle::System& a, const oracle::System& b) {
  return std::equal(a.periodic, a.periodic + 3, b.periodic) && std::equal(a.lo, a.lo + 3, b.lo) &&
         std::equal(a.hi, a.hi + 3, b.hi) && std::equal(a.tilt, a.tilt + 3, b.tilt);
}

/// As arrays of float hold it.
inline oracle::System rounded(oracle::System s) {
  for (oracle::Particle& p : s.particles) {
    for (double& x : p.x) x = static_cast<float>(x);
    p.radius = static_cast<float>(p.radius), p.extra = static_cast<float>(p.extra);
  }
  return s;
}

/// Whether no pair spans more images than are allowed.
inline bool fits_box(const oracle::System& s) {
  const bool tilted = std::any_of(s.tilt, s.tilt + 3, [](double tilt) { return tilt != 0; });
  const int most_images = tilted ? hgrid::max_tilted_images : hgrid::max_images;
  for (const oracle::Particle& p : s.particles) {
    if (!oracle::takes_part(s, p)) continue;
    const double a = s.radius_scale * p.radius + p.extra;
    for (int k = 0; k < s.dimension; ++k) {
      if (s.periodic[k] && !(2 * a + s.skin <= most_images * (s.hi[k] - s.lo[k]))) return false;
    }
  }
  return true;
}

}  // namespace support::machine
