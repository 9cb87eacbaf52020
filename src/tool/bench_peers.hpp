// SPDX-License-Identifier: BSD-3-Clause
// The peers of hgrid bench, each in its file; those that need a library are there if configuring found it.
#pragma once

#include "bench.hpp"

namespace hgrid::tool {

/// One cell size for all particles, half stencil, particles sorted into cells.
Peer linked_cell_peer();
/// What single-level cells answer where one size of cells means too many tests or cells a particle.
std::optional<std::string> too_many_tests(const Packing& p);
/// ArborX: a bounding volume hierarchy of spheres in double, half traversal.
Peer arborx_peer();
/// Cabana: linked cells of one size, particles sorted into them.
Peer cabana_peer();
/// CGAL::box_self_intersection_d over the bounding boxes, cutoff 10000.
Peer cgal_peer();
/// A packed boost::geometry R-tree of the bounding boxes.
Peer boost_peer();
/// A nanoflann k-d tree of particles in Morton order; of each pair the larger finds the smaller within 2 r.
Peer nanoflann_peer();

}  // namespace hgrid::tool
