// SPDX-License-Identifier: BSD-3-Clause
// Pairs, and what they say of each particle, as text.
#pragma once

#include "io/atomic_file.hpp"
#include "io/frame_column.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Writes a header and a row per pair, "i,j,ix,iy,iz,overlap", with the ids of the particles where they have any; overlaps read
/// back to the same double.
void write_pairs_csv(AtomicFile& file, const PairSource& pairs, const ParticleTable& particles, const FrameColumn& frame = {});

/// Writes a header and a row per particle, "id,x,y,z,r,contacts,largest_overlap", in 2-D without z; id is the number of the row
/// where the particles have none.
void write_coordination_csv(AtomicFile& file, const ParticleTable& particles, const Coordination& coordination,
                            const FrameColumn& frame = {});

}  // namespace hgrid::io
