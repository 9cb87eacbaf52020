// SPDX-License-Identifier: BSD-3-Clause
// The readers' one door.
#pragma once

#include <string>

#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads particles from a text table, a MercuryDPM .data file, a LAMMPS text dump or an .npy file; "-" is
/// standard input. The format is told by the content; the name decides only where the content does not.
/// Throws Error with codes io (cannot be read), format (the data; the message names line or byte),
/// invalid_argument (an option that does not fit the file), unsupported (a box of general vectors) and out_of_memory.
ParticleTable read_particles(const std::string& path, const ReadOptions& options = {});

}  // namespace hgrid::io
