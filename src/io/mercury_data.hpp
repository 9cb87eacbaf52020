// SPDX-License-Identifier: BSD-3-Clause
// MercuryDPM's .data: per frame a line "N time xmin ymin zmin xmax ymax zmax", then N lines
// "x y z vx vy vz r ..."; in 2-D "N time xmin ymin xmax ymax" and "x y vx vy r ...".
#pragma once

#include "io/atomic_file.hpp"
#include "io/byte_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads one frame, the last unless the options name one; its box is that of the frame's first line. A frame
/// that declares no particles gives an empty table. Of other frames only the counts are checked. Throws
/// Error(format), and Error(invalid_argument) for a frame that the file does not have.
ParticleTable read_mercury_data(ByteSource& source, const ReadOptions& options);

/// Whether a first line with these many columns, all numeric, is that of a frame.
constexpr bool is_mercury_header(std::size_t columns) { return columns == 6 || columns == 8; }

/// Writes one frame at time 0 and at rest: 14 columns, in 2-D 8. A table without box gets the bounds of its
/// particles.
void write_mercury_data(AtomicFile& file, const ParticleTable& table);

}  // namespace hgrid::io
