// SPDX-License-Identifier: BSD-3-Clause
// VTK's XML formats .vtp and .vtu: points and arrays of numbers, as text, as base64 or as bytes after the XML.
#pragma once

#include <string_view>

#include "io/byte_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads the points of all pieces of PolyData or an UnstructuredGrid, and their arrays like vtk_legacy.hpp; TimeValue of the
/// FieldData is the time. From a file that hgrid wrote it takes only the particles. Arrays may be ascii, binary or appended,
/// raw or as base64, in either byte order, and compressed by zlib. Throws Error(format) naming the line or, for appended bytes,
/// the byte.
ParticleTable read_vtk_xml(ByteSource& source, const ReadOptions& options);

/// Returns whether a file with these first bytes is one.
bool is_vtk_xml(std::string_view head);

}  // namespace hgrid::io
