// SPDX-License-Identifier: BSD-3-Clause
// Contacts of particles with the triangles of walls.
#pragma once

#include <span>
#include <vector>

#include "papers/systems/cell_space.hpp"

namespace hgrid::reference {

struct Triangle {
  Vec<double, 3> vertex[3];
};

/// A ball that touches a facet; overlap = r - distance, at least -skin.
struct WallContact {
  index_t ball, facet;
  double overlap;
  friend bool operator==(const WallContact&, const WallContact&) = default;
};

/// Returns the squared distance of a point from a triangle, which may be degenerate.
double squared_distance(const Vec<double, 3>& point, const Triangle& triangle);

/// Returns all (ball, facet), sorted, with distance^2 <= (r + skin)^2. First the ball-facet proximity of a cell space (004) of
/// both kinds of pieces, then this predicate. Ids are the user's. Throws the errors of `Bodies` for particles,
/// Error(unsupported) in a periodic box, and Error(nonfinite) or Error(range_error) for a vertex, naming the facet.
std::vector<WallContact> wall_contacts(const Bodies<3>& bodies, std::span<const Triangle> facets,
                                       CellSpaceOptions<3> options = {});

}  // namespace hgrid::reference
