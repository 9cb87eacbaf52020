// SPDX-License-Identifier: BSD-3-Clause
// MercuryDPM's .restart: lines of keys and values; after "Particles N" a line for each particle, whose keys are among others
// id, position and radius. In versions 2 and 3 such a line has no keys, but the numbers x y z vx vy vz r and more.
#pragma once

#include <string_view>

#include "io/byte_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads the particles, the box (xMin to zMax), the time, and which axes a PeriodicBoundary or, in versions 2 and 3, a row of
/// WallsPeriodic makes periodic; its two distances are then the box's bounds. Walls are not read. Throws Error(format) naming
/// the line.
ParticleTable read_mercury_restart(ByteSource& source, const ReadOptions& options);

/// Whether a file whose first row this is is one.
inline bool is_mercury_restart(std::string_view row) {
  return row.starts_with("restart_version ") || row.starts_with("MercuryDPM ");
}

}  // namespace hgrid::io
