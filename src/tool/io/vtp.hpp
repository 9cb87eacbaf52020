// SPDX-License-Identifier: BSD-3-Clause
// VTK PolyData (.vtp), for ParaView: particles as vertices, pairs as lines, walls as triangles.
#pragma once

#include <span>

#include "io/atomic_file.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"
#include "io/walls.hpp"

namespace hgrid::io {

/// The results of a search, with its particles and walls. In two dimensions the box's z axis is open.
struct FoundPairs {
  const PairSource& pairs;
  const ParticleTable& particles;
  Box3 box = Box3::open();
  const Coordination& coordination;
  std::span<const WallTriangle> walls = {};
};

/// Writes a vertex for each particle, a line for each pair, from x_i to x_j + m L, so that none crosses the box, and a triangle
/// for each facet of the walls. They share no points, so filters that read points, such as VTK's tubes, find a pair's values at
/// both of its ends. Arrays of the points:
///   kind      0 at a particle, 1 at the ends of a pair, 2 at a wall; cells have it, too
///   radius    of a particle, so that glyphs draw only the particles; else 0; for boxes `extent`, their three half extents
///   overlap   of the pair; for a particle the largest of its contacts; for a wall 0
///   contacts  of a particle: their number; else 0
///   id        of the particle at this point; for a wall -1
/// Arrays of the cells: kind, overlap as above, i and j (ids; for a particle its own twice, for a wall -1), and normal, the
/// unit vector from j to i (0 if there is none), for boxes along the axis with the least overlap.
/// Throws Error(invalid_argument) for a pair that names a particle not in the table.
void write_vtp(AtomicFile& file, const FoundPairs& found);

}  // namespace hgrid::io
