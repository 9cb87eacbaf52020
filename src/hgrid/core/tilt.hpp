// SPDX-License-Identifier: BSD-3-Clause
// Boxes with tilted images.
#pragma once

#include <string>

#include "hgrid/core/error.hpp"
#include "hgrid/core/lattice.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// Returns a bound of the numbers of images in the vectors that the user gave. In vectors with small tilts the numbers are
/// below 16 (core/reach.hpp).
template <int D>
double largest_image(const Box<D>& box) {
  Vec<double, D> most;
  double largest = 0;
  for (int k = D - 1; k >= 0; --k) {
    most[k] = 16;
    for (int j = k + 1; j < D; ++j) most[k] += std::fabs(1.0 * box.periods[Box<D>::tilt_index(k, j)]) * most[j];
    largest = std::fmax(largest, most[k]);
  }
  return largest;
}

}  // namespace detail

/// Returns the box, repeated along a = (L_x, 0, 0), b = (xy, L_y, 0) and c = (xz, yz, L_z), as LAMMPS writes its cells. The
/// tilts are xy, or in three dimensions xy, xz and yz. Particles may lie anywhere: the brick from lo to hi holds each of them
/// once, whatever the tilts are. Tilts may be up to 2^20 periods large, or 2^10 periods if two add up. Each tilt larger than
/// half a period causes one more rounding. Throws `invalid_box` for larger tilts, and for tilts of the vectors of open axes.
template <int D>
Box<D> tilted(Box<D> box, const Vec<double, Box<D>::tilts>& tilts) {
  const auto fail = [](int axis, double value, const char* why) {
    throw Error(ErrorCode::invalid_box,
                "a tilt of the vector of axis " + std::string(1, "xyz"[axis]) + " is " + std::to_string(value) + ": " + why,
                {.argument = "box", .index = axis, .value = value});
  };
  box.tilted = false;
  for (int j = 1; j < D; ++j) {
    Vec<double, D> vector{};  // of axis j; subtracts the vectors of earlier axes, each of which tilts along still earlier ones
    for (int k = 0; k < j; ++k) vector[k] = tilts[Box<D>::tilt_index(k, j)];
    for (int k = j - 1; k >= 0; --k) {
      const int t = Box<D>::tilt_index(k, j);
      if (!(std::fabs(vector[k]) <= largest_length)) fail(j, vector[k], "it must be finite, and at most 1e15");
      if (vector[k] != 0 && !box.wraps[j]) fail(j, vector[k], "the axis is open");
      const double count = box.wraps[k] && vector[k] != 0 ? std::nearbyint(vector[k] / box.length(k)) : 0;
      if (!(std::fabs(count) <= most_tilt)) fail(j, vector[k], "it is more than 2^20 periods; take some off");
      box.periods[t] = static_cast<std::int32_t>(count), box.tilt[t] = vector[k];
      box.tilted = box.tilted || vector[k] != 0;
      if (count == 0) continue;
      box.tilt[t] = detail::less_periods(vector[k], count, box.length(k));
      for (int i = 0; i < k; ++i) vector[i] = detail::less_periods(vector[i], count, box.tilt[Box<D>::tilt_index(i, k)]);
    }
  }
  if (detail::largest_image(box) > 0x1p26) {
    fail(D - 1, tilts[0], "images would have numbers beyond 2^26; take whole periods off");
  }
  return box;
}

/// Returns the tilts of a box, as the user gave them.
template <int D>
Vec<double, Box<D>::tilts> tilts_of(const Box<D>& box) {
  Vec<double, Box<D>::tilts> tilts;
  for (int j = 1; j < D; ++j) {
    Vec<double, D> count{};
    count[j] = 1;
    const Vec<double, D> vector = detail::sum_of_vectors(box, count);
    for (int k = 0; k < j; ++k) tilts[Box<D>::tilt_index(k, j)] = vector[k];
  }
  return tilts;
}

}  // namespace hgrid::inline v0_2
