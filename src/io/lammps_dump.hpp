// SPDX-License-Identifier: BSD-3-Clause
// LAMMPS text dumps: sections TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS and ATOMS, a frame after the other.
#pragma once

#include "io/byte_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads one frame, the last unless the options name one, in the order of its rows. Positions are the first
/// of x y z, xu yu zu (unwrapped), xs ys zs and xsu ysu zsu (scaled by the box) that the frame has; radii are
/// `radius` or half of `diameter`. A frame of 0 atoms gives an empty table. Throws Error(format);
/// Error(invalid_argument) for a frame that the file does not have.
ParticleTable read_lammps_dump(ByteSource& source, const ReadOptions& options);

}  // namespace hgrid::io
