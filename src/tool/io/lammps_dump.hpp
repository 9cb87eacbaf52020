// SPDX-License-Identifier: BSD-3-Clause
// LAMMPS text dumps: sections TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS and ATOMS, one frame after the other.
#pragma once

#include <memory>

#include "io/byte_source.hpp"
#include "io/frames.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Returns the frames of a file; lammps_frame.hpp finds the meaning of the columns. A frame of 0 atoms gives an empty table.
std::unique_ptr<FrameSource> lammps_frames(ByteSource& source, const ReadOptions& options);

}  // namespace hgrid::io
