// SPDX-License-Identifier: BSD-3-Clause
// Data files of LAMMPS and LIGGGHTS, which write_data, OVITO and moltemplate write: a line of text, counts and a box, and
// sections. The section Atoms has the particles.
#pragma once

#include <string_view>

#include "io/byte_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads the section Atoms and the box, which may be tilted or along any vectors. The columns follow from the atom style beside
/// the section's name, as in `Atoms # sphere`, or the options name them. Such a file never states which axes are periodic.
/// Throws Error(format) naming the line, also if the declared number of rows differs from the rows.
ParticleTable read_lammps_data(ByteSource& source, const ReadOptions& options);

/// Returns whether a text is such a file: after the first line, which may have any text, come counts and bounds, including
/// `atoms`.
bool is_lammps_data(std::string_view head);

}  // namespace hgrid::io
