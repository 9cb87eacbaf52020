// SPDX-License-Identifier: BSD-3-Clause
// VTK PolyData (.vtp), for ParaView: particles as points, pairs as lines.
#pragma once

#include "io/atomic_file.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Writes the particles as points with `radius`, and the pairs as lines with `overlap`. A pair with an image
/// m runs from x_i to x_j + m L, a point of its own with the radius of j: so no line crosses the box. The
/// point array `image` is 1 there and 0 for particles. In two dimensions the box's z axis is open.
/// Throws Error(invalid_argument) for a pair that names a particle not in the table.
void write_vtp(AtomicFile& file, const ParticleTable& table, const Box3& box, const PairSource& pairs);

}  // namespace hgrid::io
