// SPDX-License-Identifier: BSD-3-Clause
// Extended XYZ, as ASE and OVITO write it: the number of atoms, a line of keys and values, a row for each atom; a frame after the
// other.
#pragma once

#include "io/byte_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads one frame, the last unless the options name one. Of the keys, Lattice states the vectors of the box, pbc which of them are
/// periodic (all, where Lattice stands alone) and Properties the columns: pos, and radius or diameter; without Properties rows
/// are a name and a position. Throws Error(format), and Error(invalid_argument) for a frame that the file does not have.
ParticleTable read_extended_xyz(ByteSource& source, const ReadOptions& options);

/// Whether a text whose first row that is not blank is one lone count goes on with a line of such keys.
bool is_extended_xyz(std::string_view head);

}  // namespace hgrid::io
