// SPDX-License-Identifier: BSD-3-Clause
// VTK's legacy format: points and arrays of numbers, as text or as big-endian bytes.
#pragma once

#include <string_view>

#include "io/byte_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

inline constexpr std::string_view vtk_legacy_magic = "# vtk DataFile";

/// Reads the points of POLYDATA or an UNSTRUCTURED_GRID, and the arrays of points (SCALARS, or in a FIELD) whose names
/// column_names.hpp has or the options give: radius, diameter, id. Other arrays, cells and all that belongs to cells are passed
/// over. TIME and CYCLE of a FIELD are the time and the step. Throws Error(format) naming the line or, of bytes, the byte.
ParticleTable read_vtk_legacy(ByteSource& source, const ReadOptions& options);

}  // namespace hgrid::io
