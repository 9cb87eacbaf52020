// SPDX-License-Identifier: BSD-3-Clause
// Extended XYZ, as ASE and OVITO write it: the number of atoms, a line of keys and values, a row for each atom; a frame after
// the other.
#pragma once

#include <memory>

#include "io/byte_source.hpp"
#include "io/frames.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Frames of a file. Of the keys, Lattice states the vectors of the box, three or in two dimensions two, and Origin where it
/// begins; pbc says which of them are periodic (all, where Lattice stands alone); Time and Timestep are the time and the step,
/// and Properties the columns: pos, of three or two numbers, and the names in column_names.hpp. Without Properties the options
/// may name the columns, or the second line does, as in "x y z r"; else rows are a name and a position, and perhaps more. Rows
/// whose first column is a number with a point begin with the position.
std::unique_ptr<FrameSource> xyz_frames(ByteSource& source, const ReadOptions& options);

/// Returns whether a text begins with a lone count, and goes on with a line of keys or of names of columns or, after any line,
/// with a row of four words. Where the count is followed by equal rows of numbers alone it is a table with a count on top.
bool is_xyz(std::string_view head);

}  // namespace hgrid::io
