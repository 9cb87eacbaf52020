// SPDX-License-Identifier: BSD-3-Clause
// Writes pairs, and statistics of each particle, as text.
#pragma once

#include "io/atomic_file.hpp"
#include "io/frame_column.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Writes a header and a row per pair, "i,j,ix,iy,iz,overlap", with the ids of the particles if they have any. Overlaps read
/// back to exactly the same double.
void write_pairs_csv(AtomicFile& file, const PairSource& pairs, const ParticleTable& particles, const FrameColumn& frame = {});

/// Writes a header and a row per particle, "id,x,y,z,r,contacts,largest_overlap", in 2-D without z. If particles have no ids,
/// id is the number of the row.
void write_coordination_csv(AtomicFile& file, const ParticleTable& particles, const Coordination& coordination,
                            const FrameColumn& frame = {});

}  // namespace hgrid::io
