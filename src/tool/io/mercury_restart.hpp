// SPDX-License-Identifier: BSD-3-Clause
// MercuryDPM's .restart: lines of keys and values; after "Particles N" a line for each particle, with id, position and radius
// among its keys. In versions 2 and 3 such a line has no keys, but the numbers x y z vx vy vz r and more.
#pragma once

#include <string_view>

#include "io/byte_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads the particles, the box (xMin to zMax), the time, and the periodic axes: axes of a PeriodicBoundary or, in versions 2
/// and 3, of a row of WallsPeriodic, whose two distances are then the box's bounds. Walls are not read. Throws Error(format)
/// naming the line.
ParticleTable read_mercury_restart(ByteSource& source, const ReadOptions& options);

/// Returns whether a file with this first row is a .restart.
inline bool is_mercury_restart(std::string_view row) {
  return row.starts_with("restart_version ") || row.starts_with("MercuryDPM ");
}

}  // namespace hgrid::io
