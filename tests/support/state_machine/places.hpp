// SPDX-License-Identifier: BSD-3-Clause
// Boxes of particles and the rule by which they touch: the part of a system that comes from its grid.
#pragma once

#include "support/turned.hpp"
#include "support/user_arrays.hpp"

namespace support::machine {

/// Boxes with a number beyond this one are turned.
inline constexpr std::uint64_t upright_boxes = 1000000;

/// Returns the box of a number: 0 is open; the others have periods near a world's size or below, along some of the axes.
inline oracle::Domain numbered_box(int dimension, std::uint64_t number) {
  oracle::Domain box{.dimension = dimension};
  if (number == 0) return box;
  Random random(number);
  const bool tiny = random.chance(0.2);
  for (int k = 0; k < dimension; ++k) {
    box.periodic[k] = random.chance(0.6);
    box.lo[k] = random.real(-0.3, 0.1);
    box.hi[k] = box.lo[k] + (tiny ? random.real(0.2, 0.6) : random.chance(0.3) ? 1 : random.real(0.7, 1.5));
  }
  for (int k = 0; k + 1 < dimension && !tiny; ++k) {
    if (box.periodic[k + 1] && random.chance(0.4)) box.tilt[2 * k] = random.real(-2, 2);
  }
  box.turned = number > upright_boxes;
  if (box.turned) draw_axes(box, random);
  return box;
}

struct Place {
  oracle::Domain box;
  std::vector<oracle::Domain> boxes;  ///< of systems that lie apart, in place of the one above; empty: they share it
  oracle::Rule rule = oracle::Rule::sum;
};

inline oracle::System in_place(oracle::System s, const Place& place, double skin) {
  static_cast<oracle::Domain&>(s) = place.box;
  s.boxes = place.boxes, s.rule = place.rule, s.skin = skin;
  return s;
}

inline bool same_box(const oracle::Domain& a, const oracle::Domain& b) {
  return std::equal(a.periodic, a.periodic + 3, b.periodic) && std::equal(a.lo, a.lo + 3, b.lo) &&
         std::equal(a.hi, a.hi + 3, b.hi) && std::equal(a.tilt, a.tilt + 3, b.tilt) && a.turned == b.turned &&
         std::equal(a.axes[0], a.axes[0] + 9, b.axes[0]);
}

inline bool same_place(const oracle::System& a, const oracle::System& b) {
  return a.rule == b.rule && std::ranges::equal(a.boxes, b.boxes, same_box) && (!a.boxes.empty() || same_box(a, b));
}

/// Returns the system as arrays of float hold it.
inline oracle::System rounded(oracle::System s) {
  for (oracle::Particle& p : s.particles) {
    for (double& x : p.x) x = static_cast<float>(x);
    p.radius = static_cast<float>(p.radius), p.extra = static_cast<float>(p.extra);
  }
  return s;
}

/// Returns whether no pair spans more images than are allowed.
inline bool fits_box(const oracle::System& s) {
  for (const oracle::Particle& p : s.particles) {
    if (!oracle::takes_part(s, p)) continue;
    const oracle::Domain& box = oracle::domain_of(s, p);
    const bool tilted = std::any_of(box.tilt, box.tilt + 3, [](double tilt) { return tilt != 0; });
    const int most_images = tilted ? hgrid::max_tilted_images : hgrid::max_images;
    const double a = s.radius_scale * p.radius + p.extra;
    for (int k = 0; k < s.dimension; ++k) {
      if (box.periodic[k] && !(2 * a + s.skin <= most_images * (box.hi[k] - box.lo[k]))) return false;
    }
  }
  return true;
}

/// Each system has a box, if any has. Only then do others of these functions, and the oracle, take it.
inline bool has_its_boxes(const oracle::System& s) { return s.boxes.empty() || static_cast<int>(s.boxes.size()) == s.worlds; }

/// Returns the error that a build must throw for a system that is good input otherwise.
inline std::optional<hgrid::ErrorCode> refusal(const oracle::System& s) {
  if (!has_its_boxes(s)) return hgrid::ErrorCode::size_mismatch;
  if (!fits_box(s)) return hgrid::ErrorCode::box_too_small;
  return {};
}

}  // namespace support::machine
