// SPDX-License-Identifier: BSD-3-Clause
// VTK's legacy format: points and arrays of numbers, as text or as big-endian bytes.
#pragma once

#include <string_view>

#include "io/byte_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

inline constexpr std::string_view vtk_legacy_magic = "# vtk DataFile";

/// Reads the points of POLYDATA or an UNSTRUCTURED_GRID, and arrays of points (SCALARS, or in a FIELD) with names in
/// column_names.hpp or in the options: radius, diameter, id. Skips other arrays, cells and arrays of cells. TIME and CYCLE of a
/// FIELD are the time and the step. Throws Error(format) naming the line or, for bytes, the byte.
ParticleTable read_vtk_legacy(ByteSource& source, const ReadOptions& options);

}  // namespace hgrid::io
