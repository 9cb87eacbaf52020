// SPDX-License-Identifier: BSD-3-Clause
// MercuryDPM's .data: per frame a line "N time xmin ymin zmin xmax ymax zmax", then N lines
// "x y z vx vy vz r ..."; in 2-D "N time xmin ymin xmax ymax" and "x y vx vy r ...".
#pragma once

#include <memory>

#include "io/atomic_file.hpp"
#include "io/byte_source.hpp"
#include "io/frames.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Returns the frames of a file. A frame's first line states its box and its time. A frame that declares no particles gives an
/// empty table. In frames that are not kept only the counts are checked.
std::unique_ptr<FrameSource> mercury_frames(ByteSource& source, const ReadOptions& options);

/// Returns whether a first line with this number of columns, all numeric, is the head of a frame.
constexpr bool is_mercury_header(std::size_t columns) { return columns == 6 || columns == 8; }

/// Writes one frame at time 0 and at rest: 14 columns, in 2-D 8. A table without a box gets the bounds of its particles.
void write_mercury_data(AtomicFile& file, const ParticleTable& table);

}  // namespace hgrid::io
