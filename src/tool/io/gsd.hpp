// SPDX-License-Identifier: BSD-3-Clause
// GSD, which HOOMD-blue, freud and OVITO write.
#pragma once

#include <memory>

#include "io/byte_source.hpp"
#include "io/frames.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Returns the frames of a file of the schema `hoomd`: positions, diameters, the box, which is periodic along all axes and may
/// be tilted, the step, and columns such as `body` that the options name. A frame without an array has the array of frame 0, if
/// that has an equal number of particles, or else the schema's default: a diameter is 1. Throws Error(format) naming the byte
/// or the particle.
std::unique_ptr<FrameSource> gsd_frames(ByteSource& source, const ReadOptions& options);

}  // namespace hgrid::io
