// SPDX-License-Identifier: BSD-3-Clause
// Data files of LAMMPS and LIGGGHTS, as write_data, OVITO and moltemplate write them: a line of text, counts and a box, and
// sections, of which Atoms has the particles.
#pragma once

#include <string_view>

#include "io/byte_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads the section Atoms, whose columns the atom style says that stands beside it, as in `Atoms # sphere`, or the options
/// name; and the box, which may be tilted or along any vectors. Which axes are periodic no such file says. Throws Error(format)
/// naming the line, also where another number of rows is declared than there is.
ParticleTable read_lammps_data(ByteSource& source, const ReadOptions& options);

/// Returns whether a text is one: after the first line, which may say anything, come counts and bounds, `atoms` among them.
bool is_lammps_data(std::string_view head);

}  // namespace hgrid::io
