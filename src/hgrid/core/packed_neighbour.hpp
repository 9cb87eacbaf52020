// SPDX-License-Identifier: BSD-3-Clause
// A neighbor and its image in 64 bits: the entry of packed lists. Few periods lie between two particles inside the box, so
// eleven bits per axis suffice. The periods by which a particle lies outside are kept once per particle.
#pragma once

#include <algorithm>

#include "hgrid/core/image_code.hpp"
#include "hgrid/core/lattice.hpp"

namespace hgrid::inline v0_2 {

/// Ordered by (neighbor, image), which is the order of its bits: 31 bits for the neighbor, then for each axis eleven bits for
/// the image's number plus 1,024.
struct PackedNeighbour {
  static constexpr int axis_bits = 11;
  static constexpr std::int32_t most_periods = 1023;  ///< in either direction along an axis

  std::uint64_t bits;

  HGRID_HD static constexpr PackedNeighbour of(index_t neighbour, const Image& inside) {
    std::uint64_t bits = static_cast<std::uint64_t>(neighbour);
    for (int k = 0; k < 3; ++k) bits = bits << axis_bits | static_cast<std::uint64_t>(inside[k] + (most_periods + 1));
    return {bits};
  }

  HGRID_HD constexpr index_t neighbour() const { return static_cast<index_t>(bits >> 3 * axis_bits); }

  /// Returns the image between the two particles after both are wrapped into the box.
  HGRID_HD constexpr Image inside() const {
    Image m{};
    for (int k = 0; k < 3; ++k) {
      m[k] = static_cast<std::int32_t>(bits >> (2 - k) * axis_bits & (2 * most_periods + 1)) - (most_periods + 1);
    }
    return m;
  }

  friend constexpr bool operator==(const PackedNeighbour&, const PackedNeighbour&) = default;
  HGRID_HD friend constexpr bool operator<(PackedNeighbour a, PackedNeighbour b) { return a.bits < b.bits; }
};

namespace detail {

/// Returns whether all images of a search in the box fit into packed neighbors. Only boxes whose vectors were given with tilts
/// of dozens of periods fail.
template <int D>
bool fits_packed(const Box<D>& box) {
  double most[D];
  for (int k = D - 1; k >= 0; --k) {
    most[k] = most_coded_periods;
    for (int j = k + 1; j < D && box.tilted; ++j) most[k] += std::fabs(box.periods[Box<D>::tilt_index(k, j)]) * most[j];
    if (most[k] > PackedNeighbour::most_periods) return false;
  }
  return true;
}

/// Returns whether the images fit in the boxes of all worlds, or in `box`, which worlds share if `boxes` is empty.
template <int D, class Boxes>
bool fits_packed(const Box<D>& box, const Boxes& boxes) {
  return boxes.empty() ? fits_packed(box) : std::ranges::all_of(boxes, [](const Box<D>& own) { return fits_packed(own); });
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
