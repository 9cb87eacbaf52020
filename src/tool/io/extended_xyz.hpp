// SPDX-License-Identifier: BSD-3-Clause
// Extended XYZ, which ASE and OVITO write: the number of atoms, a line of keys and values, a row for each atom; one frame after
// the other.
#pragma once

#include <memory>

#include "io/byte_source.hpp"
#include "io/frames.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Returns the frames of a file. Of the keys, Lattice states the vectors of the box, three or in two dimensions two, and Origin
/// its corner; pbc states which of them are periodic (all, if there is only Lattice); Time and Timestep are the time and the
/// step. Properties states the columns: pos, of three or two numbers, and the names in column_names.hpp. Without Properties the
/// options may name the columns, or the second line does, as in "x y z r"; otherwise rows are a name and a position, and
/// perhaps more. If the first column is a number with a decimal point, rows begin with the position.
std::unique_ptr<FrameSource> xyz_frames(ByteSource& source, const ReadOptions& options);

/// Returns whether a text begins with a lone count, followed by a line of keys or of names of columns or, after any line, by a
/// row of four words. If equal rows of only numbers follow the count, it is a table with a count on top.
bool is_xyz(std::string_view head);

}  // namespace hgrid::io
