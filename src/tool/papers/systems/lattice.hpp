// SPDX-License-Identifier: BSD-3-Clause
// The regular lattice of cells of the linked cell method and of NBS.
#pragma once

#include <algorithm>
#include <cmath>

#include "papers/systems/bodies.hpp"

namespace hgrid::reference {

/// With more cells along an axis, the rounding of a coordinate in cells would approach the room that a reach has.
inline constexpr index_t most_cells_per_axis = index_t{1} << 20;

template <int D>
struct Lattice {
  Vec<double, D> origin, cell_size;
  Vec<index_t, D> cells;

  /// Returns the integerised coordinate: Int((x - x_min) / cell size), or the border cell beyond the lattice. It never falls as
  /// x grows, and differs by at most one between points at most one cell size apart.
  index_t cell(int k, double x) const {
    const double t = std::floor((x - origin[k]) / cell_size[k]);
    return static_cast<index_t>(std::clamp(t, 0.0, static_cast<double>(cells[k] - 1)));
  }

  std::int64_t size() const {
    std::int64_t n = 1;
    for (int k = 0; k < D; ++k) n *= cells[k];
    return n;
  }
};

/// Returns the side of a cube such that about `cells` cubes fill the space. Shorter axes get one cell. Returns 0 if no axis is
/// long.
template <int D>
double cell_side(const Bounds<D>& space, double cells) {
  double side = 0;
  for (int dropped = 0; dropped <= D; ++dropped) {  // each round drops the axes that the last round found too short
    double volume = 1;
    int axes = 0;
    for (int k = 0; k < D; ++k) {
      const double length = space.hi[k] - space.lo[k];
      if (length > side) volume *= std::pow(length, 1.0 / D), ++axes;  // a product of lengths might overflow
    }
    if (axes == 0) break;
    side = std::pow(volume, static_cast<double>(D) / axes) / std::pow(std::max(1.0, cells), 1.0 / axes);
  }
  return side;
}

/// Throws Error(range_error) naming the first original outside a space that the user stated.
template <int D>
void require_inside(const Bodies<D>& bodies, const Bounds<D>& space) {
  for (index_t b = 0; b < bodies.originals(); ++b) {
    for (int k = 0; k < D; ++k) {
      const double x = bodies.x(k, b);
      if (x >= space.lo[k] && x <= space.hi[k]) continue;
      throw Error(ErrorCode::range_error,
                  "positions of particle " + std::to_string(bodies.id(b)) + ": " + "xyz"[k] + " = " + detail::to_text(x) +
                      " lies outside the stated space from " + detail::to_text(space.lo[k]) + " to " +
                      detail::to_text(space.hi[k]),
                  {.argument = "positions", .index = bodies.id(b), .value = x});
    }
  }
}

}  // namespace hgrid::reference
