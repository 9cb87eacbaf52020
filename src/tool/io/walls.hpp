// SPDX-License-Identifier: BSD-3-Clause
// Triangles of walls from a file, and their contacts with particles into one.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "io/byte_source.hpp"

namespace hgrid::io {

/// x1 y1 z1 x2 y2 z2 x3 y3 z3.
using WallTriangle = std::array<double, 9>;

/// Reads a text table of nine vertex coordinates per line (separated by blanks or commas; a header line of names and comments
/// with # are skipped) or STL, as text or binary. Throws Error(io), and Error(format) naming line or byte.
std::vector<WallTriangle> read_walls(const std::string& path);

}  // namespace hgrid::io
